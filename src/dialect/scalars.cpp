// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialect/scalars.h"
#include "dialect/constants.h"
#include "dialect/dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace asc {

namespace arith = mlir::arith;

static DType unsigned_dtype(mlir::Type type) { return unsigned_of(dtype_of(type)); }

static ScalarCall comparison(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  using S = ScalarOp;
  static constexpr S kOps[] = {S::Eq, S::Ne, S::Lt, S::Le, S::Gt, S::Ge, S::Lt, S::Le, S::Gt, S::Ge};
  const mlir::Type type = op.getLhs().getType();
  return {kOps[unsigned(op.getPredicate())], op.getPredicate() >= P::ult ? unsigned_dtype(type) : dtype_of(type)};
}

static std::optional<ScalarCall> comparison(arith::CmpFOp op) {
  using P = arith::CmpFPredicate;
  const DType type = dtype_of(op.getLhs().getType());
  switch (op.getPredicate()) {
  case P::OEQ: return ScalarCall{ScalarOp::Eq, type};
  case P::UNE: return ScalarCall{ScalarOp::Ne, type};
  case P::OLT: return ScalarCall{ScalarOp::Lt, type};
  case P::OLE: return ScalarCall{ScalarOp::Le, type};
  case P::OGT: return ScalarCall{ScalarOp::Gt, type};
  case P::OGE: return ScalarCall{ScalarOp::Ge, type};
  default: return std::nullopt;
  }
}

std::optional<ScalarCall> scalar_call(mlir::Operation *op) {
  using Call = std::optional<ScalarCall>;
  if (op->getNumResults() != 1 || op->getNumOperands() == 0) return std::nullopt;
  const mlir::Type type = op->getOperand(0).getType();
  const auto as_signed = [&](ScalarOp code) { return ScalarCall{code, dtype_of(type)}; };
  const auto as_unsigned = [&](ScalarOp code) { return ScalarCall{code, unsigned_dtype(type)}; };
  // The front end says nsw where overflow is the kernel's mistake.
  const auto wrapping = [&](ScalarOp code, auto o) {
    return bitEnumContainsAll(o.getOverflowFlags(), arith::IntegerOverflowFlags::nsw) ? as_signed(code) : as_unsigned(code);
  };
  return llvm::TypeSwitch<mlir::Operation *, Call>(op)
      .Case([&](arith::AddIOp o) { return wrapping(ScalarOp::Add, o); })
      .Case([&](arith::SubIOp o) { return wrapping(ScalarOp::Sub, o); })
      .Case([&](arith::MulIOp o) { return wrapping(ScalarOp::Mul, o); })
      .Case([&](arith::ShLIOp o) { return wrapping(ScalarOp::Shl, o); })
      .Case([&](arith::AddFOp) { return as_signed(ScalarOp::Add); })
      .Case([&](arith::SubFOp) { return as_signed(ScalarOp::Sub); })
      .Case([&](arith::MulFOp) { return as_signed(ScalarOp::Mul); })
      .Case<arith::DivFOp, arith::DivSIOp>([&](auto) { return as_signed(ScalarOp::Div); })
      .Case([&](arith::DivUIOp) { return as_unsigned(ScalarOp::Div); })
      .Case([&](arith::RemUIOp) { return as_unsigned(ScalarOp::Rem); })
      .Case<arith::FloorDivSIOp, FloorDivOp>([&](auto) { return as_signed(ScalarOp::FloorDiv); })
      .Case([&](FloorModOp) { return as_signed(ScalarOp::FloorMod); })
      .Case([&](arith::AndIOp) { return as_signed(ScalarOp::And); })
      .Case([&](arith::OrIOp) { return as_signed(ScalarOp::Or); })
      .Case([&](arith::XOrIOp) { return as_signed(ScalarOp::Xor); })
      .Case([&](arith::ShRSIOp) { return as_signed(ScalarOp::Shr); })
      .Case([&](arith::ShRUIOp) { return as_unsigned(ScalarOp::Shr); })
      .Case([&](arith::MaxSIOp) { return as_signed(ScalarOp::Max); })
      .Case([&](arith::MinSIOp) { return as_signed(ScalarOp::Min); })
      .Case([&](arith::MaxUIOp) { return as_unsigned(ScalarOp::Max); })
      .Case([&](arith::MinUIOp) { return as_unsigned(ScalarOp::Min); })
      .Case([&](arith::NegFOp) { return as_signed(ScalarOp::Neg); })
      .Case([&](arith::CmpIOp o) { return comparison(o); })
      .Case([&](arith::CmpFOp o) { return comparison(o); })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

uint64_t register_of(mlir::Attribute constant) {
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(constant)) return real.getValue().bitcastToAPInt().getZExtValue();
  return uint64_t(integer_of(llvm::cast<mlir::IntegerAttr>(constant)));
}

mlir::TypedAttr constant_from(uint64_t bits, mlir::Type type) {
  const llvm::APInt low = llvm::APInt(64, bits).trunc(type.getIntOrFloatBitWidth());
  if (auto real = llvm::dyn_cast<mlir::FloatType>(type)) return mlir::FloatAttr::get(type, llvm::APFloat(real.getFloatSemantics(), low));
  return mlir::IntegerAttr::get(type, low);
}

mlir::TypedAttr folded(mlir::Operation *op) {
  uint64_t operands[2] = {};
  if (op->getNumOperands() == 0 || op->getNumOperands() > 2 || op->getNumResults() != 1) return {};
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!operand.getType().isIntOrFloat()) return {};
    mlir::Attribute constant = constant_attribute(operand);
    if (!constant) return {};
    operands[i] = register_of(constant);
  }
  const mlir::Type type = op->getResult(0).getType();
  if (auto convert = llvm::dyn_cast<ConvertOp>(op)) {
    const DType from = DType(convert.getFrom()), to = DType(convert.getTo());
    const uint64_t value = extend_scalar(operands[0], from), result = cast_scalar(value, from, to);
    const bool lost = value != result || (info(from).is_signed != info(to).is_signed && int64_t(value) < 0);
    return convert.getChecked() && lost ? mlir::TypedAttr() : constant_from(result, type);
  }
  std::optional<ScalarCall> call = scalar_call(op);
  std::optional<ScalarResult> result = call ? compute_scalar(call->op, call->type, operands[0], operands[1]) : std::nullopt;
  return result && result->fault == ScalarFault::None ? constant_from(result->bits, type) : mlir::TypedAttr();
}

} // namespace asc
