// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops made from API rows: registration, syntax, verifier, effects, and the view class ApiOp.
#include "dialect/api_ops.h"
#include "dialect/constants.h"

namespace asc {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

// ---------------------------------------------------------------- what the row says about operands

static constexpr llvm::StringLiteral kForm = "form";

static llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

/// SSA operands that an argument takes: a tensor or ShapeInfo is one value, although it has several slots.
static unsigned operands_of(const Arg &arg) {
  return arg.is_attribute() ? 0 : arg.is_tensor() || arg.kind == ArgKind::Shape ? 1 : slots_of(arg);
}

/// Calls fn(argument index, first slot, first operand) for the arguments of a form, in slot order (the order of the row).
template <class Fn> static void for_each_arg(const Row &row, unsigned form, Fn fn) {
  const Layout &lay = layout(row, form);
  unsigned operand = 0;
  for (unsigned arg = 0; arg < row.args.size(); ++arg) {
    if (lay.slot[arg] == Layout::kAbsent) continue;
    fn(arg, unsigned(lay.slot[arg]), operand);
    operand += operands_of(row.args[arg]);
  }
}

/// The dtype in which the value of slot `part` of an argument is passed; `element` is ApiOp::type_at of it.
static DType dtype_in_slot(const Arg &arg, unsigned part, DType element) {
  switch (arg.kind) {
  case ArgKind::Int:
  case ArgKind::List: return arg.dtypes.only();
  case ArgKind::Number: return arg.dtypes.bits ? arg.dtypes.only() : element;
  case ArgKind::Mask: return DType::UInt64;
  case ArgKind::Struct:
  case ArgKind::Structs: {
    DType dtype = DType::UInt32; // how many Structs there are
    for_each_field(arg, [&](const Field &field, unsigned slot, unsigned, unsigned) {
      if (slot == part) dtype = field.kind == FieldKind::Element ? element : field.dtype;
    });
    return dtype;
  }
  case ArgKind::Shape: return DType::UInt32;
  case ArgKind::Flag: return DType::Bool;
  default: return DType::Int64;
  }
}

// ---------------------------------------------------------------- ApiOp

ApiOp::ApiOp(mlir::Operation *op) : op_(op), row_(llvm::cast<AscDialect>(op->getDialect())->row_of(op->getName())) {}

bool ApiOp::is(mlir::Operation *op) {
  auto *dialect = llvm::dyn_cast_or_null<AscDialect>(op->getDialect());
  return dialect && dialect->row_of(op->getName());
}

mlir::Operation *ApiOp::create(mlir::OpBuilder &builder, mlir::Location loc, const Row &row, unsigned form, mlir::ValueRange operands,
                               mlir::ArrayRef<mlir::NamedAttribute> attributes) {
  mlir::MLIRContext &context = *builder.getContext();
  mlir::OperationState state(loc, context.getLoadedDialect<AscDialect>()->name_of(row));
  state.addOperands(operands);
  state.addAttributes(attributes);
  state.addAttribute(kForm, builder.getI32IntegerAttr(int32_t(form)));
  if (row.results(form)) {
    DType result = row.result;
    for (const mlir::NamedAttribute &attribute : attributes)
      if (auto type = llvm::dyn_cast<mlir::TypeAttr>(attribute.getValue()); type && row.typed_result) result = dtype_of(type.getValue());
    state.addTypes(llvm::SmallVector<mlir::Type>(row.results(form), scalar_type(context, result)));
  }
  return builder.create(state);
}

unsigned ApiOp::form() const { return unsigned(op_->getAttrOfType<mlir::IntegerAttr>(kForm).getInt()); }

mlir::ValueRange ApiOp::operands(unsigned wanted) const {
  mlir::ValueRange found;
  for_each_arg(*row_, form(), [&](unsigned arg, unsigned, unsigned operand) {
    if (arg == wanted) found = op_->getOperands().slice(operand, operands_of(row_->args[arg]));
  });
  return found;
}

int64_t ApiOp::attribute(unsigned arg) const {
  mlir::Attribute attribute = op_->getAttr(ref(row_->args[arg].name));
  if (auto flag = llvm::dyn_cast<mlir::BoolAttr>(attribute)) return flag.getValue();
  if (auto type = llvm::dyn_cast<mlir::TypeAttr>(attribute)) return int64_t(dtype_of(type.getValue()));
  return llvm::cast<mlir::IntegerAttr>(attribute).getInt();
}

DType ApiOp::call_type() const {
  for (mlir::Type type : op_->getOperandTypes())
    if (DType dtype = element_dtype(type); dtype != DType::Void) return dtype;
  for (const Arg &arg : row_->args)
    if (auto type = op_->getAttrOfType<mlir::TypeAttr>(ref(arg.name))) return dtype_of(type.getValue());
  return DType::Void;
}

DType ApiOp::result_type() const { return row_->typed_result ? call_type() : row_->result; }

DType ApiOp::second_type() const {
  unsigned tensors = 0;
  for (mlir::Type type : op_->getOperandTypes())
    if (DType dtype = element_dtype(type); dtype != DType::Void && ++tensors == 2) return dtype;
  return DType::Void;
}

DType ApiOp::type_at(unsigned arg) const {
  DType type = call_type();
  for (unsigned before = 0; before < arg; ++before)
    if (row_->args[before].is_tensor())
      for (mlir::Value tensor : operands(before)) type = element_dtype(tensor.getType());
  return type;
}

/// Bits of a constant, extended as Operand::bits wants them; nothing for run-time values.
static std::optional<uint64_t> constant_bits(mlir::Value value, DType dtype) {
  mlir::Attribute attribute = constant_attribute(value);
  if (!attribute) return std::nullopt;
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(attribute)) return real.getValue().bitcastToAPInt().getZExtValue();
  llvm::APInt bits = llvm::cast<mlir::IntegerAttr>(attribute).getValue();
  bool extend_sign = info(dtype).is_signed;
  return extend_sign ? uint64_t(bits.getSExtValue()) : bits.getZExtValue();
}

/// What constants tell about a tensor: the byte offset of its first element in its memory, and its length in bytes.
struct StaticTensor {
  std::optional<int64_t> offset;
  std::optional<uint64_t> bytes;
};
static StaticTensor static_tensor(mlir::Value tensor) {
  auto scaled = [](std::optional<uint64_t> elements, DType dtype) -> std::optional<uint64_t> {
    if (!elements) return std::nullopt;
    return *elements * size_of(dtype);
  };
  DType dtype = element_dtype(tensor.getType());
  mlir::Operation *op = tensor.getDefiningOp();
  if (auto local = llvm::dyn_cast_or_null<LocalTensorOp>(op))
    return {constant_bits(local.getAddress(), DType::Int64), scaled(constant_bits(local.getSize(), DType::Int64), dtype)};
  if (auto global = llvm::dyn_cast_or_null<GlobalTensorOp>(op))
    return {std::nullopt, global.getSize() ? scaled(constant_bits(global.getSize(), DType::Int64), dtype) : 0};
  if (auto cast = llvm::dyn_cast_or_null<ReinterpretCastOp>(op)) return static_tensor(cast.getTensor());
  if (auto resized = llvm::dyn_cast_or_null<ResizeOp>(op)) {
    const std::optional<uint64_t> size = constant_bits(resized.getSize(), DType::Int64);
    return {static_tensor(resized.getTensor()).offset, resized.getBytes() ? size : scaled(size, dtype)};
  }
  if (auto shifted = llvm::dyn_cast_or_null<ShiftOp>(op)) {
    StaticTensor place = static_tensor(shifted.getTensor());
    const std::optional<uint64_t> skipped =
        scaled(constant_bits(shifted.getIndex(), DType::Int64), element_dtype(shifted.getTensor().getType()));
    if (!skipped) place.offset.reset();
    if (place.offset) *place.offset += int64_t(*skipped);
    return place;
  }
  if (auto view = llvm::dyn_cast_or_null<ViewOp>(op)) {
    StaticTensor parent = static_tensor(view.getTensor());
    std::optional<uint64_t> skipped = scaled(constant_bits(view.getIndex(), DType::Int64), dtype);
    if (!skipped) return {};
    if (parent.offset) *parent.offset += int64_t(*skipped);
    if (parent.bytes && *parent.bytes != 0) *parent.bytes -= *skipped;
    return parent;
  }
  return {};
}

Call ApiOp::call() const {
  Call call;
  call.row = row_;
  call.form = uint8_t(form());
  call.lay = &layout(*row_, form());
  for_each_arg(*row_, form(), [&](unsigned index, unsigned slot, unsigned operand) {
    const Arg &arg = row_->args[index];
    if (arg.is_attribute()) {
      call.slots[slot] = {uint64_t(attribute(index)), dtype_in_slot(arg, 0, DType::Void), true};
      return;
    }
    if (arg.is_tensor()) {
      mlir::Value tensor = op_->getOperand(operand);
      DType dtype = element_dtype(tensor.getType());
      auto local = llvm::dyn_cast<LocalTensorType>(tensor.getType());
      Position position = local ? Position(local.getPosition()) : Position::GM;
      StaticTensor place = static_tensor(tensor);
      call.slots[slot] = {Address(memory_of(position), 0, place.offset.value_or(0)).word, dtype, place.offset.has_value(), position};
      call.slots[slot + 1] = {place.bytes.value_or(0), dtype, place.bytes.has_value(), position};
      return;
    }
    if (arg.kind == ArgKind::Shape) {
      const unsigned rank = llvm::cast<ShapeInfoType>(op_->getOperand(operand).getType()).getRank();
      call.slots[slot] = {rank, DType::UInt32};
      for (unsigned d = 0; d < assume::most_dimensions; ++d) call.slots[slot + 1 + d] = {0, DType::UInt32, /*known=*/d >= rank};
      return;
    }
    const DType element = type_at(index);
    for (unsigned part = 0; part < operands_of(arg); ++part) {
      DType dtype = dtype_in_slot(arg, part, element);
      std::optional<uint64_t> bits = constant_bits(op_->getOperand(operand + part), dtype);
      call.slots[slot + part] = {bits.value_or(0), dtype, bits.has_value()};
    }
  });
  return call;
}

std::optional<std::pair<const Rule *, Violation>> first_violation(const Call &call) {
  for (const Rule *rule : call.row->rules) {
    if (rule->is_warning) continue;
    if (std::optional<Violation> violation = rule->check(call, nullptr)) return std::pair(rule, std::move(*violation));
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- syntax: asc.add(0) %dst, %src0, ... {flags} : types -> result

static mlir::ParseResult parse_api(mlir::OpAsmParser &parser, mlir::OperationState &state) {
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand> operands;
  llvm::SmallVector<mlir::Type> types;
  int32_t form;
  if (parser.parseLParen() || parser.parseInteger(form) || parser.parseRParen()) return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(state.attributes) || parser.parseOptionalColonTypeList(types) ||
      parser.resolveOperands(operands, types, loc, state.operands) || parser.parseOptionalArrowTypeList(state.types))
    return failure();
  state.addAttribute(kForm, parser.getBuilder().getI32IntegerAttr(form));
  return success();
}

static void print_api(mlir::Operation *op, mlir::OpAsmPrinter &printer, llvm::StringRef) {
  auto form = op->getAttrOfType<mlir::IntegerAttr>(kForm);
  printer << op->getName() << "(" << (form ? form.getInt() : 0) << ")";
  if (op->getNumOperands() != 0) printer << " " << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs(), {kForm});
  if (op->getNumOperands() != 0) printer << " : " << op->getOperandTypes();
  printer.printOptionalArrowTypeList(op->getResultTypes());
}

// ---------------------------------------------------------------- verifier

static LogicalResult verify_tensor(mlir::Operation *op, const Arg &arg, mlir::Type type) {
  bool local = llvm::isa<LocalTensorType>(type), global = llvm::isa<GlobalTensorType>(type);
  if ((local && arg.kind != ArgKind::Global) || (global && arg.kind != ArgKind::Local)) return success();
  llvm::StringRef expected = arg.kind == ArgKind::Local ? "a local tensor" : arg.kind == ArgKind::Global ? "a global tensor" : "a tensor";
  return op->emitOpError() << "'" << ref(arg.name) << "' is " << type << ", expected " << expected;
}

static LogicalResult verify_attribute(mlir::Operation *op, const Arg &arg) {
  mlir::Attribute attribute = op->getAttr(ref(arg.name));
  auto error = [&](const llvm::Twine &expected) {
    return op->emitOpError() << "needs the attribute '" << ref(arg.name) << "', " << expected;
  };
  if (arg.kind == ArgKind::Flag && !llvm::isa_and_nonnull<mlir::BoolAttr>(attribute)) return error("true or false");
  if (arg.kind == ArgKind::Type) {
    auto type = llvm::dyn_cast_or_null<mlir::TypeAttr>(attribute);
    if (!type || dtype_of(type.getValue()) == DType::Void) return error("an element type");
  }
  if (arg.kind == ArgKind::Constant && !llvm::isa_and_nonnull<mlir::IntegerAttr>(attribute)) return error("an integer");
  if (arg.kind == ArgKind::Enum) {
    auto value = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
    auto same = [&](const Member &member) { return member.value == value.getInt(); };
    if (!value || llvm::none_of(find_enum(arg.type)->members, same)) return error("a member of " + ref(arg.type));
  }
  return success();
}

static LogicalResult verify_api(mlir::Operation *op) {
  ApiOp api(op);
  const Row &row = api.row();
  auto form = op->getAttrOfType<mlir::IntegerAttr>(kForm);
  if (!form || !form.getType().isInteger(32) || form.getInt() < 0 || form.getInt() >= int64_t(row.forms.size()))
    return op->emitOpError() << "needs a form from 0 to " << row.forms.size() - 1;
  unsigned number = unsigned(form.getInt());
  unsigned expected = 0;
  for_each_arg(row, number, [&](unsigned arg, unsigned, unsigned) { expected += operands_of(row.args[arg]); });
  if (op->getNumOperands() != expected)
    return op->emitOpError() << "form " << number << ", " << ref(row.forms[number].call) << ", takes " << expected << " operands, got "
                             << op->getNumOperands();
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0) return op->emitOpError("has no regions or successors");
  LogicalResult verdict = success();
  for_each_arg(row, number, [&](unsigned index, unsigned, unsigned operand) {
    const Arg &arg = row.args[index];
    if (mlir::failed(verdict)) return;
    if (arg.is_attribute()) {
      verdict = verify_attribute(op, arg);
    } else if (arg.is_tensor()) {
      verdict = verify_tensor(op, arg, op->getOperand(operand).getType());
    } else if (arg.kind == ArgKind::Shape) {
      if (mlir::Type type = op->getOperand(operand).getType(); !llvm::isa<ShapeInfoType>(type))
        verdict = op->emitOpError() << "'" << ref(arg.name) << "' is " << type << ", expected a ShapeInfo";
    } else {
      const DType element = api.type_at(index);
      if (arg.kind == ArgKind::Structs) {
        const std::optional<uint64_t> size = constant_bits(op->getOperand(operand), DType::UInt32);
        if (!size || *size < 1 || *size > arg.length)
          verdict = op->emitOpError() << "'" << ref(arg.name) << "' has a number of items that is no constant from 1 to "
                                      << unsigned(arg.length);
      }
      for (unsigned part = 0; part < operands_of(arg) && mlir::succeeded(verdict); ++part) {
        mlir::Type type = op->getOperand(operand + part).getType(),
                   wanted = scalar_type(*op->getContext(), dtype_in_slot(arg, part, element));
        if (type == wanted) continue;
        verdict = op->emitOpError() << "'" << ref(arg.name) << "' is " << type << ", expected " << wanted;
      }
    }
  });
  if (mlir::failed(verdict)) return verdict;
  mlir::Type result = scalar_type(*op->getContext(), api.result_type());
  const unsigned results = row.results(number);
  if (op->getNumResults() != results || llvm::any_of(op->getResultTypes(), [&](mlir::Type type) { return type != result; })) {
    if (!results) return op->emitOpError("has no result");
    if (results > 1) return op->emitOpError() << "has " << results << " results of type " << result;
    return op->emitOpError() << "has one result of type " << result;
  }
  if (!row.instead.empty()) return op->emitOpError("is no instruction of this chip");
  if (row.forms[number].of_cube) return op->emitOpError() << "form " << number << " belongs to the cube core";
  if (auto broken = first_violation(api.call())) {
    const auto &[rule, violation] = *broken;
    return op->emitOpError() << "breaks rule " << ref(rule->code) << " (" << ref(rule->title) << "): '" << ref(row.args[violation.arg].name)
                             << "': got " << violation.got << ", expected " << violation.expected;
  }
  return success();
}

// ---------------------------------------------------------------- effects

/// Effects follow from the roles of the tensors. A row that acts on registers of the core, waits for other cores or tells the host
/// something writes to everything.
struct ApiEffects : mlir::MemoryEffectOpInterface::ExternalModel<ApiEffects, mlir::Operation> {
  void getEffects(mlir::Operation *op,
                  llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects) const {
    ApiOp api(op);
    const Row &row = api.row();
    for_each_arg(row, api.form(), [&](unsigned index, unsigned, unsigned operand) {
      const Arg &arg = row.args[index];
      if (!arg.is_tensor()) return;
      if (arg.role != Role::Out) effects.emplace_back(mlir::MemoryEffects::Read::get(), &op->getOpOperand(operand));
      if (arg.role != Role::In) effects.emplace_back(mlir::MemoryEffects::Write::get(), &op->getOpOperand(operand));
    });
    const bool by_address = row.forms[api.form()].by_address;
    if (row.poll || row.varies || by_address)
      effects.emplace_back(mlir::MemoryEffects::Read::get()); // what others write, or what lies there
    if (by_address || row.registers || row.tells != Tells::Nothing || row.poll || row.varies)
      effects.emplace_back(mlir::MemoryEffects::Write::get());
  }
};

// ---------------------------------------------------------------- folding

static mlir::Attribute constant_of_type(mlir::Type type, uint64_t bits) {
  if (auto real = llvm::dyn_cast<mlir::FloatType>(type)) {
    const llvm::APInt pattern = llvm::APInt(64, bits).trunc(real.getWidth());
    return mlir::FloatAttr::get(type, llvm::APFloat(real.getFloatSemantics(), pattern));
  }
  return mlir::IntegerAttr::get(type, llvm::APInt(64, bits).trunc(type.getIntOrFloatBitWidth()));
}

/// A pure call of known values is what the simulator would make of it.
static LogicalResult fold_api(mlir::Operation *op, mlir::ArrayRef<mlir::Attribute>, llvm::SmallVectorImpl<mlir::OpFoldResult> &results) {
  ApiOp api(op);
  if (!api.row().pure) return failure();
  const Call call = api.call();
  for (unsigned slot = 0; slot < call.lay->slots; ++slot)
    if (!call.slots[slot].known) return failure();
  CoreState core;
  Exec exec{call, core};
  api.row().run(exec);
  results.push_back(constant_of_type(op->getResult(0).getType(), exec.result));
  return success();
}

// ---------------------------------------------------------------- registration

mlir::OperationName AscDialect::name_of(const Row &row) const { return mlir::OperationName::getFromOpaquePointer(names_.lookup(&row)); }

void AscDialect::register_row(const Row &row) {
  auto no_regions = [](mlir::Operation *) { return success(); };
  auto definition = mlir::DynamicOpDefinition::get(ref(row.name), this, verify_api, no_regions, parse_api, print_api);
  definition->setFoldHookFn(fold_api);
  registerDynamicOp(std::move(definition));
  std::string full = "asc." + std::string(row.name);
  mlir::OperationName name(full, getContext());
  name.attachInterface<ApiEffects>();
  rows_[name.getAsOpaquePointer()] = &row;
  names_[&row] = name.getAsOpaquePointer();
}

void register_api_ops(AscDialect &dialect) {
  for (const Row *row : rows())
    if (row->structure.empty()) dialect.register_row(*row);
}

} // namespace asc
