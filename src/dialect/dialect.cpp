// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect itself: types, and syntax and verifiers of the structural ops.
#include "dialect/dialect.h"
#include "apis/format.h"
#include "dialect/api_ops.h"
#include "dialect/keywords.h"
#include "dialect/location.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

namespace asc {
static void name_results(mlir::Operation *op, mlir::OpAsmSetValueNameFn set_name) {
  for (mlir::Value result : op->getResults())
    if (std::string_view name = variable_of(result.getLoc()); !name.empty()) set_name(result, name);
}
static void name_arguments(mlir::Region &region, mlir::OpAsmSetValueNameFn set_name) {
  auto kernel = llvm::dyn_cast<KernelOp>(region.getParentOp());
  if (!kernel || kernel.getNames().size() != region.getNumArguments()) return;
  for (auto [argument, name] : llvm::zip_equal(region.getArguments(), kernel.getNames()))
    if (auto text = llvm::dyn_cast<mlir::StringAttr>(name)) set_name(argument, text.getValue());
}
} // namespace asc

#include "dialect/AscDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/AscTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialect/AscOps.cpp.inc"

namespace asc {

using mlir::failure;
using mlir::LogicalResult;
using mlir::ParseResult;
using mlir::success;

void AscDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/AscTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/AscOps.cpp.inc"
      >();
  register_api_ops(*this);
}

mlir::Operation *AscDialect::materializeConstant(mlir::OpBuilder &ops, mlir::Attribute value, mlir::Type type, mlir::Location loc) {
  return mlir::arith::ConstantOp::materialize(ops, value, type, loc);
}

void load_dialects(mlir::MLIRContext &context) {
  context.disableMultithreading();
  context.loadDialect<AscDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect, mlir::func::FuncDialect>();
}

// ---------------------------------------------------------------- types

mlir::Type scalar_type(mlir::MLIRContext &context, DType dtype) {
  switch (dtype) {
  case DType::Void: return {};
  case DType::Bool: return mlir::IntegerType::get(&context, 1);
  case DType::Float16: return mlir::Float16Type::get(&context);
  case DType::BFloat16: return mlir::BFloat16Type::get(&context);
  case DType::Float32: return mlir::Float32Type::get(&context);
  case DType::Float64: return mlir::Float64Type::get(&context);
  default: return mlir::IntegerType::get(&context, size_of(dtype) * 8);
  }
}

mlir::Type element_type(mlir::MLIRContext &context, DType dtype) {
  bool is_unsigned = dtype >= DType::UInt8 && dtype <= DType::UInt64;
  return is_unsigned ? mlir::IntegerType::get(&context, size_of(dtype) * 8, mlir::IntegerType::Unsigned) : scalar_type(context, dtype);
}

DType dtype_of(mlir::Type element) {
  if (element.isF16()) return DType::Float16;
  if (element.isBF16()) return DType::BFloat16;
  if (element.isF32()) return DType::Float32;
  if (element.isF64()) return DType::Float64;
  auto integer = llvm::dyn_cast_or_null<mlir::IntegerType>(element);
  if (!integer) return DType::Void;
  switch (integer.getWidth()) {
  case 1: return DType::Bool;
  case 8: return integer.isUnsigned() ? DType::UInt8 : DType::Int8;
  case 16: return integer.isUnsigned() ? DType::UInt16 : DType::Int16;
  case 32: return integer.isUnsigned() ? DType::UInt32 : DType::Int32;
  case 64: return integer.isUnsigned() ? DType::UInt64 : DType::Int64;
  default: return DType::Void;
  }
}

/// Element type of a tensor, array or address; null for other types.
static mlir::Type element_of(mlir::Type type) {
  return llvm::TypeSwitch<mlir::Type, mlir::Type>(type)
      .Case<AddressType, GlobalTensorType, LocalTensorType, ArrayType>([](auto t) { return t.getElement(); })
      .Default(mlir::Type());
}
DType element_dtype(mlir::Type type) {
  mlir::Type element = element_of(type);
  return element ? dtype_of(element) : DType::Void;
}

DType unsigned_of(DType dtype) {
  switch (dtype) {
  case DType::Int8: return DType::UInt8;
  case DType::Int16: return DType::UInt16;
  case DType::Int32: return DType::UInt32;
  case DType::Int64: return DType::UInt64;
  default: return dtype;
  }
}

std::string_view name_of(mlir::Value value) {
  std::string_view name = variable_of(value.getLoc());
  if (!name.empty()) return name;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    auto kernel = llvm::dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
    if (!kernel) return {};
    return llvm::cast<mlir::StringAttr>(kernel.getNames()[argument.getArgNumber()]).getValue();
  }
  mlir::Operation *op = value.getDefiningOp();
  if (llvm::isa<ViewOp, ReinterpretCastOp, ResizeOp, ShiftOp, OffsetOp, AddressOfOp, GlobalTensorOp>(op)) return name_of(op->getOperand(0));
  return {};
}

static LogicalResult verify_element(llvm::function_ref<mlir::InFlightDiagnostic()> emit, mlir::Type element) {
  if (dtype_of(element) == DType::Void)
    return emit() << "element type is " << element << ", expected i1, i8..i64, ui8..ui64, f16, bf16, f32 or f64";
  return success();
}
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;
LogicalResult AddressType::verify(EmitError emit, mlir::Type element) { return verify_element(emit, element); }
LogicalResult TensorDescType::verify(EmitError emit, mlir::Type element) { return verify_element(emit, element); }
LogicalResult GlobalTensorType::verify(EmitError emit, mlir::Type element) { return verify_element(emit, element); }
LogicalResult LocalTensorType::verify(EmitError emit, mlir::Type element, unsigned position) {
  if (position >= kPositions || memory_of(Position(position)) == Memory::GM) return emit() << "position " << position << " is not on chip";
  return verify_element(emit, element);
}

mlir::Type LocalTensorType::parse(mlir::AsmParser &parser) {
  mlir::Type element;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma()) return {};
  auto position = parse_name(parser, kPositionNames, itself, "position");
  if (mlir::failed(position) || parser.parseGreater()) return {};
  return parser.getChecked<LocalTensorType>(parser.getContext(), element, *position);
}
void LocalTensorType::print(mlir::AsmPrinter &printer) const {
  printer << "<" << getElement() << ", " << llvm::StringRef(kPositionNames[getPosition()]) << ">";
}

// ---------------------------------------------------------------- kernels

ParseResult KernelOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &state) {
  auto function_type = [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> inputs, llvm::ArrayRef<mlir::Type> results,
                          mlir::function_interface_impl::VariadicFlag, std::string &) { return builder.getFunctionType(inputs, results); };
  return mlir::function_interface_impl::parseFunctionOp(parser, state, /*allowVariadic=*/false, getFunctionTypeAttrName(state.name),
                                                        function_type, getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}
void KernelOp::print(mlir::OpAsmPrinter &printer) {
  mlir::function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                                 getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  unsigned parameters = getFunctionType().getNumInputs();
  if (getFunctionType().getNumResults() != 0) return emitOpError("returns nothing, but its type has results");
  if (getNames().size() != parameters || getDtypes().size() != parameters)
    return emitOpError() << "has " << parameters << " parameters, but " << getNames().size() << " 'names' and " << getDtypes().size()
                         << " 'dtypes'";
  if (!getBody().hasOneBlock()) return emitOpError("has one block");
  for (unsigned i = 0; i < parameters; ++i) {
    auto dtype = llvm::dyn_cast<mlir::TypeAttr>(getDtypes()[i]);
    mlir::Type type = getFunctionType().getInput(i);
    const bool structure = llvm::isa<StructType>(type) && dtype && dtype.getValue() == type;
    if (!llvm::isa<mlir::StringAttr>(getNames()[i]) || !dtype || (dtype_of(dtype.getValue()) == DType::Void && !structure))
      return emitOpError() << "needs a string in 'names' and an element type in 'dtypes' for parameter " << i;
    if (structure) continue;
    mlir::Type expected = scalar_type(*getContext(), dtype_of(dtype.getValue()));
    if (auto address = llvm::dyn_cast<AddressType>(type)) {
      if (address.getElement() != dtype.getValue())
        return emitOpError() << "parameter " << i << " points to " << address.getElement() << ", 'dtypes' says " << dtype;
    } else if (type != expected) {
      return emitOpError() << "parameter " << i << " is " << type << ", 'dtypes' says " << dtype;
    }
  }
  return success();
}

// ---------------------------------------------------------------- tensors and addresses

LogicalResult GlobalTensorOp::verify() {
  if (getAddress().getType().getElement() != getTensor().getType().getElement())
    return emitOpError("address and tensor have different element types");
  return success();
}

LogicalResult ReinterpretCastOp::verify() {
  if (getTensor().getType().getPosition() != getResult().getType().getPosition()) return emitOpError("cannot change the position");
  return success();
}

LogicalResult ShiftOp::verify() {
  if (getTensor().getType().getPosition() != getResult().getType().getPosition()) return emitOpError("cannot change the position");
  return success();
}

LogicalResult AddressOfOp::verify() {
  if (getTensor().getType().getElement() != getAddress().getType().getElement())
    return emitOpError("address and tensor have different element types");
  return success();
}

LogicalResult SizeOp::verify() {
  unsigned width = llvm::isa<LocalTensorType>(getTensor().getType()) ? 32 : 64;
  if (!getSize().getType().isInteger(width)) return emitOpError() << "result is " << getSize().getType() << ", expected i" << width;
  return success();
}

static LogicalResult verify_value(mlir::Operation *op, mlir::Type tensor, mlir::Type value) {
  mlir::Type expected = scalar_type(*op->getContext(), element_dtype(tensor));
  if (value != expected) return op->emitOpError() << "value is " << value << ", expected " << expected;
  return success();
}
LogicalResult GetValueOp::verify() { return verify_value(*this, getTensor().getType(), getValue().getType()); }
LogicalResult SetValueOp::verify() { return verify_value(*this, getTensor().getType(), getValue().getType()); }

LogicalResult ConvertOp::verify() {
  for (auto [number, type] : {std::pair(getFrom(), getValue().getType()), std::pair(getTo(), getResult().getType())})
    if (number >= kDTypes || scalar_type(*getContext(), DType(number)) != type)
      return emitOpError() << "dtype number " << number << " does not stand for " << type;
  for (uint32_t number : {getFrom(), getTo()})
    if (getChecked() && (info(DType(number)).is_float || DType(number) == DType::Bool))
      return emitOpError() << "'checked' is for integers, and " << name(DType(number)) << " is none";
  return success();
}

// ---------------------------------------------------------------- synchronisation

LogicalResult SetFlagOp::verify() { return verify_event(*this); }
LogicalResult WaitFlagOp::verify() { return verify_event(*this); }
LogicalResult PipeBarrierOp::verify() {
  if (getPipe() >= kPipes) return emitOpError() << "pipe is " << getPipe() << ", expected 0 to " << kPipes - 1;
  if (Pipe(getPipe()) == Pipe::S) return emitOpError("pipe S runs in order and takes no barrier");
  return success();
}

LogicalResult SetL2CacheHintOp::verify() {
  for (const auto &[name, value] : {std::pair("CacheMode", getMode()), {"CacheRwMode", getRw()}})
    if (llvm::none_of(find_enum(name)->members, [&](const Member &member) { return member.value == int64_t(value); }))
      return emitOpError() << value << " is no member of " << name;
  return success();
}
LogicalResult DataSyncBarrierOp::verify() {
  if (getKind() >= kDataBarriers) return emitOpError() << "kind is " << getKind() << ", expected 0 to " << kDataBarriers - 1;
  return success();
}

template <class PointerOp> static LogicalResult verify_pointer(PointerOp op) {
  if (op.getNumber() >= kPointers) return op.emitOpError() << "number is " << op.getNumber() << ", expected 0 to " << kPointers - 1;
  return success();
}
LogicalResult SetPointerOp::verify() { return verify_pointer(*this); }
LogicalResult GetPointerOp::verify() { return verify_pointer(*this); }

static constexpr llvm::StringLiteral kKernelType = "asc.kernel_type";

KernelType KernelOp::kernel_type() {
  const auto noted = (*this)->getAttrOfType<mlir::StringAttr>(kKernelType);
  for (unsigned i = 0; noted && i < kKernelTypes; ++i)
    if (noted.getValue() == llvm::StringRef(kKernelTypeInfo[i].name)) return KernelType(i);
  return KernelType::AIV_ONLY;
}
void KernelOp::set_kernel_type(KernelType type) {
  (*this)->setAttr(kKernelType, mlir::StringAttr::get(getContext(), llvm::StringRef(info(type).name)));
}

template <class FlagOp> static LogicalResult verify_cross_core(FlagOp op) {
  if (op.getMode() >= kCrossModes) return op.emitOpError() << "mode is " << op.getMode() << ", expected 0 to " << kCrossModes - 1;
  if (op.getPipe() >= kPipes) return op.emitOpError() << "pipe is " << op.getPipe() << ", expected 0 to " << kPipes - 1;
  return success();
}
LogicalResult CrossCoreSetFlagOp::verify() { return verify_cross_core(*this); }
LogicalResult CrossCoreWaitFlagOp::verify() { return verify_cross_core(*this); }

// ---------------------------------------------------------------- text

/// `named`: how many of the values are for the report only.
template <class TextOp> static LogicalResult verify_text(TextOp op, size_t named) {
  if (op.getDtypes().size() != op.getValues().size())
    return op.emitOpError() << "has " << op.getValues().size() << " values and " << op.getDtypes().size() << " 'dtypes'";
  if (named > op.getValues().size()) return op.emitOpError() << "has " << op.getValues().size() << " values and " << named << " 'names'";
  std::vector<DType> printed;
  for (auto [number, value] : llvm::zip_equal(op.getDtypes(), op.getValues())) {
    const bool address = llvm::isa<AddressType>(value.getType());
    if (unsigned(number) >= kDTypes ||
        (address ? DType(number) != DType::UInt64 : scalar_type(*op.getContext(), DType(number)) != value.getType()))
      return op.emitOpError() << "dtype number " << number << " does not stand for " << value.getType();
    printed.push_back(DType(number));
  }
  printed.resize(printed.size() - named);
  if (std::string mismatch = format_mismatch(parse_format(op.getFormat()), printed); !mismatch.empty())
    return op.emitOpError() << "has the wrong format: " << mismatch;
  return success();
}
LogicalResult PrintfOp::verify() { return verify_text(*this, 0); }
LogicalResult AssertOp::verify() { return verify_text(*this, getNames().size()); }

// ---------------------------------------------------------------- debug form

LogicalResult StatementOp::verify() {
  if (getMoment() >= kMoments) return emitOpError() << "moment is " << getMoment() << ", expected 0 to " << kMoments - 1;
  const size_t values = getValues().size();
  if (getDtypes().size() != values || getNames().size() != values)
    return emitOpError() << "has " << values << " values, " << getDtypes().size() << " 'dtypes' and " << getNames().size() << " 'names'";
  for (auto [number, value] : llvm::zip_equal(getDtypes(), getValues())) {
    const mlir::Type type = value.getType();
    const bool known = unsigned(number) < kDTypes;
    if (!known || (type.isIntOrFloat() ? scalar_type(*getContext(), DType(number)) != type : element_dtype(type) != DType(number)))
      return emitOpError() << "dtype number " << number << " does not stand for " << type;
  }
  return success();
}

} // namespace asc
