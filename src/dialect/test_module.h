// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a kernel with one call of a given form, all of whose values are known at run time only.
#pragma once

#include "apis/vector.h"
#include "dialect/dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <algorithm>

namespace asc {

/// Calls fn(row, form) for the forms that are registered as ops.
template <class Fn> void for_each_form(Fn fn) {
  for (const Row *row : rows()) {
    if (!row->structure.empty() || !row->instead.empty()) continue;
    for (unsigned form = 0; form < row->forms.size(); ++form) {
      if (row->forms[form].of_cube) continue;
      SCOPED_TRACE(std::string(row->name) + " form " + std::to_string(form));
      fn(*row, form);
    }
  }
}

/// A kernel whose parameters are the scalars of the call; its tensors are in the unified buffer, or global where the row says so, or where
/// it lets them be and a bit of `globals` is set.
inline mlir::OwningOpRef<mlir::ModuleOp> module_with(mlir::MLIRContext &context, const Row &row, unsigned form, unsigned globals) {
  mlir::OpBuilder ops(&context);
  mlir::Location loc = ops.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  const Layout &lay = layout(row, form);
  DType element = DType::Void;
  for (const Arg &arg : row.args)
    if (arg.is_tensor() && element == DType::Void)
      element = arg.dtypes.has(DType::Float16) ? DType::Float16 : DType(std::countr_zero(arg.dtypes.bits));
  const auto dtype_of_tensor = [&](unsigned index) {
    if (row.vector && !row.vector->pairs.empty()) return index == 0 ? row.vector->pairs[0].dst : row.vector->pairs[0].src;
    const DTypes legal = row.args[index].dtypes;
    return legal.has(element) ? element : legal.has(DType::Float32) ? DType::Float32 : DType(std::countr_zero(legal.bits));
  };
  // A member that the rules allow for these types.
  const auto member_of = [&](unsigned index) {
    const Arg &arg = row.args[index];
    Call call;
    call.row = &row, call.lay = &lay, call.form = uint8_t(form);
    for (Operand &slot : call.slots) slot.known = false;
    for (unsigned t = 0; t < lay.tensors; ++t) call.slots[lay.slot[lay.tensor[t]]].dtype = dtype_of_tensor(lay.tensor[t]);
    const auto members = find_enum(arg.type)->members;
    for (size_t i = members.size(); i-- > 0;) {
      call.slots[lay.slot[index]] = {uint64_t(members[i].value), DType::Int64};
      if (std::none_of(row.rules.begin(), row.rules.end(), [&](const Rule *rule) { return rule->check(call, nullptr); }))
        return members[i].value;
    }
    return members.back().value;
  };

  struct Parameter {
    mlir::Type type;
    DType dtype;
  };
  std::vector<Parameter> parameters = {{AddressType::get(&context, element_type(context, element == DType::Void ? DType::Int32 : element)),
                                        element == DType::Void ? DType::Int32 : element},
                                       {ops.getI32Type(), DType::Int32}};
  std::vector<int>
      sources; // per operand: a parameter, or -1 for a local tensor, -2 for a global one, -3 for a ShapeInfo, -4 for the number of Structs
  std::vector<DType> elements; // of the tensors among them
  std::vector<mlir::NamedAttribute> attributes;
  auto scalar = [&](DType dtype) {
    sources.push_back(int(parameters.size()));
    parameters.push_back({scalar_type(context, dtype), dtype});
  };
  for (unsigned index = 0; index < row.args.size(); ++index) {
    const Arg &arg = row.args[index];
    if (lay.slot[index] == Layout::kAbsent) continue;
    auto attribute = [&](mlir::Attribute value) { attributes.push_back(ops.getNamedAttr(llvm::StringRef(arg.name), value)); };
    switch (arg.kind) {
    case ArgKind::Local: sources.push_back(-1), elements.push_back(dtype_of_tensor(index)); break;
    case ArgKind::Tensor: sources.push_back(globals >> index & 1 ? -2 : -1), elements.push_back(dtype_of_tensor(index)); break;
    case ArgKind::Global: sources.push_back(-2), elements.push_back(dtype_of_tensor(index)); break;
    case ArgKind::Int: scalar(DType(std::countr_zero(arg.dtypes.bits))); break;
    case ArgKind::Number: scalar(arg.dtypes.bits ? arg.dtypes.only() : elements.empty() ? DType::Float16 : elements.back()); break;
    case ArgKind::Mask: scalar(DType::UInt64), scalar(DType::UInt64); break;
    case ArgKind::Struct:
      find_struct(arg.type)->for_each_slot(
          [&](const Field &field, unsigned, unsigned) { scalar(field.kind == FieldKind::Element ? element : field.dtype); });
      break;
    case ArgKind::Structs:
      sources.push_back(-4);
      for_each_field(arg, [&](const Field &field, unsigned, unsigned, unsigned) { scalar(field.dtype); });
      break;
    case ArgKind::List:
      for (unsigned i = 0; i < arg.length; ++i) scalar(arg.dtypes.only());
      break;
    case ArgKind::Shape: sources.push_back(-3); break;
    case ArgKind::Flag: attribute(ops.getBoolAttr(true)); break;
    case ArgKind::Constant: attribute(ops.getI64IntegerAttr(arg.low)); break;
    case ArgKind::Enum: attribute(ops.getI64IntegerAttr(arg.default_value.value_or(member_of(index)))); break;
    case ArgKind::Type: attribute(mlir::TypeAttr::get(element_type(context, DType::Float16))); break;
    }
  }

  std::vector<mlir::Type> types;
  std::vector<mlir::Attribute> names, dtypes;
  for (unsigned i = 0; i < parameters.size(); ++i) {
    types.push_back(parameters[i].type);
    names.push_back(ops.getStringAttr("p" + std::to_string(i)));
    dtypes.push_back(mlir::TypeAttr::get(element_type(context, parameters[i].dtype)));
  }
  ops.setInsertionPointToEnd(module->getBody());
  auto kernel =
      ops.create<KernelOp>(loc, ops.getStringAttr("k"), mlir::TypeAttr::get(ops.getFunctionType(types, {})), ops.getArrayAttr(names),
                           ops.getArrayAttr(dtypes), mlir::UnitAttr(), mlir::ArrayAttr(), mlir::ArrayAttr());
  mlir::Block &body = kernel.getBody().emplaceBlock();
  for (mlir::Type type : types) body.addArgument(type, loc);
  ops.setInsertionPointToEnd(&body);
  std::vector<mlir::Value> operands;
  size_t tensors = 0;
  for (int source : sources) {
    if (source >= 0) {
      operands.push_back(body.getArgument(unsigned(source)));
      continue;
    }
    if (source == -3) {
      auto array = ops.create<ArrayOp>(loc, ArrayType::get(&context, ops.getI32Type(), 2), mlir::ValueRange{body.getArgument(1)});
      operands.push_back(ops.create<ShapeInfoOp>(loc, ShapeInfoType::get(&context, 2, 2), mlir::ValueRange{array, array}, 0u));
      continue;
    }
    if (source == -4) {
      operands.push_back(ops.create<mlir::arith::ConstantOp>(loc, ops.getI32IntegerAttr(2)));
      continue;
    }
    mlir::Type type = element_type(context, elements[tensors++]);
    if (source == -1)
      operands.push_back(ops.create<LocalTensorOp>(loc, LocalTensorType::get(&context, type, unsigned(Position::VECCALC)),
                                                   body.getArgument(1), body.getArgument(1)));
    else
      operands.push_back(ops.create<GlobalTensorOp>(loc, GlobalTensorType::get(&context, type), body.getArgument(0), body.getArgument(1)));
  }
  ApiOp::create(ops, loc, row, form, operands, attributes);
  ops.create<ReturnOp>(loc);
  return module;
}

/// The same with each tensor in a memory that the form allows.
inline mlir::OwningOpRef<mlir::ModuleOp> module_with(mlir::MLIRContext &context, const Row &row, unsigned form) {
  for (unsigned globals = 0; globals < 4; ++globals) {
    mlir::OwningOpRef<mlir::ModuleOp> module = module_with(context, row, form, globals);
    mlir::ScopedDiagnosticHandler silence(&context, [](mlir::Diagnostic &) { return mlir::success(); });
    if (mlir::succeeded(mlir::verify(*module))) return module;
  }
  return module_with(context, row, form, 0);
}

} // namespace asc
