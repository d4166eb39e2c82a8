// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promotion, conversion and operators (design: static values follow Python, run-time ints floor, floats are float32 unless typed).
#include "frontend/arithmetic.h"
#include "frontend/functions.h"
#include "frontend/printing.h"
#include "frontend/structures.h"
#include "frontend/suspicious.h"

#include "dialect/scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

namespace asc {

namespace arith = mlir::arith;

// ---------------------------------------------------------------- static numbers

static bool is_numpy_scalar(nb::handle object) {
  std::string_view type(Py_TYPE(object.ptr())->tp_name);
  return type.starts_with("numpy.") && type != "numpy.ndarray";
}

std::optional<Number> number_of(nb::handle object) {
  PyObject *p = object.ptr();
  if (PyBool_Check(p)) return Number{Number::Kind::Bool, p == Py_True};
  if (PyFloat_Check(p)) return Number{Number::Kind::Float, 0, true, PyFloat_AS_DOUBLE(p)};
  nb::object converted;
  if (!PyLong_Check(p)) {
    if (!is_numpy_scalar(object)) return std::nullopt;
    std::string_view type(Py_TYPE(p)->tp_name);
    if (type.starts_with("numpy.bool")) return Number{Number::Kind::Bool, PyObject_IsTrue(p)};
    if (type.starts_with("numpy.float")) {
      converted = nb::steal(PyNumber_Float(p));
      if (!converted) throw nb::python_error();
      return Number{Number::Kind::Float, 0, true, PyFloat_AS_DOUBLE(converted.ptr())};
    }
    if (!PyIndex_Check(p)) return std::nullopt;
    converted = nb::steal(PyNumber_Index(p));
    if (!converted) throw nb::python_error();
    p = converted.ptr();
  }
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(p, &overflow);
  if (!overflow) return Number{Number::Kind::Int, value};
  if (overflow > 0) {
    unsigned long long wide = PyLong_AsUnsignedLongLong(p);
    if (!PyErr_Occurred()) return Number{Number::Kind::Int, wide};
    PyErr_Clear();
  }
  double real = PyLong_AsDouble(p);
  if (PyErr_Occurred()) PyErr_Clear(), real = overflow * HUGE_VAL;
  return Number{Number::Kind::Int, overflow, false, real};
}

static std::pair<__int128, __int128> range_of(DType dtype) {
  unsigned bits = dtype == DType::Bool ? 1 : 8 * size_of(dtype);
  bool is_signed = info(dtype).is_signed;
  return is_signed ? std::pair(-(__int128(1) << (bits - 1)), (__int128(1) << (bits - 1)) - 1)
                   : std::pair(__int128(0), (__int128(1) << bits) - 1);
}

bool fits(const Number &number, DType dtype) {
  if (info(dtype).is_float) return true;
  if (number.kind == Number::Kind::Float || !number.fits) return false;
  auto [low, high] = range_of(dtype);
  return number.integer >= low && number.integer <= high;
}

DType default_dtype(const Compilation &c, const Number &number) {
  if (number.kind == Number::Kind::Bool) return DType::Bool;
  if (number.kind == Number::Kind::Float) return DType::Float32;
  for (DType dtype : {DType::Int32, DType::Int64, DType::UInt64})
    if (fits(number, dtype)) return dtype;
  throw c.error("T101", "an int of more than 64 bits has no run-time type", "keep it a value known while compiling, or make it smaller");
}

// ---------------------------------------------------------------- promotion

static DType as_arithmetic(DType dtype) { return dtype == DType::Bool ? DType::Int32 : dtype; }

DType promote(const Compilation &c, DType a, DType b) {
  if (a == b) return a;
  a = as_arithmetic(a), b = as_arithmetic(b);
  if (a == b) return a;
  if (info(a).is_float != info(b).is_float) {
    DType real = info(a).is_float ? a : b;
    return size_of(real) < size_of(DType::Float32) ? DType::Float32 : real;
  }
  if (size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  if (info(a).is_float) return DType::Float32; // float16 with bfloat16
  switch (size_of(a)) {
  case 1: return DType::Int16;
  case 2: return DType::Int32;
  case 4: return DType::Int64;
  default:
    throw c.error("T102", "int64 and uint64 have no common type",
                  "convert one of them: x.cast(asc.int64) if it is below 2**63, else y.cast(asc.uint64)");
  }
}

DType promote(const Compilation &c, DType a, const Number &literal) {
  if (literal.kind == Number::Kind::Float) return info(a).is_float ? a : DType::Float32;
  if (a != DType::Bool) return a;
  return literal.kind == Number::Kind::Bool ? DType::Bool : default_dtype(c, literal);
}

std::optional<DType> common_dtype(const Compilation &c, nb::handle a, nb::handle b) {
  auto *x = as<PlainValue>(a), *y = as<PlainValue>(b);
  if (x && y) return promote(c, x->dtype, y->dtype);
  if (x || y) {
    std::optional<Number> literal = number_of(x ? b : a);
    if (!literal) return std::nullopt;
    return promote(c, x ? x->dtype : y->dtype, *literal);
  }
  std::optional<Number> m = number_of(a), n = number_of(b);
  if (!m || !n) return std::nullopt;
  return promote(c, default_dtype(c, *m), default_dtype(c, *n));
}

// ---------------------------------------------------------------- conversion

uint64_t scalar_bits(const Number &number, DType dtype) {
  if (number.kind == Number::Kind::Float || !number.fits) return cast_scalar(std::bit_cast<uint64_t>(number.real), DType::Float64, dtype);
  return cast_scalar(uint64_t(number.integer), number.integer > INT64_MAX ? DType::UInt64 : DType::Int64, dtype);
}

mlir::Value int_constant(Compilation &c, int64_t value, DType dtype) {
  return c.ops.create<arith::ConstantOp>(c.loc(), c.ops.getIntegerAttr(scalar_type(c.context, dtype), value));
}

mlir::Value constant(Compilation &c, const Number &number, DType dtype) {
  return c.ops.create<arith::ConstantOp>(c.loc(), constant_from(scalar_bits(number, dtype), scalar_type(c.context, dtype)));
}

static mlir::Value compare_ir(Compilation &c, Syntax op, mlir::Value a, mlir::Value b, DType dtype);

/// Whether `to` holds every value of `from`; only integers can be out of range.
static bool holds(DType to, DType from) {
  const auto integer = [](DType d) { return !info(d).is_float && d != DType::Bool; };
  if (!integer(from) || !integer(to)) return true;
  auto [low, high] = range_of(from);
  auto [least, most] = range_of(to);
  return low >= least && high <= most;
}

static mlir::Value cast(Compilation &c, mlir::Value value, DType from, DType to, bool checked) {
  if (from == to) return value;
  if (to == DType::Bool) return compare_ir(c, Syntax::NotEq, value, constant(c, Number{Number::Kind::Int, 0}, from), from);
  auto op = c.ops.create<ConvertOp>(c.loc(), scalar_type(c.context, to), value, int32_t(from), int32_t(to));
  op.setChecked(checked && !holds(to, from));
  return op;
}
mlir::Value cast(Compilation &c, mlir::Value value, DType from, DType to) { return cast(c, value, from, to, /*checked=*/false); }

mlir::Value convert(Compilation &c, nb::handle value, DType dtype, std::string_view what) {
  if (auto *plain = as<PlainValue>(value)) {
    if (info(plain->dtype).is_float && !info(dtype).is_float && dtype != DType::Bool)
      c.warn("T201",
             std::string(what) + " is " + describe(value) + " and becomes an " + std::string(name(dtype)) + ": its fraction is dropped",
             "write int(...) to say that this is meant");
    return cast(c, c.use(*plain), plain->dtype, dtype, /*checked=*/true);
  }
  std::optional<Number> number = number_of(value);
  if (!number) throw c.error("T103", std::string(what) + " is " + describe(value) + ", expected a number", help_for(value));
  if (number->kind == Number::Kind::Float && !info(dtype).is_float && dtype != DType::Bool) {
    double whole = std::trunc(number->real);
    if (whole != number->real)
      c.warn("T201",
             std::string(what) + " is " + describe(value) + " and becomes an " + std::string(name(dtype)) + ": the fraction is dropped",
             "write int(...) to say that this is meant");
    if (!(std::fabs(whole) < 1.9e19)) number->fits = false;
    number = Number{Number::Kind::Int, number->fits ? __int128(whole) : 0, number->fits, whole};
  }
  if (dtype != DType::Bool && !fits(*number, dtype)) {
    auto [low, high] = range_of(dtype);
    std::string least = low < 0 ? std::to_string(int64_t(low)) : "0", most = high < 0 ? "" : std::to_string(uint64_t(high));
    throw c.error("T101",
                  std::string(what) + " is " + describe(value) + ", which " + std::string(name(dtype)) + " cannot hold (" + least + " to " +
                      most + ")",
                  "use a number in that range, or a wider type: asc.number(value, dtype), x.cast(dtype)");
  }
  return constant(c, *number, dtype);
}

mlir::Value convert_argument(Compilation &c, nb::handle value, DType dtype, std::string_view what) {
  // The words of a mask are bits: a signed -1 stands for all of them.
  if (auto *plain = as<PlainValue>(value); plain && dtype == DType::UInt64) return cast(c, c.use(*plain), plain->dtype, dtype);
  return convert(c, value, dtype, what);
}

Index index(Compilation &c, nb::handle value, std::string_view what) {
  if (auto *plain = as<PlainValue>(value)) {
    if (info(plain->dtype).is_float)
      throw c.error("T103", std::string(what) + " is " + describe(value) + ", expected an int",
                    "convert it: x.cast(asc.int32), or use // instead of /");
    // Tensors and loops read their integers as signed ones.
    bool wide = size_of(plain->dtype) == 8 || plain->dtype == DType::UInt32;
    DType dtype = wide ? DType::Int64 : DType::Int32;
    return {cast(c, c.use(*plain), plain->dtype, dtype, /*checked=*/true), dtype, std::nullopt};
  }
  std::optional<Number> number = number_of(value);
  if (!number || number->kind == Number::Kind::Float)
    throw c.error("T103", std::string(what) + " is " + describe(value) + ", expected an int",
                  number ? "write int(...), or use // instead of /" : help_for(value));
  if (!fits(*number, DType::Int64)) throw c.error("T101", std::string(what) + " is " + describe(value) + ", which int64 cannot hold");
  DType dtype = fits(*number, DType::Int32) ? DType::Int32 : DType::Int64;
  return {int_constant(c, int64_t(number->integer), dtype), dtype, int64_t(number->integer)};
}

// ---------------------------------------------------------------- static operators, bounded

static constexpr size_t kMaxBits = 1 << 16, kMaxElements = 1 << 20;

static size_t bits_of(nb::handle number) {
  Number n = *number_of(number);
  if (n.fits) return n.integer == 0 ? 1 : 64;
  return PyLong_Check(number.ptr()) ? _PyLong_NumBits(number.ptr()) : 64;
}

static DiagnosticError too_long(const Compilation &c) {
  return c.error("L203", "this sequence has more than " + std::to_string(kMaxElements) + " elements",
                 "sequences live while compiling; data that the kernel works on belongs into arrays and tensors");
}

static void check_size(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  bool ints = PyLong_Check(lhs.ptr()) && PyLong_Check(rhs.ptr());
  if (ints && (op == Syntax::Pow || op == Syntax::LShift || op == Syntax::Mult)) {
    Number base = *number_of(lhs), n = *number_of(rhs);
    bool trivial = base.fits && base.integer >= -1 && base.integer <= 1 && op == Syntax::Pow;
    bool too_large = false;
    if (op == Syntax::Mult) too_large = bits_of(lhs) + bits_of(rhs) > kMaxBits;
    if (op == Syntax::LShift) too_large = base.integer != 0 && (!n.fits ? n.integer > 0 : n.integer > __int128(kMaxBits));
    if (op == Syntax::Pow) {
      size_t bits = base.fits ? 0 : bits_of(lhs);
      if (base.fits)
        for (__int128 b = base.integer < 0 ? -base.integer : base.integer; b; b >>= 1) ++bits;
      too_large = !trivial && (!n.fits ? n.integer > 0 : n.integer > 0 && bits * n.integer > kMaxBits);
    }
    if (too_large)
      throw c.error("L203", "this int has more than " + std::to_string(kMaxBits) + " bits",
                    "keep ints small, as pow(x, y, m) does, or compute it on the host: what is known while compiling is bounded");
  }
  if (op == Syntax::Mod && PyUnicode_Check(lhs.ptr())) check_widths(c, text(lhs), rhs);
  if (op != Syntax::Mult) return;
  nb::handle sequence = PySequence_Check(lhs.ptr()) ? lhs : PySequence_Check(rhs.ptr()) ? rhs : nb::handle();
  if (!sequence.ptr()) return;
  std::optional<Number> times = number_of(sequence.is(lhs) ? rhs : lhs);
  Py_ssize_t length = PySequence_Size(sequence.ptr());
  if (length < 0) PyErr_Clear();
  if (times && length > 0 && (!times->fits || times->integer * length > __int128(kMaxElements)) && times->integer > 0) throw too_long(c);
}

void check_widths(const Compilation &c, std::string_view format, nb::handle values) {
  bool computed = false; // a width is one of the values: {:{}}, %*d
  size_t number = 0;
  for (size_t i = 0, in_spec = 0; i < format.size(); ++i) {
    const char letter = format[i];
    number = letter >= '0' && letter <= '9' ? std::min(10 * number + size_t(letter - '0'), 2 * kMaxElements) : 0;
    if (number > kMaxElements) throw too_long(c);
    computed |= letter == '*' || (letter == '{' && in_spec);
    in_spec = letter == ':' || (in_spec && letter != '}');
  }
  if (!computed || !PySequence_Check(values.ptr())) return;
  for (nb::handle value : values)
    if (std::optional<Number> size = number_of(value); size && (!size->fits || size->integer > __int128(kMaxElements))) throw too_long(c);
}

nb::object bounded(const Compilation &c, nb::object value) {
  if (!PyUnicode_Check(value.ptr()) && !PyBytes_Check(value.ptr()) && !PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr()))
    return value;
  if (PyObject_Size(value.ptr()) > Py_ssize_t(kMaxElements)) throw too_long(c);
  return value;
}

static nb::object static_binary(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  check_size(c, op, lhs, rhs);
  PyObject *result = nullptr;
  switch (op) {
  case Syntax::Add: result = PyNumber_Add(lhs.ptr(), rhs.ptr()); break;
  case Syntax::Sub: result = PyNumber_Subtract(lhs.ptr(), rhs.ptr()); break;
  case Syntax::Mult: result = PyNumber_Multiply(lhs.ptr(), rhs.ptr()); break;
  case Syntax::MatMult: result = PyNumber_MatrixMultiply(lhs.ptr(), rhs.ptr()); break;
  case Syntax::Div: result = PyNumber_TrueDivide(lhs.ptr(), rhs.ptr()); break;
  case Syntax::Mod: result = PyNumber_Remainder(lhs.ptr(), rhs.ptr()); break;
  case Syntax::Pow: result = PyNumber_Power(lhs.ptr(), rhs.ptr(), Py_None); break;
  case Syntax::LShift: result = PyNumber_Lshift(lhs.ptr(), rhs.ptr()); break;
  case Syntax::RShift: result = PyNumber_Rshift(lhs.ptr(), rhs.ptr()); break;
  case Syntax::BitOr: result = PyNumber_Or(lhs.ptr(), rhs.ptr()); break;
  case Syntax::BitXor: result = PyNumber_Xor(lhs.ptr(), rhs.ptr()); break;
  case Syntax::BitAnd: result = PyNumber_And(lhs.ptr(), rhs.ptr()); break;
  case Syntax::FloorDiv: result = PyNumber_FloorDivide(lhs.ptr(), rhs.ptr()); break;
  default: throw InternalError("not a binary operator");
  }
  if (!result) throw nb::python_error();
  return bounded(c, nb::steal(result));
}

// ---------------------------------------------------------------- run-time operators

/// float16 and bfloat16 are storage: the scalar unit computes in float32. One rounding at the end gives what the narrow type would give,
/// because float32 has more than twice as many bits of precision plus two.
static DType compute_dtype(DType dtype) { return dtype == DType::Float16 || dtype == DType::BFloat16 ? DType::Float32 : dtype; }

static void refuse_float64(const Compilation &c, Syntax op, DType dtype) {
  if (dtype == DType::Float64)
    throw c.error("T105", "'" + std::string(spelling(op)) + "' on float64: the core stores float64 and cannot compute with it",
                  "convert it first: x.cast(asc.float32)");
}

static mlir::Value compare_ir(Compilation &c, Syntax op, mlir::Value a, mlir::Value b, DType dtype) {
  if (info(dtype).is_float) {
    DType wide = compute_dtype(dtype);
    a = cast(c, a, dtype, wide), b = cast(c, b, dtype, wide);
    arith::CmpFPredicate predicate;
    switch (op) {
    case Syntax::Eq: predicate = arith::CmpFPredicate::OEQ; break;
    case Syntax::NotEq: predicate = arith::CmpFPredicate::UNE; break;
    case Syntax::Lt: predicate = arith::CmpFPredicate::OLT; break;
    case Syntax::LtE: predicate = arith::CmpFPredicate::OLE; break;
    case Syntax::Gt: predicate = arith::CmpFPredicate::OGT; break;
    default: predicate = arith::CmpFPredicate::OGE; break;
    }
    return c.ops.create<arith::CmpFOp>(c.loc(), predicate, a, b);
  }
  bool is_signed = info(dtype).is_signed;
  arith::CmpIPredicate predicate;
  switch (op) {
  case Syntax::Eq: predicate = arith::CmpIPredicate::eq; break;
  case Syntax::NotEq: predicate = arith::CmpIPredicate::ne; break;
  case Syntax::Lt: predicate = is_signed ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult; break;
  case Syntax::LtE: predicate = is_signed ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule; break;
  case Syntax::Gt: predicate = is_signed ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt; break;
  default: predicate = is_signed ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge; break;
  }
  return c.ops.create<arith::CmpIOp>(c.loc(), predicate, a, b);
}

static mlir::Value float_op(Compilation &c, Syntax op, mlir::Value a, mlir::Value b) {
  mlir::Location loc = c.loc();
  switch (op) {
  case Syntax::Add: return c.ops.create<arith::AddFOp>(loc, a, b);
  case Syntax::Sub: return c.ops.create<arith::SubFOp>(loc, a, b);
  case Syntax::Mult: return c.ops.create<arith::MulFOp>(loc, a, b);
  case Syntax::Div: return c.ops.create<arith::DivFOp>(loc, a, b);
  case Syntax::FloorDiv: return c.ops.create<FloorDivOp>(loc, a.getType(), a, b);
  case Syntax::Mod: return c.ops.create<FloorModOp>(loc, a.getType(), a, b);
  default: return {};
  }
}

static mlir::Value int_op(Compilation &c, Syntax op, mlir::Value a, mlir::Value b, bool is_signed) {
  mlir::Location loc = c.loc();
  auto overflow = is_signed ? arith::IntegerOverflowFlags::nsw : arith::IntegerOverflowFlags::none;
  switch (op) {
  case Syntax::Add: return c.ops.create<arith::AddIOp>(loc, a, b, overflow);
  case Syntax::Sub: return c.ops.create<arith::SubIOp>(loc, a, b, overflow);
  case Syntax::Mult: return c.ops.create<arith::MulIOp>(loc, a, b, overflow);
  case Syntax::Div: return is_signed ? mlir::Value(c.ops.create<arith::DivSIOp>(loc, a, b)) : c.ops.create<arith::DivUIOp>(loc, a, b);
  case Syntax::FloorDiv:
    return is_signed ? mlir::Value(c.ops.create<arith::FloorDivSIOp>(loc, a, b)) : c.ops.create<arith::DivUIOp>(loc, a, b);
  case Syntax::Mod:
    return is_signed ? mlir::Value(c.ops.create<FloorModOp>(loc, a.getType(), a, b)) : c.ops.create<arith::RemUIOp>(loc, a, b);
  case Syntax::LShift: return c.ops.create<arith::ShLIOp>(loc, a, b, overflow);
  case Syntax::RShift: return is_signed ? mlir::Value(c.ops.create<arith::ShRSIOp>(loc, a, b)) : c.ops.create<arith::ShRUIOp>(loc, a, b);
  case Syntax::BitOr: return c.ops.create<arith::OrIOp>(loc, a, b);
  case Syntax::BitXor: return c.ops.create<arith::XOrIOp>(loc, a, b);
  case Syntax::BitAnd: return c.ops.create<arith::AndIOp>(loc, a, b);
  default: return {};
  }
}

static DiagnosticError wrong_operands(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs, std::string help = {}) {
  return c.error("T106", "'" + std::string(spelling(op)) + "' does not take " + describe(lhs) + " and " + describe(rhs),
                 help.empty() ? help_for(lhs, rhs) : std::move(help));
}

/// x ** n for an int n known while compiling, by squaring.
static nb::object power(Compilation &c, nb::handle base, nb::handle exponent) {
  auto *plain = as<PlainValue>(base);
  std::optional<Number> n = number_of(exponent);
  bool real = plain && info(plain->dtype).is_float;
  if (!plain || !n || n->kind == Number::Kind::Float || n->integer > 64 || n->integer < (real ? -64 : 0))
    throw wrong_operands(c, Syntax::Pow, base, exponent,
                         "the exponent is an int from 0 to 64 that is known while compiling (-64 to 64 for floats)");
  if (n->integer < 0) return binary(c, Syntax::Div, nb::float_(1.0), power(c, base, nb::int_(int64_t(-n->integer))));
  nb::object result = c.make_scalar(convert(c, nb::int_(1), as_arithmetic(plain->dtype), "1"), as_arithmetic(plain->dtype));
  bool first = true;
  nb::object square = nb::borrow(base);
  for (int64_t left = int64_t(n->integer); left > 0; left >>= 1) {
    if (left & 1) result = first ? square : binary(c, Syntax::Mult, result, square), first = false;
    if (left > 1) square = binary(c, Syntax::Mult, square, square);
  }
  return result;
}

nb::object binary(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  if (nb::isinstance<RunTimeText>(lhs) || nb::isinstance<RunTimeText>(rhs)) {
    const auto is_text = [](nb::handle value) { return PyUnicode_Check(value.ptr()) || nb::isinstance<RunTimeText>(value); };
    if (op != Syntax::Add || !is_text(lhs) || !is_text(rhs)) throw wrong_operands(c, op, lhs, rhs);
    nb::list parts;
    parts.append(lhs), parts.append(rhs);
    return joined_text(c, parts);
  }
  if (!as_run_time(lhs) && !as_run_time(rhs)) return static_binary(c, op, lhs, rhs);
  if (auto *address = as<GlobalAddress>(lhs); address && op == Syntax::Add) {
    Index offset = index(c, rhs, "the offset of an address");
    mlir::Value base = c.use(*address);
    return c.make<GlobalAddress>(c.ops.create<OffsetOp>(c.loc(), base.getType(), base, offset.ir), address->dtype);
  }
  bool numbers = (as<PlainValue>(lhs) || number_of(lhs)) && (as<PlainValue>(rhs) || number_of(rhs));
  if (!numbers) {
    if (std::optional<nb::object> own = call_operator(c, op, lhs, rhs)) return *own;
    if (as<GlobalAddress>(lhs) || as<GlobalAddress>(rhs))
      throw wrong_operands(c, op, lhs, rhs, "the only operation on an address is address + int");
    throw wrong_operands(c, op, lhs, rhs);
  }
  if (op == Syntax::Pow) return power(c, lhs, rhs);
  if (op == Syntax::MatMult) throw wrong_operands(c, op, lhs, rhs, "numbers are multiplied with *");
  DType dtype = *common_dtype(c, lhs, rhs);
  bool bitwise = op == Syntax::BitOr || op == Syntax::BitXor || op == Syntax::BitAnd;
  bool shift = op == Syntax::LShift || op == Syntax::RShift;
  if (!bitwise) dtype = as_arithmetic(dtype);
  bool real = info(dtype).is_float;
  if (real && (bitwise || shift)) throw wrong_operands(c, op, lhs, rhs, "bits can be combined and shifted in ints only");
  refuse_float64(c, op, dtype);
  std::optional<Number> divisor = number_of(rhs);
  bool divides = op == Syntax::Div || op == Syntax::FloorDiv || op == Syntax::Mod;
  if (!real && divides && divisor && divisor->fits && divisor->integer == 0)
    throw c.error("T107", "division by zero", "the divisor is known while compiling: leave the division out where it is 0");
  if (shift && divisor && (!divisor->fits || divisor->integer < 0 || divisor->integer >= 8 * int(size_of(dtype))))
    throw c.error("T108",
                  "the shift count is " + describe(rhs) + ", expected 0 to " + std::to_string(8 * size_of(dtype) - 1) + " for " +
                      std::string(name(dtype)),
                  size_of(dtype) < 8 ? "shift by less, or convert the value first: x.cast(asc.int64)" : "shift by less");
  if (!real && op == Syntax::Div) {
    if (c.options.python_arithmetic)
      dtype = DType::Float32, real = true;
    else
      c.warn("T202", "'/' on two ints truncates toward zero",
             "write // for Python's floor division, or convert an operand to float32 for a true division");
  }
  DType wide = compute_dtype(dtype);
  mlir::Value a = convert(c, lhs, wide, "the left operand"), b = convert(c, rhs, wide, "the right operand");
  mlir::Value result = real ? float_op(c, op, a, b) : int_op(c, op, a, b, info(dtype).is_signed);
  return c.make_scalar(cast(c, result, wide, dtype), dtype);
}

nb::object unary(Compilation &c, Syntax op, nb::handle operand) {
  if (!as_run_time(operand)) {
    PyObject *result = nullptr;
    switch (op) {
    case Syntax::USub: result = PyNumber_Negative(operand.ptr()); break;
    case Syntax::UAdd: result = PyNumber_Positive(operand.ptr()); break;
    case Syntax::Invert: result = PyNumber_Invert(operand.ptr()); break;
    default: {
      int known = PyObject_Not(operand.ptr());
      result = known < 0 ? nullptr : PyBool_FromLong(known);
    }
    }
    if (!result) throw nb::python_error();
    return nb::steal(result);
  }
  if (op == Syntax::Not) {
    Truth value = truth(c, operand);
    mlir::Value one = int_constant(c, 1, DType::Bool);
    return c.make_scalar(c.ops.create<arith::XOrIOp>(c.loc(), value.ir, one), DType::Bool);
  }
  if (std::optional<nb::object> own = call_operator(c, op, operand)) return *own;
  auto *plain = as<PlainValue>(operand);
  if (!plain) throw c.error("T106", "'" + std::string(spelling(op)) + "' does not take " + describe(operand), help_for(operand));
  DType dtype = as_arithmetic(plain->dtype), wide = compute_dtype(dtype);
  refuse_float64(c, op, dtype);
  if (op == Syntax::Invert && info(dtype).is_float)
    throw c.error("T106", "'~' does not take " + describe(operand), "bits can be inverted in ints only");
  mlir::Value value = convert(c, operand, wide, "the operand");
  if (op == Syntax::UAdd) return c.make_scalar(cast(c, value, wide, dtype), dtype);
  if (op == Syntax::Invert) return c.make_scalar(int_op(c, Syntax::BitXor, value, int_constant(c, -1, dtype), false), dtype);
  mlir::Value result = info(dtype).is_float ? mlir::Value(c.ops.create<arith::NegFOp>(c.loc(), value))
                                            : int_op(c, Syntax::Sub, int_constant(c, 0, dtype), value, info(dtype).is_signed);
  return c.make_scalar(cast(c, result, wide, dtype), dtype);
}

// ---------------------------------------------------------------- comparison

/// Whether a run-time int is one of a range that is known.
static nb::object in_range(Compilation &c, nb::handle value, nb::handle range) {
  const Py_ssize_t length = PyObject_Size(range.ptr());
  if (length < 0) throw nb::python_error();
  if (length == 0) return nb::bool_(false);
  nb::object first = range[0], last = range[length - 1], step = nb::steal(PyNumber_Absolute(nb::object(range.attr("step")).ptr()));
  if (first > last) std::swap(first, last);
  nb::object found = binary(c, Syntax::BitAnd, compare(c, Syntax::GtE, value, first), compare(c, Syntax::LtE, value, last));
  if (step.equal(nb::int_(1)) || length == 1) return found;
  nb::object rest = compare(c, Syntax::Eq, binary(c, Syntax::Mod, value, step), binary(c, Syntax::Mod, first, step));
  return binary(c, Syntax::BitAnd, found, rest);
}

static bool is_number(nb::handle value) { return as<PlainValue>(value) || number_of(value); }

/// A run-time value, or a container that holds some: each element is compared.
static nb::object membership(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  PyObject *container = rhs.ptr();
  auto *plain = as<PlainValue>(lhs);
  nb::object found = nb::borrow(Py_False);
  if (PyRange_Check(container) && plain && !info(plain->dtype).is_float) {
    found = in_range(c, lhs, rhs);
  } else if (PyTuple_Check(container) || PyList_Check(container) || PyAnySet_Check(container) || PyDict_Check(container)) {
    for (nb::handle element : nb::list(nb::borrow(rhs))) {
      c.step();
      nb::object equal = nb::bool_(lhs.is(element));
      if (!as_run_time(lhs) && !as_run_time(element))
        equal = nb::bool_(lhs.equal(element));
      else if (!lhs.is(element) && (as<Structure>(lhs) || as<Structure>(element) || (is_number(lhs) && is_number(element))))
        equal = compare(c, Syntax::Eq, lhs, element);
      if (!equal.is(Py_False)) found = found.is(Py_False) || equal.is(Py_True) ? equal : binary(c, Syntax::BitOr, found, equal);
      if (found.is(Py_True)) break;
    }
  } else {
    throw wrong_operands(c, op, lhs, rhs, "a run-time value can be looked for in a tuple, list, set, dict, and an int in a range");
  }
  return op == Syntax::In ? found : unary(c, Syntax::Not, found);
}

static bool holds_run_time(nb::handle container) {
  if (!PyTuple_Check(container.ptr()) && !PyList_Check(container.ptr())) return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(container.ptr()); ++i)
    if (as_run_time(PySequence_Fast_GET_ITEM(container.ptr(), i))) return true;
  return false;
}

nb::object compare(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  if (op == Syntax::Is || op == Syntax::IsNot) warn_about_identity(c, op, lhs, rhs);
  if (op == Syntax::Is) return nb::bool_(lhs.is(rhs));
  if (op == Syntax::IsNot) return nb::bool_(!lhs.is(rhs));
  if (as_run_time(lhs) || as_run_time(rhs))
    if (std::optional<nb::object> own = call_operator(c, op, lhs, rhs)) return *own;
  if (nb::isinstance<RunTimeText>(lhs) || nb::isinstance<RunTimeText>(rhs)) throw wrong_operands(c, op, lhs, rhs);
  if ((op == Syntax::Eq || op == Syntax::NotEq) && (as<Structure>(lhs) || as<Structure>(rhs))) {
    nb::object same = equal(c, lhs, rhs);
    return op == Syntax::Eq ? same : unary(c, Syntax::Not, same);
  }
  if (auto *array = as<Array>(rhs); array && (op == Syntax::In || op == Syntax::NotIn))
    return membership(c, op, lhs, elements_of(c, *array));
  bool is_static = !as_run_time(lhs) && !as_run_time(rhs);
  if (op == Syntax::In || op == Syntax::NotIn) {
    if (!is_static || holds_run_time(rhs)) return membership(c, op, lhs, rhs);
    int found = PySequence_Contains(rhs.ptr(), lhs.ptr());
    if (found < 0) throw nb::python_error();
    return nb::bool_((found != 0) == (op == Syntax::In));
  }
  if (is_static) {
    static constexpr int kOps[] = {Py_EQ, Py_NE, Py_LT, Py_LE, Py_GT, Py_GE};
    nb::object result = nb::steal(PyObject_RichCompare(lhs.ptr(), rhs.ptr(), kOps[unsigned(op) - unsigned(Syntax::Eq)]));
    if (!result) throw nb::python_error();
    return result;
  }
  // Python compares a number with None and the like too: they are never equal.
  bool numbers = (as<PlainValue>(lhs) || number_of(lhs)) && (as<PlainValue>(rhs) || number_of(rhs));
  if (!numbers) {
    if (lhs.is_none() || rhs.is_none())
      if (op == Syntax::Eq || op == Syntax::NotEq) return nb::bool_(op == Syntax::NotEq);
    throw wrong_operands(c, op, lhs, rhs);
  }
  DType dtype = *common_dtype(c, lhs, rhs);
  refuse_float64(c, op, dtype);
  mlir::Value a = convert(c, lhs, dtype, "the left operand"), b = convert(c, rhs, dtype, "the right operand");
  return c.make_scalar(compare_ir(c, op, a, b, dtype), DType::Bool);
}

nb::object extremum(Compilation &c, bool max, nb::handle lhs, nb::handle rhs) {
  std::optional<DType> dtype = common_dtype(c, lhs, rhs);
  if (!dtype)
    throw c.error("T106", std::string(max ? "max" : "min") + " does not take " + describe(lhs) + " and " + describe(rhs),
                  help_for(lhs, rhs));
  refuse_float64(c, max ? Syntax::Gt : Syntax::Lt, *dtype);
  mlir::Value a = convert(c, lhs, *dtype, "an argument"), b = convert(c, rhs, *dtype, "an argument"), result;
  if (info(*dtype).is_float || *dtype == DType::Bool) { // Python's definition, so that NaN behaves as there
    mlir::Value better = compare_ir(c, max ? Syntax::Gt : Syntax::Lt, b, a, *dtype);
    result = c.ops.create<arith::SelectOp>(c.loc(), better, b, a);
  } else if (info(*dtype).is_signed) {
    result = max ? mlir::Value(c.ops.create<arith::MaxSIOp>(c.loc(), a, b)) : c.ops.create<arith::MinSIOp>(c.loc(), a, b);
  } else {
    result = max ? mlir::Value(c.ops.create<arith::MaxUIOp>(c.loc(), a, b)) : c.ops.create<arith::MinUIOp>(c.loc(), a, b);
  }
  return c.make_scalar(result, *dtype);
}

nb::object absolute(Compilation &c, nb::handle operand) {
  auto *plain = as<PlainValue>(operand);
  if (!plain) throw c.error("T106", "abs does not take " + describe(operand), help_for(operand));
  DType dtype = as_arithmetic(plain->dtype), wide = compute_dtype(dtype);
  refuse_float64(c, Syntax::USub, dtype);
  if (!info(dtype).is_signed) return nb::borrow(operand);
  mlir::Value value = convert(c, operand, wide, "the argument");
  mlir::Value zero = constant(c, Number{Number::Kind::Int, 0}, wide);
  if (!info(dtype).is_float) {
    mlir::Value negated = int_op(c, Syntax::Sub, zero, value, true);
    return c.make_scalar(c.ops.create<arith::MaxSIOp>(c.loc(), value, negated), dtype);
  }
  // 0 - x where x <= 0 turns -0.0 into 0.0; NaN compares false and stays.
  mlir::Value negative = compare_ir(c, Syntax::LtE, value, zero, wide);
  mlir::Value result = c.ops.create<arith::SelectOp>(c.loc(), negative, float_op(c, Syntax::Sub, zero, value), value);
  return c.make_scalar(cast(c, result, wide, dtype), dtype);
}

nb::object ceildiv(Compilation &c, nb::handle lhs, nb::handle rhs) {
  std::optional<DType> dtype = common_dtype(c, lhs, rhs);
  if (!dtype || info(*dtype).is_float)
    throw c.error("T106", "ceildiv does not take " + describe(lhs) + " and " + describe(rhs), "both are ints");
  const DType type = as_arithmetic(*dtype);
  auto typed = [&](nb::handle value) { return c.make_scalar(convert(c, value, type, "an operand of ceildiv"), type); };
  if (!as_run_time(lhs) && !as_run_time(rhs)) return unary(c, Syntax::USub, binary(c, Syntax::FloorDiv, unary(c, Syntax::USub, lhs), rhs));
  // One more than x // y where a remainder is left: no step of this overflows, as x + y - 1 and -x can.
  nb::object rest = compare(c, Syntax::NotEq, binary(c, Syntax::Mod, lhs, rhs), nb::int_(0));
  return binary(c, Syntax::Add, binary(c, Syntax::FloorDiv, lhs, rhs), typed(rest));
}

Truth truth(Compilation &c, nb::handle value) {
  if (auto *plain = as<PlainValue>(value)) return {std::nullopt, cast(c, c.use(*plain), plain->dtype, DType::Bool)};
  if (as_run_time(value))
    throw c.error("T104", "a condition is " + describe(value) + ", expected a number",
                  "compare something: `if n > 0:`, `if x is not None:`");
  int known = PyObject_IsTrue(value.ptr());
  if (known < 0) throw nb::python_error();
  return {known != 0, {}};
}

} // namespace asc
