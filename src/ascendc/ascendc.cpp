// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints functions statement by statement. A value that is used once and has no Python name becomes part of the expression that uses it.
#include "ascendc/ascendc.h"
#include "ascendc/expression.h"
#include "ascendc/names.h"
#include "ascendc/writer.h"
#include "dialect/constants.h"
#include "dialect/dialect.h"
#include "dialect/location.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <map>
#include <set>

namespace asc {
namespace {

using mlir::Operation;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;
using mlir::func::FuncOp;

// ---------------------------------------------------------------- helper functions of the emitted text

/// What Python means and C++ does not have. A helper may need others, which stand before it.
struct Helper {
  std::string_view name, needs, text;
};
constexpr Helper kHelpers[] = {
    {"pyasc_floor_div", "", R"(// Python's // on integers: rounds down.
template <typename T> __aicore__ inline T pyasc_floor_div(T a, T b)
{
  T q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
)"},
    {"pyasc_floor_mod", "", R"(// Python's % on integers: the sign of the divisor.
template <typename T> __aicore__ inline T pyasc_floor_mod(T a, T b)
{
  T r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
)"},
    {"pyasc_fmod", "", R"(// C's fmod: exact, because every difference below is.
template <typename T> __aicore__ inline T pyasc_fmod(T a, T b)
{
  T r = a < 0 ? -a : a, m = b < 0 ? -b : b;
  if (!(m > 0) || r - r != 0) return __builtin_nanf("");
  while (r >= m) {
    T part = m;
    while (part <= r - part) part += part;
    r -= part;
  }
  return a < 0 ? -r : r;
}
)"},
    {"pyasc_float_mod", "pyasc_fmod", R"(// Python's % on floats: the sign of the divisor.
template <typename T> __aicore__ inline T pyasc_float_mod(T a, T b)
{
  T r = pyasc_fmod(a, b);
  if (r == 0) return b < 0 ? -(T)0 : (T)0;
  return (r < 0) != (b < 0) ? r + b : r;
}
)"},
    {"pyasc_float_floor_div", "pyasc_fmod", R"(// Python's // on floats: rounds the exact quotient down.
template <typename T> __aicore__ inline T pyasc_float_floor_div(T a, T b)
{
  if (b == 0) return a / b;
  T r = pyasc_fmod(a, b), q = (a - r) / b;
  if (r != 0 && (r < 0) != (b < 0)) q -= 1;
  if (q == 0) return a / b * 0; // a zero with the sign of the quotient
  if (!(q > -9e15 && q < 9e15)) return q;
  T whole = (T)(int64_t)q;
  if (whole > q) whole -= 1;
  return q - whole > (T)0.5 ? whole + 1 : whole;
}
)"},
    {"pyasc_read", "", R"(// A structure passed by value: its bytes are in global memory.
template <typename T> __aicore__ inline void pyasc_read(T& to, GM_ADDR from)
{
  for (uint32_t i = 0; i < sizeof(T); ++i) reinterpret_cast<uint8_t*>(&to)[i] = from[i];
}
)"},
    {"pyasc_matmul_config", "", R"(// The configuration of a Matmul with an order of its own.
template <IterateOrder order> constexpr MatmulConfig pyasc_matmul_order()
{
  MatmulConfig config = CFG_NORM;
  config.iterateOrder = order;
  return config;
}
template <IterateOrder order> constexpr MatmulConfig pyasc_matmul_config = pyasc_matmul_order<order>();
)"},
    {"pyasc_Print", "", R"(// What Ascend C has on a CPU only.
template <typename T> __aicore__ inline void pyasc_Print(AscendC::LocalTensor<T> tensor, uint32_t count)
{
#if defined(ASCENDC_CPU_DEBUG) && ASCENDC_CPU_DEBUG == 1
  tensor.Print(count);
#endif
}
)"},
    {"pyasc_ToFile", "", R"(// What Ascend C has on a CPU only.
template <typename T> __aicore__ inline void pyasc_ToFile(AscendC::LocalTensor<T> tensor, const char* file)
{
#if defined(ASCENDC_CPU_DEBUG) && ASCENDC_CPU_DEBUG == 1
  tensor.ToFile(file);
#endif
}
)"},
    {"pyasc_max", "", R"(template <typename T> __aicore__ inline T pyasc_max(T a, T b) { return a < b ? b : a; }
)"},
    {"pyasc_min", "", R"(template <typename T> __aicore__ inline T pyasc_min(T a, T b) { return b < a ? b : a; }
)"},
};

// ---------------------------------------------------------------- types

std::string cpp(DType type) { return std::string(info(type).cpp); }

std::string position_text(unsigned position) { return "AscendC::TPosition::" + std::string(name(Position(position))); }
std::string event_text(unsigned event) { return "AscendC::HardEvent::" + std::string(kEventInfo[event].name); }

/// C++ type of an object of the framework; empty for other values.
std::string object_text(mlir::Type type) {
  if (llvm::isa<PipeType>(type)) return "AscendC::TPipe";
  if (auto queue = llvm::dyn_cast<QueueType>(type)) {
    std::string depth = ", " + std::to_string(queue.getDepth()) + ">";
    if (!queue.getBind()) return "AscendC::TQue<" + position_text(unsigned(queue.position())) + depth;
    return "AscendC::TQueBind<" + position_text(queue.getSrc()) + ", " + position_text(queue.getDst()) + depth;
  }
  if (auto buf = llvm::dyn_cast<BufType>(type)) return "AscendC::TBuf<" + position_text(buf.getPosition()) + ">";
  if (auto pool = llvm::dyn_cast<BufPoolType>(type))
    return "AscendC::TBufPool<" + position_text(pool.getPosition()) + ", " + std::to_string(pool.getBuffers()) + ">";
  if (auto allocator = llvm::dyn_cast<AllocatorType>(type)) {
    auto row = find_enum("Hardware");
    return "AscendC::LocalMemAllocator<AscendC::" + std::string(row->ascendc) + std::string(row->members[allocator.getMemory()].name) + ">";
  }
  if (llvm::isa<ShapeInfoType>(type)) return "AscendC::ShapeInfo";
  if (llvm::isa<TensorListType>(type)) return "AscendC::ListTensorDesc";
  if (auto desc = llvm::dyn_cast<TensorDescType>(type)) return "AscendC::TensorDesc<" + cpp(dtype_of(desc.getElement())) + ">";
  if (auto matmul = llvm::dyn_cast<MatmulType>(type)) {
    const auto operand = [](mlir::Type element, bool transposable) {
      return "matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, " + cpp(dtype_of(element)) + (transposable ? ", true>" : ">");
    };
    std::string text = "matmul::Matmul<" + operand(matmul.getAb(), matmul.getTransposable() & 1) + ", " +
                       operand(matmul.getAb(), matmul.getTransposable() & 2) + ", " + operand(matmul.getC(), false) + ", " +
                       operand(matmul.getBias(), false);
    if (matmul.getOrder() != 2)
      text += ", pyasc_matmul_config<IterateOrder::" + std::string(find_enum("IterateOrder")->members[matmul.getOrder()].name) + ">";
    return text + ">";
  }
  return {};
}
/// What an object without a Python name is called.
std::string_view object_name(mlir::Type type) {
  if (llvm::isa<PipeType>(type)) return "pipe";
  if (llvm::isa<BufType>(type)) return "buf";
  if (llvm::isa<BufPoolType>(type)) return "pool";
  if (llvm::isa<ArrayType>(type)) return "array";
  if (llvm::isa<StructType>(type)) return "structure";
  if (llvm::isa<ShapeInfoType>(type)) return "info";
  if (llvm::isa<TensorListType>(type)) return "list";
  if (llvm::isa<TensorDescType>(type)) return "desc";
  if (llvm::isa<MatmulType>(type)) return "mm";
  return llvm::isa<AllocatorType>(type) ? "allocator" : "queue";
}

/// C++ type of a value; `scalar` is the type of a scalar.
std::string type_text(mlir::Type type, DType scalar) {
  if (std::string object = object_text(type); !object.empty()) return object;
  std::string element = cpp(element_dtype(type));
  if (llvm::isa<AddressType>(type)) return "__gm__ " + element + "*";
  if (llvm::isa<GlobalTensorType>(type)) return "AscendC::GlobalTensor<" + element + ">";
  if (llvm::isa<LocalTensorType>(type)) return "AscendC::LocalTensor<" + element + ">";
  return cpp(scalar);
}

std::string hex(uint64_t value) {
  llvm::SmallString<20> digits;
  llvm::APInt(64, value).toString(digits, 16, false);
  return "0x" + llvm::StringRef(digits).lower() + "ULL";
}

/// A negative constant whose magnitude has a literal, so that `x + -5` can be `x - 5`.
std::optional<int64_t> negative_constant(Value value) {
  auto integer = llvm::dyn_cast_or_null<mlir::IntegerAttr>(constant_attribute(value));
  if (!integer || integer.getType().isInteger(1) || !integer.getValue().isNegative() || integer.getValue().isMinSignedValue())
    return std::nullopt;
  return integer.getInt();
}

// ---------------------------------------------------------------- structures

/// The structures of a module, inner ones first, under names of their own.
struct Structures {
  llvm::MapVector<StructType, std::string> names;

  std::string_view name(mlir::Type type) const { return names.find(llvm::cast<StructType>(type))->second; }
  static std::string field(StructType type, unsigned index) {
    Names fields;
    std::string text;
    for (unsigned i = 0; i <= index; ++i) text = fields.unique(llvm::cast<mlir::StringAttr>(type.getNames()[i]).getValue());
    return text;
  }

  void add(mlir::Type type, Names &taken) {
    auto structure = llvm::dyn_cast<StructType>(type);
    if (!structure || names.contains(structure)) return;
    for (unsigned i = 0; i < structure.size(); ++i) add(structure.field(i), taken);
    std::string name = taken.unique(structure.getName().getValue());
    names[structure] = structure.getHeader() ? structure.getName().str() : name;
  }
  void add_all(Operation *root, Names &taken) {
    root->walk([&](Operation *op) {
      for (Value result : op->getResults()) add(result.getType(), taken);
      for (mlir::Region &region : op->getRegions())
        for (mlir::Type type : region.getArgumentTypes()) add(type, taken);
    });
  }
  static unsigned alignment(mlir::Type type) {
    auto structure = llvm::dyn_cast<StructType>(type);
    if (!structure) return size_of(dtype_of(type));
    unsigned most = 1;
    for (unsigned i = 0; i < structure.size(); ++i) most = std::max(most, std::min(alignment(structure.field(i)), structure.getPack()));
    return most;
  }

  /// `own`: of something that is no structure; empty: none.
  std::string includes(llvm::StringRef own) const {
    std::set<llvm::StringRef> headers;
    if (!own.empty()) headers.insert(own);
    for (const auto &[type, name] : names)
      if (type.getHeader()) headers.insert(type.getHeader().getValue());
    std::string text;
    for (llvm::StringRef header : headers) text += "#include \"" + header.str() + "\"\n";
    return text;
  }

  std::string definitions() const {
    std::string text;
    for (const auto &[type, name] : names) {
      if (type.getHeader()) continue;
      bool packed = false;
      std::string fields;
      for (unsigned i = 0; i < type.size(); ++i) {
        mlir::Type field = type.field(i);
        packed |= alignment(field) > type.getPack();
        const std::string kind = llvm::isa<StructType>(field) ? std::string(this->name(field)) : cpp(dtype_of(field));
        fields += "  " + kind + " " + Structures::field(type, i) + ";\n";
      }
      const std::string definition = "struct " + name + " {\n" + fields + "};\n";
      const std::string pack = std::to_string(type.getPack());
      text += packed ? "#pragma pack(push, " + pack + ")\n" + definition + "#pragma pack(pop)\n\n" : definition + "\n";
    }
    return text;
  }
};

// ---------------------------------------------------------------- one function

/// What the functions of a module share.
struct Unit {
  Writer &writer;
  std::map<FuncOp, std::string, decltype([](FuncOp a, FuncOp b) { return a.getOperation() < b.getOperation(); })> functions;
  std::set<std::string_view> helpers;
  Structures structures = {};

  void need(std::string_view name) {
    for (const Helper &helper : kHelpers)
      if (helper.name == name && helpers.insert(helper.name).second && !helper.needs.empty()) need(helper.needs);
  }
};

class FunctionPrinter {
  static constexpr unsigned kDeepest = 12; // operations in one expression, one within the other

public:
  FunctionPrinter(Unit &unit, mlir::ModuleOp module) : unit_(unit), writer_(unit.writer), module_(module) {
    for (const auto &[function, name] : unit.functions) names_.unique(name); // no variable hides them
    for (const auto &[type, name] : unit.structures.names) names_.unique(name);
  }

  /// `resets`: the core's registers are to be reset at the start.
  void print(KernelOp kernel, bool resets) {
    std::string parameters;
    llvm::SmallVector<std::pair<Value, std::string>> structures; // and the addresses of their bytes
    mlir::Block &body = kernel.getBody().front();
    for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
      std::string name = names_.unique(llvm::cast<mlir::StringAttr>(kernel.getNames()[i]).getValue());
      if (llvm::isa<StructType>(argument.getType())) {
        structures.emplace_back(argument, names_.unique(name + "_gm"));
        values_[argument] = {name};
        add(parameters, "GM_ADDR " + structures.back().second);
        continue;
      }
      DType dtype = dtype_of(llvm::cast<mlir::TypeAttr>(kernel.getDtypes()[i]).getValue());
      bool address = llvm::isa<AddressType>(argument.getType());
      add(parameters, (address ? "GM_ADDR" : cpp(dtype)) + " " + name);
      if (address)
        values_[argument] = {"(" + type_text(argument.getType(), dtype) + ")" + name, Level::Unary};
      else
        values_[argument] = {name, Level::Primary, dtype};
    }
    writer_.from(span_of(kernel.getLoc()));
    writer_.line("extern \"C\" __global__ __aicore__ void " + Names().unique(kernel.getSymName().str()) + "(" + parameters + ")");
    writer_.from({});
    writer_.open("{");
    if (const KernelType type = kernel.kernel_type(); type != KernelType::AIV_ONLY)
      writer_.line("KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_" + std::string(info(type).name) + ");");
    if (resets) writer_.line("AscendC::InitSocState();");
    for (const auto &[structure, address] : structures) {
      unit_.need("pyasc_read");
      writer_.line(declaration(structure.getType(), DType::Void, text(structure)) + ";");
      writer_.line("pyasc_read(" + text(structure) + ", " + address + ");");
    }
    block(body);
    writer_.close();
  }

  void print(FuncOp function) {
    std::string parameters;
    mlir::Block &body = function.getBody().front();
    for (mlir::BlockArgument argument : body.getArguments()) {
      std::string name = names_.unique(variable_of(argument.getLoc()));
      DType dtype = dtype_of(argument.getType());
      add(parameters, parameter(argument.getType(), dtype, name));
      values_[argument] = {name, Level::Primary, dtype};
    }
    mlir::OperandRange results = body.getTerminator()->getOperands();
    bool returns = results.size() == 1;
    if (!returns)
      for (Value result : results) {
        outputs_.push_back(names_.unique("result"));
        add(parameters, type_text(result.getType(), dtype_of(result.getType())) + "& " + outputs_.back());
      }
    std::string type = returns ? type_text(results[0].getType(), dtype_of(results[0].getType())) : "void";
    writer_.from(span_of(function.getLoc()));
    writer_.line("__aicore__ inline " + type + " " + unit_.functions.at(function) + "(" + parameters + ")");
    writer_.from({});
    writer_.open("{");
    block(body);
    writer_.from(span_of(body.getTerminator()->getLoc()));
    if (returns) writer_.line("return " + expression(results[0]).text + ";");
    for (auto [output, result] : llvm::zip(outputs_, results)) writer_.line(output + " = " + expression(result).text + ";");
    writer_.close();
  }

private:
  static void add(std::string &list, const std::string &item) { list += (list.empty() ? "" : ", ") + item; }

  // -------------------------------------------------------------- types

  std::string type_text(mlir::Type type, DType scalar) const {
    return llvm::isa<StructType>(type) ? std::string(unit_.structures.name(type)) : asc::type_text(type, scalar);
  }
  /// `type name`, or what C++ has in its place for arrays.
  std::string declaration(mlir::Type type, DType scalar, const std::string &name) const {
    if (auto array = llvm::dyn_cast<ArrayType>(type))
      return cpp(element_dtype(type)) + " " + name + "[" + std::to_string(array.getLength()) + "]";
    return type_text(type, scalar) + " " + name;
  }
  /// The same for a parameter.
  std::string parameter(mlir::Type type, DType scalar, const std::string &name) const {
    if (llvm::isa<ArrayType>(type)) return declaration(type, scalar, "(&" + name + ")");
    const bool by_reference = llvm::isa<StructType>(type) || !object_text(type).empty();
    return type_text(type, scalar) + (by_reference ? "& " : " ") + name;
  }

  // -------------------------------------------------------------- values

  /// Whether the op has no statement of its own: its value is written where it is used. A Python name keeps its variable, unless that is
  /// the one of the loop or conditional that takes the value; an expression of many operations is broken up.
  bool is_inlined(Operation *op) {
    if (llvm::isa<arith::ConstantOp>(op)) return true;
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !op->hasOneUse()) return false;
    Operation *user = *op->user_begin();
    const bool nameless = variable_of(op->getLoc()).empty() || llvm::isa<scf::YieldOp>(user);
    // What is asked of a queue may stand in the condition or assignment that follows at once.
    if (llvm::isa<QueueStateOp, MatmulIterateOp>(op))
      return nameless && op->getNextNode() == user && llvm::isa<scf::IfOp, scf::ConditionOp, scf::YieldOp>(user);
    if (llvm::isa<GlobalTensorOp, ResizeOp, ShiftOp>(op) || !mlir::isMemoryEffectFree(op)) return false;
    if (ApiOp::is(op) && sets_results(ApiOp(op))) return false;
    if (llvm::isa<FreeTensorOp, DequeInPlaceOp>(user)) return false; // they take a variable
    return nameless && user->getBlock() == op->getBlock() && depth(op) <= kDeepest;
  }

  /// Nesting of the expression that the op ends. Operands come before, so the recursion ends at the previous operation.
  unsigned depth(Operation *op) {
    if (auto known = depths_.find(op); known != depths_.end()) return known->second;
    unsigned deepest = 0;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp(); source && !llvm::isa<arith::ConstantOp>(source) && is_inlined(source))
        deepest = std::max(deepest, depth(source));
    return depths_[op] = deepest + 1;
  }

  Expression expression(Value value) {
    if (auto known = values_.find(value); known != values_.end()) return known->second;
    if (mlir::Attribute constant = constant_attribute(value)) return literal(constant, dtype_of(value.getType()), Literal::Plain);
    if (auto result = llvm::dyn_cast<mlir::OpResult>(value); result && is_inlined(result.getOwner())) return compute(result.getOwner());
    throw InternalError("a value is used before it is printed");
  }
  std::string text(Value value) { return expression(value).text; }

  /// A scalar as an expression of exactly `type`, except for plain integer literals.
  Expression scalar(Value value, DType type, Literal style = Literal::Plain) {
    if (mlir::Attribute constant = constant_attribute(value)) return literal(constant, type, style);
    return convert(expression(value), type);
  }

  std::string declare(Value value, std::string_view name, DType type) {
    std::string unique = names_.unique(name);
    values_[value] = {unique, Level::Primary, type};
    return declaration(value.getType(), type, unique);
  }

  // -------------------------------------------------------------- expressions

  Expression compute(Operation *op) {
    if (ApiOp::is(op)) return api(ApiOp(op));
    return llvm::TypeSwitch<Operation *, Expression>(op)
        .Case([&](arith::AddIOp o) { return sum(o); })
        .Case([&](arith::SubIOp o) { return difference(o); })
        .Case([&](arith::MulIOp o) { return arithmetic(Level::Product, "*", o, wrapping(o)); })
        .Case([&](arith::ShLIOp o) { return shift("<<", o, unsigned_of(dtype_of(o.getType()))); })
        .Case<arith::ShRSIOp>([&](auto o) { return shift(">>", o, dtype_of(o.getType())); })
        .Case<arith::ShRUIOp>([&](auto o) { return shift(">>", o, unsigned_of(dtype_of(o.getType()))); })
        .Case<arith::AddFOp>([&](auto o) { return arithmetic(Level::Sum, "+", o, dtype_of(o.getType())); })
        .Case<arith::SubFOp>([&](auto o) { return arithmetic(Level::Sum, "-", o, dtype_of(o.getType())); })
        .Case<arith::MulFOp>([&](auto o) { return arithmetic(Level::Product, "*", o, dtype_of(o.getType())); })
        .Case<arith::DivFOp, arith::DivSIOp>([&](auto o) { return arithmetic(Level::Product, "/", o, dtype_of(o.getType())); })
        .Case<arith::DivUIOp>([&](auto o) { return arithmetic(Level::Product, "/", o, unsigned_of(dtype_of(o.getType()))); })
        .Case<arith::RemUIOp>([&](auto o) { return arithmetic(Level::Product, "%", o, unsigned_of(dtype_of(o.getType()))); })
        .Case<arith::FloorDivSIOp>([&](auto o) { return helper("pyasc_floor_div", o, dtype_of(o.getType())); })
        .Case<FloorDivOp>([&](auto o) { return helper("pyasc_float_floor_div", o, dtype_of(o.getType())); })
        .Case<FloorModOp>([&](auto o) {
          DType type = dtype_of(o.getType());
          return helper(info(type).is_float ? "pyasc_float_mod" : "pyasc_floor_mod", o, type);
        })
        .Case<arith::MaxSIOp>([&](auto o) { return helper("pyasc_max", o, dtype_of(o.getType())); })
        .Case<arith::MinSIOp>([&](auto o) { return helper("pyasc_min", o, dtype_of(o.getType())); })
        .Case<arith::MaxUIOp>([&](auto o) { return helper("pyasc_max", o, unsigned_of(dtype_of(o.getType()))); })
        .Case<arith::MinUIOp>([&](auto o) { return helper("pyasc_min", o, unsigned_of(dtype_of(o.getType()))); })
        .Case<arith::AndIOp>([&](auto o) { return bits(Level::BitAnd, "&", Level::And, "&&", o); })
        .Case<arith::OrIOp>([&](auto o) { return bits(Level::BitOr, "|", Level::Or, "||", o); })
        .Case([&](arith::XOrIOp o) { return exclusive_or(o); })
        .Case([&](arith::NegFOp o) { return unary("-", scalar(o.getOperand(), dtype_of(o.getType()))); })
        .Case<arith::CmpIOp, arith::CmpFOp, arith::SelectOp>([&](auto o) { return compute_op(o); })
        .Case([&](ConvertOp o) { return convert(scalar(o.getValue(), DType(o.getFrom()), Literal::Typed), DType(o.getTo())); })
        .Case([&](ViewOp o) { return Expression{text(o.getTensor()) + "[" + text(o.getIndex()) + "]"}; })
        .Case([&](ReinterpretCastOp o) {
          return Expression{text(o.getTensor()) + ".ReinterpretCast<" + cpp(element_dtype(o.getType())) + ">()"};
        })
        .Case([&](OffsetOp o) { return binary(Level::Sum, "+", expression(o.getAddress()), expression(o.getIndex()), DType::Void); })
        .Case([&](GetPointerOp o) { return Expression{pointer_call("Get", o.getNumber()) + "()"}; })
        .Case([&](AddressOfOp o) { return Expression{text(o.getTensor()) + ".GetPhyAddr()"}; })
        .Case([&](LocalAddressOp o) { return Expression{text(o.getTensor()) + ".GetPhyAddr()", Level::Primary, DType::UInt64}; })
        .Case([&](SizeOp o) {
          DType type = llvm::isa<LocalTensorType>(o.getTensor().getType()) ? DType::UInt32 : DType::UInt64;
          return Expression{text(o.getTensor()) + ".GetSize()", Level::Primary, type};
        })
        .Case([&](GetValueOp o) {
          return Expression{text(o.getTensor()) + ".GetValue(" + text(o.getIndex()) + ")", Level::Primary,
                            element_dtype(o.getTensor().getType())};
        })
        .Case([&](ElementOp o) {
          return Expression{text(o.getArray()) + "[" + text(o.getIndex()) + "]", Level::Primary, element_dtype(o.getArray().getType())};
        })
        .Case([&](MemberOp o) { return Expression{field_text(o)}; })
        .Case([&](GetFieldOp o) {
          return Expression{field_text(o), Level::Primary, dtype_of(o.getStructure().getType().field(o.getIndex()))};
        })
        .Case([&](DimensionOp o) {
          std::string field = o.getOriginal() ? ".originalShape[" : ".shape[";
          return Expression{text(o.getInfo()) + field + text(o.getIndex()) + "]", Level::Primary, DType::UInt32};
        })
        .Case([&](UserTagOp o) { return method(o.getTensor(), "GetUserTag", {}, {}, DType::Int32); })
        .Case([&](SetUserTagOp o) { return method(o.getTensor(), "SetUserTag", {}, {text(o.getTag())}); })
        .Case([&](SetShapeInfoOp o) { return method(o.getTensor(), "SetShapeInfo", {}, {text(o.getInfo())}); })
        .Case([&](GetShapeInfoOp o) { return method(o.getTensor(), "GetShapeInfo", {}, {}); })
        .Default([&](Operation *o) { return framework(o); });
  }

  /// The front end says nsw on signed operations.
  template <class IntOp> static DType wrapping(IntOp op) {
    DType type = dtype_of(op.getType());
    return bitEnumContainsAll(op.getOverflowFlags(), arith::IntegerOverflowFlags::nsw) ? type : unsigned_of(type);
  }
  template <class BinaryOp> Expression arithmetic(Level level, std::string_view op, BinaryOp o, DType type) {
    return binary(level, op, scalar(o.getLhs(), type), scalar(o.getRhs(), type), type);
  }
  template <class BinaryOp> Expression helper(std::string_view name, BinaryOp o, DType type) {
    unit_.need(name);
    if (type == DType::Float16 || type == DType::BFloat16) {
      Expression lhs = convert(scalar(o.getLhs(), type), DType::Float32), rhs = convert(scalar(o.getRhs(), type), DType::Float32);
      return convert(call(std::string(name), {lhs.text, rhs.text}, DType::Float32), type);
    }
    std::string function = std::string(name) + "<" + cpp(type) + ">";
    return call(function, {scalar(o.getLhs(), type).text, scalar(o.getRhs(), type).text}, type);
  }
  Expression sum(arith::AddIOp op) {
    DType type = wrapping(op);
    std::optional<int64_t> negative = info(type).is_signed ? negative_constant(op.getRhs()) : std::nullopt;
    if (!negative) return arithmetic(Level::Sum, "+", op, type);
    mlir::Attribute magnitude = mlir::IntegerAttr::get(op.getType(), -*negative);
    return binary(Level::Sum, "-", scalar(op.getLhs(), type), literal(magnitude, type, Literal::Plain), type);
  }
  Expression difference(arith::SubIOp op) {
    DType type = wrapping(op);
    if (mlir::matchPattern(op.getLhs(), mlir::m_Zero())) return cut(unary("-", scalar(op.getRhs(), type)));
    return arithmetic(Level::Sum, "-", op, type);
  }
  /// The type of a shift is that of its left operand alone.
  template <class ShiftOp> Expression shift(std::string_view op, ShiftOp o, DType type) {
    return binary(Level::Shift, op, scalar(o.getLhs(), type, Literal::Typed), expression(o.getRhs()), type);
  }
  template <class BitOp> Expression bits(Level level, std::string_view op, Level logical_level, std::string_view logical, BitOp o) {
    DType type = dtype_of(o.getType());
    if (type == DType::Bool) return binary(logical_level, logical, scalar(o.getLhs(), type), scalar(o.getRhs(), type), type);
    return arithmetic(level, op, o, type);
  }
  Expression exclusive_or(arith::XOrIOp op) {
    DType type = dtype_of(op.getType());
    auto mask = llvm::cast_or_null<mlir::IntegerAttr>(constant_attribute(op.getRhs()));
    bool flips = mask && mask.getValue().isAllOnes();
    if (flips) return type == DType::Bool ? unary("!", scalar(op.getLhs(), type)) : cut(unary("~", scalar(op.getLhs(), type)));
    if (type != DType::Bool) return arithmetic(Level::BitXor, "^", op, type);
    return binary(Level::Equality, "!=", scalar(op.getLhs(), type), scalar(op.getRhs(), type), type);
  }
  /// A unary operation on a narrow integer gives an int: back to the integer's type.
  static Expression cut(const Expression &e) { return size_of(e.type) < 4 ? convert({e.text, e.level, DType::Int32}, e.type) : e; }

  Expression compute_op(arith::CmpIOp op) {
    using P = arith::CmpIPredicate;
    static constexpr std::string_view kOps[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
    P predicate = op.getPredicate();
    DType type = dtype_of(op.getLhs().getType());
    if (predicate >= P::ult) type = unsigned_of(type);
    // Equality does not care for the sign, as long as both sides agree.
    if (predicate <= P::ne && !constant_attribute(op.getLhs())) type = expression(op.getLhs()).type;
    Level level = predicate <= P::ne ? Level::Equality : Level::Relation;
    return binary(level, kOps[unsigned(predicate)], scalar(op.getLhs(), type), scalar(op.getRhs(), type), DType::Bool);
  }
  Expression compute_op(arith::CmpFOp op) {
    using P = arith::CmpFPredicate;
    DType type = dtype_of(op.getLhs().getType());
    auto compare = [&](Level level, std::string_view text) {
      return binary(level, text, scalar(op.getLhs(), type), scalar(op.getRhs(), type), DType::Bool);
    };
    switch (op.getPredicate()) {
    case P::OEQ: return compare(Level::Equality, "==");
    case P::UNE: return compare(Level::Equality, "!=");
    case P::OLT: return compare(Level::Relation, "<");
    case P::OLE: return compare(Level::Relation, "<=");
    case P::OGT: return compare(Level::Relation, ">");
    case P::OGE: return compare(Level::Relation, ">=");
    default: throw InternalError("no Ascend C for this predicate of arith.cmpf");
    }
  }
  Expression compute_op(arith::SelectOp op) {
    Expression condition = scalar(op.getCondition(), DType::Bool), yes, no;
    if (DType type = dtype_of(op.getType()); type != DType::Void) {
      yes = scalar(op.getTrueValue(), type, Literal::Typed), no = scalar(op.getFalseValue(), type, Literal::Typed);
    } else {
      yes = expression(op.getTrueValue()), no = expression(op.getFalseValue());
    }
    return {at_least(Level::Or, condition) + " ? " + at_least(Level::Or, yes) + " : " + at_least(Level::Conditional, no),
            Level::Conditional, yes.type};
  }

  // -------------------------------------------------------------- API calls

  Expression api(ApiOp op) {
    const Row &row = op.row();
    if (!row.receiver.empty()) unit_.need("pyasc_" + std::string(row.ascendc));
    std::string text = expand(
        row, op.form(), op.call_type(), op.second_type(), [&](unsigned arg) { return argument(op, arg, op.type_at(arg)); }, results_);
    return {text, Level::Primary, op.result_type()};
  }

  /// Whether the function sets variables in the place of returning a value.
  static bool sets_results(ApiOp op) { return op.row().forms[op.form()].call.find("$result") != std::string_view::npos; }

  /// A call that sets the variable of its result, or the array of its results.
  void call_by_reference(ApiOp op) {
    Operation *operation = op.operation();
    const unsigned results = operation->getNumResults();
    const DType type = op.result_type();
    const std::string_view name = variable_of(operation->getLoc());
    results_ = names_.unique(name.empty() ? "result" : name);
    writer_.line(cpp(type) + " " + results_ + (results > 1 ? "[" + std::to_string(results) + "]" : " = 0") + ";");
    for (unsigned k = 0; k < results; ++k)
      values_[operation->getResult(k)] = {results_ + (results > 1 ? "[" + std::to_string(k) + "]" : ""), Level::Primary, type};
    writer_.line(api(op).text + ";");
  }

  /// The text of a form, each `$name` replaced by what `argument(index)` gives.
  template <class Fn>
  static std::string expand(const Row &row, unsigned form, DType first, DType second, Fn argument, std::string_view results = {}) {
    std::string_view pattern = row.forms[form].call;
    std::string text = row.receiver.empty() ? "AscendC::" : "pyasc_";
    for (size_t i = 0; i < pattern.size();) {
      if (pattern[i] != '$') {
        text += pattern[i++];
        continue;
      }
      size_t end = ++i;
      while (end < pattern.size() && (llvm::isAlnum(pattern[end]) || pattern[end] == '_')) ++end;
      std::string_view name = pattern.substr(i, end - i);
      auto arg = std::find_if(row.args.begin(), row.args.end(), [&](const Arg &a) { return a.name == name || a.list == name; });
      text += name == "T"        ? cpp(first)
              : name == "U"      ? cpp(second)
              : name == "result" ? std::string(results)
                                 : argument(unsigned(arg - row.args.begin()));
      i = end;
    }
    return text;
  }

  static std::string member(const Arg &arg, int64_t value) { return member(arg.type, value); }
  static std::string member(std::string_view type, int64_t value) {
    const EnumRow &row = *find_enum(type);
    auto found = std::find_if(row.members.begin(), row.members.end(), [&](const Member &m) { return m.value == value; });
    return (row.ascendc.empty() ? "" : "AscendC::" + std::string(row.ascendc)) + std::string(found->name);
  }

  std::string argument(ApiOp op, unsigned index, DType element) {
    const Arg &arg = op.row().args[index];
    mlir::ValueRange values = op.operands(index);
    if (!arg.list.empty()) return arrays_.at({index, 0});
    switch (arg.kind) {
    case ArgKind::Flag: return op.attribute(index) ? "true" : "false";
    case ArgKind::Constant: return std::to_string(op.attribute(index));
    case ArgKind::Type: return cpp(DType(op.attribute(index)));
    case ArgKind::Enum: return member(arg, op.attribute(index));
    case ArgKind::Number: return scalar(values[0], arg.dtypes.bits ? arg.dtypes.only() : element, Literal::Typed).text;
    case ArgKind::Int: return scalar(values[0], arg.dtypes.only()).text;
    case ArgKind::Mask:
    case ArgKind::List:
    case ArgKind::Structs: return arrays_.at({index, 0});
    case ArgKind::Struct: {
      std::string fields, type;
      for (auto [number, field] : llvm::enumerate(find_struct(arg.type)->fields)) {
        switch (field.kind) {
        case FieldKind::Value: add(fields, scalar(values[0], field.dtype).text); break;
        case FieldKind::Element: add(fields, scalar(values[0], element, Literal::Typed).text); break;
        case FieldKind::List: add(fields, arrays_.at({index, unsigned(number)})); break;
        case FieldKind::Member:
          if (auto constant = llvm::dyn_cast_or_null<mlir::IntegerAttr>(constant_attribute(values[0])))
            add(fields, member(field.type, constant.getInt()));
          else
            add(fields, "(AscendC::" + std::string(field.type) + ")" + at_least(Level::Negative, scalar(values[0], field.dtype)));
          break;
        case FieldKind::Type: type = "<" + cpp(element) + ">"; break;
        case FieldKind::Tensor: break; // an argument of its own
        }
        values = values.drop_front(field.slots());
      }
      return "AscendC::" + std::string(arg.type) + type + "(" + fields + ")";
    }
    default: return text(values[0]);
    }
  }

  /// Masks, other lists, and those of a structure are arrays: they need a name before the call.
  void declare_arrays(ApiOp op) {
    arrays_.clear();
    for (unsigned index = 0; index < op.row().args.size(); ++index) {
      const Arg &arg = op.row().args[index];
      mlir::ValueRange values = op.operands(index);
      if (values.empty()) continue;
      if (!arg.list.empty()) {
        if (index == 0 || op.row().args[index - 1].list != arg.list) declare_tensors(op, index);
      } else if (arg.kind == ArgKind::Mask) {
        declare_array({index, 0}, "mask", DType::UInt64, values);
      } else if (arg.kind == ArgKind::List) {
        declare_array({index, 0}, arg.keyword(), arg.dtypes.only(), values);
      } else if (arg.kind == ArgKind::Structs) {
        declare_structs(index, arg, values);
      } else if (arg.kind == ArgKind::Struct) {
        for (auto [number, field] : llvm::enumerate(find_struct(arg.type)->fields)) {
          if (field.kind == FieldKind::List)
            declare_array({index, unsigned(number)}, field.name, field.dtype, values.take_front(field.slots()));
          values = values.drop_front(field.slots());
        }
      }
    }
  }
  void declare_structs(unsigned index, const Arg &arg, mlir::ValueRange values) {
    const StructRow &type = *find_struct(arg.type);
    const auto size = unsigned(llvm::cast<mlir::IntegerAttr>(constant_attribute(values[0])).getInt());
    std::string items;
    for (unsigned item = 0; item < size; ++item) {
      std::string fields;
      for (unsigned slot = 0; slot < type.slots(); ++slot)
        add(fields, scalar(values[1 + item * type.slots() + slot], type.fields[slot].dtype).text);
      add(items, "{" + fields + "}");
    }
    const std::string unique = names_.unique(arg.keyword());
    writer_.line("AscendC::" + std::string(arg.type) + " " + unique + "[" + std::to_string(size) + "] = {" + items + "};");
    arrays_[{index, 0}] = unique;
  }
  void declare_tensors(ApiOp op, unsigned first) {
    const llvm::ArrayRef<Arg> args(op.row().args.data(), op.row().args.size());
    std::string items;
    unsigned count = 0;
    for (; first + count < args.size() && args[first + count].list == args[first].list; ++count)
      add(items, text(op.operands(first + count)[0]));
    const std::string unique = names_.unique(args[first].list);
    const std::string type = cpp(element_dtype(op.operands(first)[0].getType()));
    writer_.line("AscendC::LocalTensor<" + type + "> " + unique + "[" + std::to_string(count) + "] = {" + items + "};");
    arrays_[{first, 0}] = unique;
  }
  void declare_array(std::pair<unsigned, unsigned> place, std::string_view name, DType dtype, mlir::ValueRange values) {
    std::string items;
    for (Value value : values) {
      mlir::Attribute constant = constant_attribute(value);
      const bool bits = constant && dtype == DType::UInt64;
      add(items, bits ? hex(llvm::cast<mlir::IntegerAttr>(constant).getValue().getZExtValue()) : scalar(value, dtype).text);
    }
    const std::string unique = names_.unique(name);
    writer_.line(cpp(dtype) + " " + unique + "[" + std::to_string(values.size()) + "] = {" + items + "};");
    arrays_[place] = unique;
  }

  void sync(Operation *op, std::string_view row_name, llvm::ArrayRef<std::string> arguments) {
    auto why = op->getAttrOfType<mlir::StringAttr>(kWhy); // inserted
    std::string comment = why ? " // " + why.str() : "";
    std::replace_if(comment.begin(), comment.end(), [](unsigned char c) { return c < ' ' || c == '\\'; }, ' ');
    writer_.line(expand(*find_row(row_name), 0, DType::Void, DType::Void, [&](unsigned arg) { return arguments[arg]; }) + ";" + comment);
  }
  template <class Flag> void flag(std::string_view row_name, Flag op) {
    sync(op, row_name, {member(find_row(row_name)->args[0], op.getEvent()), text(op.getId())});
  }

  template <class Flag> void cross_core(std::string_view row_name, Flag op) {
    sync(op, row_name, {text(op.getFlag()), std::to_string(op.getMode()), member(find_row(row_name)->args[2], op.getPipe())});
  }

  static std::string pointer_call(std::string_view verb, unsigned number) {
    const std::string call = "AscendC::" + std::string(verb);
    if (number == kWorkspacePointer) return call + (verb == "Get" ? "SysWorkSpacePtr" : "SysWorkspace");
    return call + "HcclContext<" + std::to_string(number - kFirstContextPointer) + ">";
  }

  // -------------------------------------------------------------- text

  static std::string quoted(llvm::StringRef text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\')
        (result += '\\') += c;
      else if (c == '\n')
        result += "\\n";
      else if (uint8_t(c) >= 0x20 && uint8_t(c) != 0x7F)
        result += c;
      else // three octal digits, so that none of the text that follows is taken for one
        (((result += '\\') += char('0' + (c >> 6 & 7))) += char('0' + (c >> 3 & 7))) += char('0' + (c & 7));
    }
    return result + "\"";
  }
  /// A format and the first `count` values.
  template <class TextOp> std::string format_arguments(TextOp op, size_t count) {
    std::string arguments = quoted(op.getFormat());
    for (auto [value, dtype] : llvm::zip(op.getValues().take_front(count), op.getDtypes()))
      add(arguments, llvm::isa<AddressType>(value.getType()) ? text(value) : scalar(value, DType(dtype), Literal::Typed).text);
    return arguments;
  }
  void print_op(PrintfOp op) { writer_.line("AscendC::printf(" + format_arguments(op, op.getValues().size()) + ");"); }
  void print_op(AssertOp op) {
    // A macro: a comma would begin its next argument.
    std::string arguments = scalar(op.getCondition(), DType::Bool).text;
    if (arguments.find(',') != arguments.npos) arguments = "(" + arguments + ")";
    if (!op.getFormat().empty()) add(arguments, format_arguments(op, op.getValues().size() - op.getNames().size()));
    writer_.line("assert(" + arguments + ");");
  }

  // -------------------------------------------------------------- the framework

  /// `object.Method<types>(arguments)`.
  Expression method(Value object, std::string_view name, std::initializer_list<std::string> types,
                    std::initializer_list<std::string> arguments, DType result = DType::Void) {
    auto list = [](std::initializer_list<std::string> items) {
      std::string text;
      for (const std::string &item : items) add(text, item);
      return text;
    };
    std::string parameters = types.size() ? "<" + list(types) + ">" : "";
    return {text(object) + "." + std::string(name) + parameters + "(" + list(arguments) + ")", Level::Primary, result};
  }
  static std::string element_text(LocalTensorType tensor) { return cpp(element_dtype(tensor)); }

  Expression framework(Operation *op) {
    return llvm::TypeSwitch<Operation *, Expression>(op)
        .Case([&](ListInitOp o) {
          return method(o.getList(), "Init", {},
                        {text(o.getData()), scalar(o.getLength(), DType::UInt32).text, scalar(o.getCount(), DType::UInt32).text});
        })
        .Case([&](ListSizeOp o) { return method(o.getList(), "GetSize", {}, {}, DType::UInt32); })
        .Case([&](ListDataOp o) { return method(o.getList(), "GetDataPtr", {cpp(element_dtype(o.getType()))}, {text(o.getIndex())}); })
        .Case([&](ListDescOp o) { return method(o.getList(), "GetDesc", {}, {text(o.getDesc()), text(o.getIndex())}); })
        .Case([&](SetShapeAddressOp o) {
          const bool is_array = llvm::isa<ArrayType>(o.getShape().getType());
          return method(o.getDesc(), "SetShapeAddr", {},
                        {is_array ? text(o.getShape()) : "(uint64_t*)" + at_least(Level::Unary, expression(o.getShape()))});
        })
        .Case([&](DescDimOp o) { return method(o.getDesc(), "GetDim", {}, {}, DType::UInt64); })
        .Case([&](DescIndexOp o) { return method(o.getDesc(), "GetIndex", {}, {}, DType::UInt64); })
        .Case([&](DescShapeOp o) { return method(o.getDesc(), "GetShape", {}, {text(o.getIndex())}, DType::Int64); })
        .Case([&](DescDataOp o) { return method(o.getDesc(), "GetDataPtr", {}, {}); })
        .Case([&](DescTensorOp o) { return method(o.getDesc(), "GetDataObj", {}, {}); })
        .Case([&](PipeInitOp o) { return method(o.getPipe(), "Init", {}, {}); })
        .Case([&](PipeResetOp o) { return method(o.getPipe(), "Reset", {}, {}); })
        .Case([&](PipeDestroyOp o) { return method(o.getPipe(), "Destroy", {}, {}); })
        .Case([&](InitQueueOp o) {
          return method(o.getOwner(), "InitBuffer", {}, {text(o.getQueue()), text(o.getNumber()), text(o.getBytes())});
        })
        .Case([&](InitBufOp o) { return method(o.getOwner(), "InitBuffer", {}, {text(o.getBuf()), text(o.getBytes())}); })
        .Case([&](InitPoolOp o) {
          if (!o.getShared()) return method(o.getOwner(), "InitBufPool", {}, {text(o.getPool()), text(o.getBytes())});
          return method(o.getOwner(), "InitBufPool", {}, {text(o.getPool()), text(o.getBytes()), text(o.getShared())});
        })
        .Case([&](ResetPoolOp o) { return method(o.getPool(), "Reset", {}, {}); })
        .Case([&](AllocTensorOp o) { return method(o.getQueue(), "AllocTensor", {element_text(o.getType())}, {}); })
        .Case([&](EnqueOp o) {
          if (!o.getSrc()) return method(o.getQueue(), "EnQue", {}, {text(o.getTensor())});
          return method(o.getQueue(), "EnQue",
                        {position_text(*o.getSrc()), position_text(*o.getDst()), element_text(o.getTensor().getType())},
                        {text(o.getTensor())});
        })
        .Case([&](DequeOp o) {
          if (!o.getSrc()) return method(o.getQueue(), "DeQue", {element_text(o.getType())}, {});
          return method(o.getQueue(), "DeQue", {position_text(*o.getSrc()), position_text(*o.getDst()), element_text(o.getType())}, {});
        })
        .Case([&](DequeInPlaceOp o) { return method(o.getQueue(), "DeQue", {}, {text(o.getTensor())}); })
        .Case([&](FreeTensorOp o) { return method(o.getQueue(), "FreeTensor", {}, {text(o.getTensor())}); })
        .Case([&](FreeAllEventOp o) { return method(o.getQueue(), "FreeAllEvent", {}, {}); })
        .Case([&](QueueStateOp o) {
          static constexpr std::string_view kMethods[] = {"VacantInQue", "HasTensorInQue", "GetTensorCountInQue", "HasIdleBuffer"};
          return method(o.getQueue(), kMethods[o.getQuery()], {}, {}, dtype_of(o.getType()));
        })
        .Case([&](GetBufOp o) {
          std::string element = element_text(o.getType());
          if (!o.getSize()) return method(o.getBuf(), "Get", {element}, {});
          if (!o.getOffset()) return method(o.getBuf(), "Get", {element}, {text(o.getSize())});
          return method(o.getBuf(), "GetWithOffset", {element}, {text(o.getSize()), text(o.getOffset())});
        })
        .Case([&](AllocEventIdOp o) { return method(o.getPipe(), "AllocEventID", {event_text(o.getEvent())}, {}, DType::Int32); })
        .Case([&](FetchEventIdOp o) { return method(o.getPipe(), "FetchEventID", {event_text(o.getEvent())}, {}, DType::Int32); })
        .Case([&](ReleaseEventIdOp o) { return method(o.getPipe(), "ReleaseEventID", {event_text(o.getEvent())}, {text(o.getId())}); })
        .Case([&](BaseAddressOp o) {
          return method(o.getPipe(), "GetBaseAddr", {}, {"(int8_t)" + position_text(o.getPosition())}, DType::Int32);
        })
        .Case([&](AllocateOp o) {
          std::string position = position_text(o.getType().getPosition()), element = element_text(o.getType());
          if (constant_attribute(o.getSize())) return method(o.getAllocator(), "Alloc", {position, element, text(o.getSize())}, {});
          return method(o.getAllocator(), "Alloc", {position, element}, {text(o.getSize())});
        })
        .Case([&](RegisterMatmulOp o) {
          std::string arguments = "&" + text(o.getPipe()) + ", " + text(o.getWorkspace()) + ", " + text(o.getMatmul());
          if (o.getTiling()) arguments += ", &" + text(o.getTiling());
          return Expression{"REGIST_MATMUL_OBJ(" + arguments + ")"};
        })
        .Case([&](MatmulInitOp o) { return method(o.getMatmul(), "Init", {}, {"&" + text(o.getTiling())}); })
        .Case([&](MatmulSetOp o) {
          if (!o.getTranspose()) return method(o.getMatmul(), "SetBias", {}, {text(o.getTensor())});
          return method(o.getMatmul(), o.getWhich() ? "SetTensorB" : "SetTensorA", {},
                        {text(o.getTensor()), scalar(o.getTranspose(), DType::Bool).text});
        })
        .Case([&](MatmulDisableBiasOp o) { return method(o.getMatmul(), "DisableBias", {}, {}); })
        .Case([&](MatmulShapeOp o) {
          static constexpr std::string_view kMethods[] = {"SetOrgShape", "SetSingleShape", "SetTail"};
          std::string sizes;
          for (Value size : o.getSizes()) add(sizes, text(size));
          return method(o.getMatmul(), kMethods[o.getShape()], {}, {sizes});
        })
        .Case([&](MatmulIterateOp o) {
          const Expression partial = scalar(o.getPartialSum(), DType::Bool);
          if (mlir::matchPattern(o.getPartialSum(), mlir::m_Zero())) return method(o.getMatmul(), "Iterate", {}, {}, DType::Bool);
          return method(o.getMatmul(), "Iterate", {}, {partial.text}, DType::Bool);
        })
        .Case([&](MatmulGetOp o) { return store("GetTensorC", o); })
        .Case([&](MatmulIterateAllOp o) { return store("IterateAll", o); })
        .Case([&](MatmulEndOp o) { return method(o.getMatmul(), "End", {}, {}); })
        .Case([&](CurrentAddressOp o) { return method(o.getAllocator(), "GetCurAddr", {}, {}, DType::UInt32); })
        .Default([](Operation *o) -> Expression { throw InternalError("no Ascend C for " + o->getName().getStringRef().str()); });
  }

  template <class Store> Expression store(std::string_view name, Store op) {
    return method(op.getMatmul(), name, {}, {text(op.getTensor()), text(op.getAtomic()), scalar(op.getSequential(), DType::Bool).text});
  }

  std::string declare_object(Value value) {
    std::string_view name = variable_of(value.getLoc());
    return declare(value, name.empty() ? object_name(value.getType()) : name, DType::Void);
  }

  void print_op(AllocTensorOp op) {
    std::string left = declare(op, variable_of(op.getLoc()), DType::Void);
    if (op.getQueue().getType().getDepth() != 0) return writer_.line(left + " = " + framework(op).text + ";");
    writer_.line(left + ";"); // a queue in place
    writer_.line(method(op.getQueue(), "AllocTensor", {element_text(op.getType())}, {text(op)}).text + ";");
  }
  void print_op(StackBufferOp op) {
    writer_.line(declare(op, variable_of(op.getLoc()), DType::Void) + ";");
    writer_.line("AscendC::PopStackBuffer<" + element_text(op.getType()) + ", " + position_text(op.getType().getPosition()) + ">(" +
                 text(op) + ");");
  }
  /// Another tensor, so that what the first one is stays as it is.
  void print_op(ResizeOp op) {
    const std::string from = text(op.getTensor());
    writer_.line(declare(op, variable_of(op.getLoc()), DType::Void) + " = " + from + ";");
    writer_.line(method(op, op.getBytes() ? "SetBufferLen" : "SetSize", {}, {text(op.getSize())}).text + ";");
  }
  void print_op(ShiftOp op) {
    const std::string from = text(op.getTensor());
    writer_.line(declare(op, variable_of(op.getLoc()), DType::Void) + ";");
    writer_.line(method(op, "SetAddrWithOffset", {}, {from, text(op.getIndex())}).text + ";");
  }
  void print_op(PipePtrOp op) {
    std::string name = names_.unique(variable_of(op.getLoc()).empty() ? "pipe" : variable_of(op.getLoc()));
    writer_.line("AscendC::TPipe& " + name + " = *AscendC::GetTPipePtr();");
    values_[op] = {name};
  }

  // -------------------------------------------------------------- objects of the scalar unit

  template <class FieldOp> std::string field_text(FieldOp op) {
    return text(op.getStructure()) + "." + Structures::field(op.getStructure().getType(), op.getIndex());
  }
  /// `{1, {2, 3}}`, from the front of `values`.
  std::string initialiser(StructType type, mlir::ValueRange &values) {
    std::string items;
    for (unsigned i = 0; i < type.size(); ++i) {
      if (auto inner = llvm::dyn_cast<StructType>(type.field(i))) {
        add(items, initialiser(inner, values));
        continue;
      }
      add(items, scalar(values.front(), dtype_of(type.field(i))).text);
      values = values.drop_front();
    }
    return "{" + items + "}";
  }
  void print_op(StructOp op) {
    mlir::ValueRange values = op.getValues();
    std::string items = initialiser(op.getType(), values);
    writer_.line(declare_object(op) + " = " + items + ";");
  }

  void print_op(ArrayOp op) {
    DType dtype = element_dtype(op.getType());
    mlir::ValueRange values = op.getValues();
    const unsigned length = op.getType().getLength();
    std::string items, fill = values.size() == 1 ? scalar(values[0], dtype).text : "";
    const bool zeros =
        values.size() == 1 && (mlir::matchPattern(values[0], mlir::m_Zero()) || mlir::matchPattern(values[0], mlir::m_PosZeroFloat()));
    if (values.size() == length)
      for (Value value : values) add(items, scalar(value, dtype).text);
    std::string array = declare_object(op);
    if (zeros || values.size() == length) array += " = {" + (zeros ? std::string() : items) + "}";
    writer_.line(array + ";");
    if (zeros || values.size() == length || values.empty()) return;
    std::string i = names_.unique("i");
    writer_.line("for (uint32_t " + i + " = 0; " + i + " < " + std::to_string(length) + "; ++" + i + ") " + text(op) + "[" + i +
                 "] = " + fill + ";");
  }
  void print_op(ShapeInfoOp op) {
    std::string arguments;
    for (Value shape : op.getShapes()) {
      auto type = llvm::cast<ArrayType>(shape.getType());
      const bool is_signed = element_dtype(type) == DType::Int32;
      add(arguments, std::to_string(type.getLength()) + ", " + (is_signed ? "(uint32_t*)" : "") + text(shape));
    }
    add(arguments, "AscendC::DataFormat::" + std::string(find_enum("DataFormat")->members[op.getFormat()].name));
    writer_.line(declare_object(op) + (op.getShapes().empty() ? ";" : "(" + arguments + ");"));
  }

  // -------------------------------------------------------------- statements

  void block(mlir::Block &block) {
    for (Operation &op : block) {
      if (is_inlined(&op) || op.hasTrait<mlir::OpTrait::IsTerminator>() || llvm::isa<RoundOp>(op)) continue;
      writer_.from(span_of(op.getLoc()));
      statement(&op);
    }
  }

  void statement(Operation *op) {
    if (ApiOp::is(op)) declare_arrays(ApiOp(op));
    if (ApiOp::is(op) && sets_results(ApiOp(op))) return call_by_reference(ApiOp(op));
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](SetValueOp o) {
          DType type = element_dtype(o.getTensor().getType());
          writer_.line(text(o.getTensor()) + ".SetValue(" + text(o.getIndex()) + ", " + scalar(o.getValue(), type, Literal::Typed).text +
                       ");");
        })
        .Case([&](SetFlagOp o) { flag("set_flag", o); })
        .Case([&](WaitFlagOp o) { flag("wait_flag", o); })
        .Case([&](PipeBarrierOp o) { sync(o, "pipe_barrier", {member(find_row("pipe_barrier")->args[0], o.getPipe())}); })
        .Case([&](SetL2CacheHintOp o) {
          writer_.line(text(o.getTensor()) + ".SetL2CacheHint<" + member("CacheRwMode", o.getRw()) + ">(" +
                       member("CacheMode", o.getMode()) + ");");
        })
        .Case([&](DataSyncBarrierOp o) { sync(o, "data_sync_barrier", {member(find_row("data_sync_barrier")->args[0], o.getKind())}); })
        .Case([&](SetPointerOp o) {
          const Expression address = expression(o.getAddress());
          const bool bytes = element_dtype(o.getAddress().getType()) == DType::UInt8;
          writer_.line(pointer_call("Set", o.getNumber()) + "(" + (bytes ? address.text : "(GM_ADDR)" + at_least(Level::Unary, address)) +
                       ");");
        })
        .Case([&](CrossCoreSetFlagOp o) { cross_core("cross_core_set_flag", o); })
        .Case([&](CrossCoreWaitFlagOp o) { cross_core("cross_core_wait_flag", o); })
        .Case([&](TrapOp o) { sync(o, "trap", {}); })
        .Case<PrintfOp, AssertOp>([&](auto o) { print_op(o); })
        .Case([&](ToFileOp o) {
          unit_.need("pyasc_ToFile");
          writer_.line("pyasc_ToFile(" + text(o.getTensor()) + ", " + quoted(o.getFile()) + ");");
        })
        .Case<PipeOp, QueueOp, BufOp, BufPoolOp, AllocatorOp, TensorListOp, TensorDescOp>(
            [&](auto o) { writer_.line(declare_object(o) + ";"); })
        .Case([&](MatmulOp o) {
          if (o.getType().getOrder() != 2) unit_.need("pyasc_matmul_config");
          writer_.line(declare_object(o) + ";");
        })
        .Case<PipePtrOp, AllocTensorOp, StackBufferOp, ResizeOp, ShiftOp, ArrayOp, ShapeInfoOp, StructOp>([&](auto o) { print_op(o); })
        .Case([&](CopyStructOp o) {
          std::string from = text(o.getStructure());
          writer_.line(declare_object(o) + " = " + from + ";");
        })
        .Case([&](MemberOp o) { values_[o] = {field_text(o)}; }) // a place, not a value
        .Case([&](SetFieldOp o) {
          DType type = dtype_of(o.getStructure().getType().field(o.getIndex()));
          writer_.line(field_text(o) + " = " + scalar(o.getValue(), type).text + ";");
        })
        .Case([&](SetElementOp o) {
          DType type = element_dtype(o.getArray().getType());
          writer_.line(text(o.getArray()) + "[" + text(o.getIndex()) + "] = " + scalar(o.getValue(), type).text + ";");
        })
        .Case<LocalTensorOp, GlobalTensorOp, scf::ForOp, scf::WhileOp, scf::IfOp, mlir::func::CallOp>([&](auto o) { print_op(o); })
        .Default([&](Operation *o) {
          Expression value = compute(o);
          if (o->getNumResults() == 0) {
            writer_.line(value.text + ";");
          } else {
            std::string left = declare(o->getResult(0), variable_of(o->getLoc()), value.type);
            writer_.line(left + " = " + value.text + ";");
          }
        });
  }

  void print_op(LocalTensorOp op) {
    std::string arguments = "(AscendC::TPosition::" + std::string(name(Position(op.getType().getPosition()))) + ", " +
                            text(op.getAddress()) + ", " + text(op.getSize()) + ");";
    writer_.line(declare(op, variable_of(op.getLoc()), DType::Void) + arguments);
  }

  void print_op(GlobalTensorOp op) {
    std::string arguments = text(op.getAddress()) + (op.getSize() ? ", " + text(op.getSize()) : "");
    writer_.from({}); // the declaration belongs to no line of its own
    writer_.line(declare(op, variable_of(op.getLoc()), DType::Void) + ";");
    writer_.from(span_of(op.getLoc()));
    writer_.line(text(op) + ".SetGlobalBuffer(" + arguments + ");");
  }

  void print_op(mlir::func::CallOp op) {
    auto callee = module_.lookupSymbol<FuncOp>(op.getCallee());
    std::string arguments;
    for (Value operand : op.getOperands())
      add(arguments, constant_attribute(operand) ? scalar(operand, dtype_of(operand.getType()), Literal::Typed).text : text(operand));
    if (op.getNumResults() == 1) {
      std::string left = declare(op.getResult(0), variable_of(op.getLoc()), dtype_of(op.getResult(0).getType()));
      return writer_.line(left + " = " + unit_.functions.at(callee) + "(" + arguments + ");");
    }
    for (Value result : op.getResults()) {
      writer_.line(declare(result, {}, dtype_of(result.getType())) + ";");
      add(arguments, text(result));
    }
    writer_.from(span_of(op.getLoc()));
    writer_.line(unit_.functions.at(callee) + "(" + arguments + ");");
  }

  // -------------------------------------------------------------- control flow

  struct Assignment {
    Value target; // its variable
    Value value;
  };

  /// Whether `name` is a word of `text`.
  static bool mentions(llvm::StringRef text, llvm::StringRef name) {
    auto is_word = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    for (size_t at = text.find(name); at != llvm::StringRef::npos; at = text.find(name, at + 1))
      if ((at == 0 || !is_word(text[at - 1])) && (at + name.size() == text.size() || !is_word(text[at + name.size()]))) return true;
    return false;
  }

  /// Assigns all at once: no value sees another one's new variable.
  void assign(llvm::ArrayRef<Assignment> assignments) {
    struct Pending {
      std::string left, type, right;
      Span span;
    };
    std::vector<Pending> pending;
    for (const Assignment &a : assignments) {
      Expression target = expression(a.target);
      DType type = dtype_of(a.target.getType());
      Expression value = type == DType::Void ? expression(a.value) : scalar(a.value, target.type);
      if (value.text != target.text)
        pending.push_back({target.text, type_text(a.target.getType(), target.type), value.text, span_of(a.value.getLoc())});
    }
    while (!pending.empty()) {
      auto ready = std::find_if(pending.begin(), pending.end(), [&](const Pending &p) {
        return std::none_of(pending.begin(), pending.end(), [&](const Pending &q) { return &p != &q && mentions(q.right, p.left); });
      });
      if (ready == pending.end()) break;
      writer_.from(ready->span);
      writer_.line(ready->left + " = " + ready->right + ";");
      pending.erase(ready);
    }
    for (Pending &p : pending) {
      std::string next = names_.unique("next_" + p.left);
      writer_.from(p.span);
      writer_.line(p.type + " " + next + " = " + p.right + ";");
      p.right = next;
    }
    for (const Pending &p : pending) {
      writer_.from(p.span);
      writer_.line(p.left + " = " + p.right + ";");
    }
  }
  void assign(mlir::ValueRange targets, mlir::ValueRange values) {
    llvm::SmallVector<Assignment> assignments;
    for (auto [target, value] : llvm::zip_equal(targets, values)) assignments.push_back({target, value});
    assign(assignments);
  }

  /// Type of the variable for a value that changes: that of what it starts with.
  DType variable_type(Value variable, Value first) {
    DType type = dtype_of(variable.getType());
    return type == DType::Void || constant_attribute(first) ? type : expression(first).type;
  }

  /// The variable that a value is assigned to; of a result of a conditional, that in one of its branches.
  static std::string_view name_of(Value value) {
    std::string_view name = variable_of(value.getLoc());
    if (auto conditional = value.getDefiningOp<scf::IfOp>())
      for (scf::YieldOp yield : {conditional.thenYield(), conditional.elseYield()}) {
        Value given = yield.getOperand(llvm::cast<mlir::OpResult>(value).getResultNumber());
        const bool inside = given.getParentBlock() == yield->getBlock(); // each branch is looked at once
        if (name.empty()) name = inside ? name_of(given) : variable_of(given.getLoc());
      }
    return name;
  }

  /// Variables that change from round to round; `nexts` are the values at the end of a round. Passes may have lost the name of one of the
  /// three.
  void declare_carried(mlir::ValueRange variables, mlir::ValueRange inits, mlir::ValueRange nexts) {
    for (auto [variable, init, next] : llvm::zip_equal(variables, inits, nexts)) {
      DType type = variable_type(variable, init);
      std::string value = type == DType::Void ? text(init) : scalar(init, type).text;
      std::string_view name;
      for (Value named : {variable, next, init})
        if (name.empty()) name = name_of(named);
      writer_.line(declare(variable, name, type) + " = " + value + ";");
    }
  }

  void print_op(scf::ForOp op) {
    Span span = span_of(op.getLoc());
    DType type = dtype_of(op.getInductionVar().getType());
    declare_carried(op.getRegionIterArgs(), op.getInitArgs(), op.getYieldedValues());
    std::string lower = scalar(op.getLowerBound(), type).text;
    std::string_view name = variable_of(op.getInductionVar().getLoc());
    std::string start = declare(op.getInductionVar(), name.empty() ? "i" : name, type) + " = " + lower;
    std::string counter = text(op.getInductionVar());
    std::string test = counter + " < " + at_least(Level::Shift, scalar(op.getUpperBound(), type));
    bool by_one = mlir::matchPattern(op.getStep(), mlir::m_One());
    std::string step = by_one ? "++" + counter : counter + " += " + scalar(op.getStep(), type).text;
    writer_.from(span);
    writer_.open("for (" + start + "; " + test + "; " + step + ") {");
    block(*op.getBody());
    assign(op.getRegionIterArgs(), op.getYieldedValues());
    writer_.close();
    for (auto [result, variable] : llvm::zip_equal(op.getResults(), op.getRegionIterArgs())) values_[result] = expression(variable);
  }

  void print_op(scf::WhileOp op) {
    Span span = span_of(op.getLoc());
    mlir::Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
    scf::ConditionOp condition = op.getConditionOp();
    declare_carried(before.getArguments(), op.getInits(), op.getYieldOp().getOperands());
    // What the test computes and hands on needs a variable that outlives it; the rest stays where it is.
    llvm::SmallVector<Value> handed, computed;
    for (auto [value, argument] : llvm::zip_equal(condition.getArgs(), after.getArguments())) {
      if (!value.getDefiningOp() || value.getDefiningOp()->getBlock() != &before) continue;
      writer_.line(declare(argument, variable_of(argument.getLoc()), dtype_of(argument.getType())) + ";");
      handed.push_back(argument), computed.push_back(value);
    }
    bool simple = handed.empty() && llvm::all_of(before.without_terminator(), [&](Operation &o) { return is_inlined(&o); });
    writer_.from(span);
    if (simple) {
      writer_.open("while (" + scalar(condition.getCondition(), DType::Bool).text + ") {");
    } else {
      writer_.open("while (true) {");
      block(before);
      assign(handed, computed);
      writer_.from(span);
      writer_.line("if (" + unary("!", scalar(condition.getCondition(), DType::Bool)).text + ") break;");
    }
    for (auto [value, argument, result] : llvm::zip_equal(condition.getArgs(), after.getArguments(), op.getResults())) {
      Expression place = llvm::is_contained(handed, argument) ? expression(argument) : expression(value);
      values_[argument] = place;
      values_[result] = place;
    }
    block(after);
    assign(before.getArguments(), op.getYieldOp().getOperands());
    writer_.close();
  }

  void print_op(scf::IfOp op) {
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      if (values_.contains(result)) continue; // an enclosing conditional has lent its variable
      writer_.line(declare(result, name_of(result), dtype_of(result.getType())) + ";");
    }
    writer_.from(span_of(op.getLoc()));
    writer_.open("if (" + scalar(op.getCondition(), DType::Bool).text + ") {");
    branches(op);
  }

  /// From behind the opening brace of the condition to the closing one of the last branch.
  void branches(scf::IfOp op) {
    branch(op, op.thenBlock());
    mlir::Block *otherwise = op.elseBlock();
    if (!otherwise || (otherwise->without_terminator().empty() && op.getNumResults() == 0)) return writer_.close();
    if (scf::IfOp next = only_conditional(otherwise)) {
      lend(op, otherwise);
      if (next->getNumResults() == llvm::count_if(next.getResults(), [&](Value v) { return values_.contains(v); })) {
        writer_.close_and_open("} else if (" + scalar(next.getCondition(), DType::Bool).text + ") {");
        return branches(next);
      }
    }
    writer_.close_and_open("} else {");
    branch(op, otherwise);
    writer_.close();
  }

  void branch(scf::IfOp op, mlir::Block *body) {
    lend(op, body);
    block(*body);
    assign(op.getResults(), body->getTerminator()->getOperands());
  }

  /// The results of conditionals that the branch just hands on share the variables of `op`.
  void lend(scf::IfOp op, mlir::Block *body) {
    for (auto [result, value] : llvm::zip_equal(op.getResults(), body->getTerminator()->getOperands()))
      if (auto inner = value.getDefiningOp<scf::IfOp>(); inner && inner->getBlock() == body && value.hasOneUse())
        values_.try_emplace(value, expression(result));
  }

  /// The conditional that is all a block consists of.
  scf::IfOp only_conditional(mlir::Block *block) {
    scf::IfOp found;
    for (Operation &op : block->without_terminator()) {
      if (is_inlined(&op)) continue;
      auto conditional = llvm::dyn_cast<scf::IfOp>(op);
      if (!conditional || found) return {};
      found = conditional;
    }
    if (found && found->getNumResults() != block->getTerminator()->getNumOperands()) return {};
    return found;
  }

  Unit &unit_;
  Writer &writer_;
  mlir::ModuleOp module_;
  Names names_;
  llvm::DenseMap<Value, Expression> values_; // variables, and values that need no variable
  llvm::DenseMap<Operation *, unsigned> depths_;
  std::map<std::pair<unsigned, unsigned>, std::string> arrays_; // of the call: by argument and field
  std::string results_;                                         // of the call: the variable or array that it sets
  std::vector<std::string> outputs_;                            // reference parameters for several results
};

/// Device functions that `body` calls, callees first.
void collect(mlir::ModuleOp module, Operation *body, llvm::SmallVectorImpl<FuncOp> &done, llvm::SmallVectorImpl<FuncOp> &open) {
  body->walk([&](mlir::func::CallOp call) {
    auto callee = module.lookupSymbol<FuncOp>(call.getCallee());
    if (!callee || callee.isExternal()) throw InternalError("call of an unknown device function " + call.getCallee().str());
    if (llvm::is_contained(open, callee)) throw InternalError("device function " + call.getCallee().str() + " calls itself");
    if (llvm::is_contained(done, callee)) return;
    open.push_back(callee);
    collect(module, callee, done, open);
    open.pop_back();
    done.push_back(callee);
  });
}

/// A kernel with memory of its own choice resets the registers itself; with a TPipe the constructor does it.
bool resets_registers(mlir::ModuleOp module) {
  bool own_memory = false, done = false;
  module.walk([&](Operation *op) {
    own_memory |= llvm::isa<LocalTensorOp, AllocatorOp>(op);
    done |= llvm::isa<PipeOp>(op) || op->getName().stripDialect() == "init_soc_state";
  });
  return own_memory && !done;
}

/// The device compiler leaves PrintTimeStamp out unless a macro asks for it.
bool prints_time_stamps(mlir::ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return ApiOp::is(op) && ApiOp(op).row().tells == Tells::TimeStamp ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

std::string to_ascendc(mlir::ModuleOp module, const AscendCOptions &options) {
  auto kernels = module.getOps<KernelOp>();
  if (kernels.empty()) throw InternalError("the module has no kernel");
  KernelOp kernel = *kernels.begin();
  llvm::SmallVector<FuncOp> functions, open;
  collect(module, kernel, functions, open);

  Writer writer(options.line_directives, span_of(kernel.getLoc()).file);
  Unit unit{writer, {}, {}};
  Names names;
  names.unique(kernel.getSymName().str());
  for (FuncOp function : functions) unit.structures.add_all(function, names);
  unit.structures.add_all(kernel, names);
  for (FuncOp function : functions) unit.functions[function] = names.unique(function.getSymName().str());
  for (FuncOp function : functions) {
    FunctionPrinter(unit, module).print(function);
    writer.line("");
  }
  FunctionPrinter(unit, module).print(kernel, resets_registers(module));

  std::string text = "// Ascend C of the kernel " + kernel.getSymName().str() + ", made by pyasc.\n";
  if (prints_time_stamps(module)) text += "#define ASCENDC_TIME_STAMP_ON\n";
  const bool multiplies = module.walk([](MatmulOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  if (multiplies && kernel.kernel_type() == KernelType::AIC_ONLY) text += "#define ASCENDC_CUBE_ONLY\n";
  text += "#include \"kernel_operator.h\"\n" + unit.structures.includes(multiplies ? "lib/matmul_intf.h" : "") + "\n";
  for (const Helper &helper : kHelpers)
    if (unit.helpers.contains(helper.name)) text += std::string(helper.text) + "\n";
  return text + unit.structures.definitions() + writer.take();
}

} // namespace asc
