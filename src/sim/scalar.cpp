// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar unit's operations: one handler per operation and type. What is not defined (overflow, division by zero, far shifts) is a
// finding under the checks and has a fixed result without them.
#include "sim/machine.h"

#include "apis/numeric.h"
#include "diagnostics/diagnostic.h"
#include "isa/ops.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace asc::sim {
namespace {

/// The C++ type that a type computes in.
template <DType D> struct ComputeType;
template <> struct ComputeType<DType::Bool> {
  using type = uint8_t;
};
template <> struct ComputeType<DType::Int8> {
  using type = int8_t;
};
template <> struct ComputeType<DType::Int16> {
  using type = int16_t;
};
template <> struct ComputeType<DType::Int32> {
  using type = int32_t;
};
template <> struct ComputeType<DType::Int64> {
  using type = int64_t;
};
template <> struct ComputeType<DType::UInt8> {
  using type = uint8_t;
};
template <> struct ComputeType<DType::UInt16> {
  using type = uint16_t;
};
template <> struct ComputeType<DType::UInt32> {
  using type = uint32_t;
};
template <> struct ComputeType<DType::UInt64> {
  using type = uint64_t;
};
template <> struct ComputeType<DType::Float16> {
  using type = float;
};
template <> struct ComputeType<DType::BFloat16> {
  using type = float;
};
template <> struct ComputeType<DType::Float32> {
  using type = float;
};
template <> struct ComputeType<DType::Float64> {
  using type = double;
};
template <DType D> using Compute = typename ComputeType<D>::type;

template <DType D> Compute<D> load(uint64_t bits) {
  if constexpr (D == DType::Bool)
    return (bits & 0xFF) != 0;
  else if constexpr (D == DType::Float16)
    return half_to_float(uint16_t(bits));
  else if constexpr (D == DType::BFloat16)
    return bfloat16_to_float(uint16_t(bits));
  else if constexpr (D == DType::Float32)
    return std::bit_cast<float>(uint32_t(bits));
  else if constexpr (D == DType::Float64)
    return std::bit_cast<double>(bits);
  else
    return Compute<D>(bits);
}

/// The result of an operation as a register holds it. Arithmetic makes one NaN only: which one the host makes is its own affair.
template <DType D> uint64_t store(Compute<D> v) {
  if constexpr (D == DType::Float16)
    return float_to_half(v);
  else if constexpr (D == DType::BFloat16)
    return float_to_bfloat16(v);
  else if constexpr (D == DType::Float32)
    return std::bit_cast<uint32_t>(quiet(v));
  else if constexpr (D == DType::Float64)
    return v != v ? assume::double_nan : std::bit_cast<uint64_t>(v);
  else if constexpr (std::is_signed_v<Compute<D>>)
    return uint64_t(int64_t(v));
  else
    return v;
}

// ---------------------------------------------------------------- findings

template <class T> std::string text(T v) { return std::to_string(v); }

template <DType D>
[[gnu::cold, gnu::noinline]] void overflow(Machine &m, const Step &s, const char *op, Compute<D> a, Compute<D> b, Compute<D> result) {
  m.warn(
      s, "M201",
      [&] {
        return std::string(name(D)) + " overflow: " + text(a) + op + (b < 0 ? "(" + text(b) + ")" : text(b)) +
               " does not fit; it wraps to " + text(result);
      },
      "use a wider type for the operands");
}
[[gnu::cold, gnu::noinline]] void division_by_zero(Machine &m, const Step &s, DType type) {
  m.warn(s, "M202", [&] { return std::string(name(type)) + " division by zero; the result is 0"; }, "test the divisor before dividing");
}
[[gnu::cold, gnu::noinline]] void far_shift(Machine &m, const Step &s, DType type, std::string count) {
  m.warn(
      s, "M203",
      [&] {
        const std::string width = std::to_string(8 * size_of(type));
        return "an integer of " + width + " bits is shifted by " + count + " bits; only the count modulo " + width + " is used";
      },
      "shift by 0 to " + std::to_string(8 * size_of(type) - 1) + " bits" + (size_of(type) < 8 ? ", or use a wider type" : ""));
}

// ---------------------------------------------------------------- operations

/// Python's % on floats. fmod is exact, so every host gives the same bits.
template <class T> T float_mod(T a, T b) {
  const T rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(T(0), b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}
/// Python's // on floats: consistent with the above.
template <class T> T float_floor_div(T a, T b) {
  if (b == 0) return a / b;
  const T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(T(0), a / b);
  const T whole = std::floor(quotient);
  return quotient - whole > T(0.5) ? whole + 1 : whole;
}

template <Op O, DType D> Compute<D> float_op(Compute<D> a, Compute<D> b) {
  using T = Compute<D>;
  if constexpr (O == Op::Add) return a + b;
  if constexpr (O == Op::Sub) return a - b;
  if constexpr (O == Op::Mul) return a * b;
  if constexpr (O == Op::Div) return a / b;
  if constexpr (O == Op::Rem) return std::fmod(a, b);
  if constexpr (O == Op::FloorDiv) return float_floor_div(a, b);
  if constexpr (O == Op::FloorMod) return float_mod(a, b);
  // NaN wins; +0 is larger than -0.
  if constexpr (O == Op::Min) return a != a || b != b ? a + b : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
  if constexpr (O == Op::Max) return a != a || b != b ? a + b : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
  return T(0);
}

/// + - * of integers; wraps.
template <Op O, DType D> Compute<D> wrapping_op(Machine &m, const Step &s, Compute<D> a, Compute<D> b) {
  using T = Compute<D>;
  T r;
  bool lost;
  if constexpr (O == Op::Add)
    lost = __builtin_add_overflow(a, b, &r);
  else if constexpr (O == Op::Sub)
    lost = __builtin_sub_overflow(a, b, &r);
  else
    lost = __builtin_mul_overflow(a, b, &r);
  if constexpr (std::is_signed_v<T>)
    if (lost) overflow<D>(m, s, O == Op::Add ? " + " : O == Op::Sub ? " - " : " * ", a, b, r);
  return r;
}

template <Op O, DType D> Compute<D> dividing_op(Machine &m, const Step &s, Compute<D> a, Compute<D> b) {
  using T = Compute<D>;
  constexpr bool quotient_wanted = O == Op::Div || O == Op::FloorDiv;
  if (b == 0) {
    division_by_zero(m, s, D);
    return 0;
  }
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) { // the one case that overflows; the host would trap
      if constexpr (!quotient_wanted) return 0;
      if (a == std::numeric_limits<T>::min()) overflow<D>(m, s, O == Op::Div ? " / " : " // ", a, b, a);
      return T(0 - std::make_unsigned_t<T>(a));
    }
    const T quotient = T(a / b), rest = T(a % b);
    const bool down = (O == Op::FloorDiv || O == Op::FloorMod) && rest != 0 && (rest < 0) != (b < 0);
    return quotient_wanted ? T(quotient - down) : down ? T(rest + b) : rest;
  } else {
    return quotient_wanted ? T(a / b) : T(a % b);
  }
}

template <Op O, DType D> Compute<D> shifting_op(Machine &m, const Step &s, Compute<D> a, Compute<D> b) {
  using T = Compute<D>;
  constexpr unsigned width = 8 * sizeof(T);
  if (b < 0 || uint64_t(b) >= width) far_shift(m, s, D, text(b));
  const unsigned count = unsigned(b) % width;
  if constexpr (O == Op::Shl)
    return T(uint64_t(a) << count);
  else
    return T(a >> count);
}

template <Op O, DType D> const Step *binary(Machine &m, const Step &s) {
  using T = Compute<D>;
  const T a = load<D>(m.reg(s.a)), b = load<D>(m.reg(s.b));
  T r;
  if constexpr (std::is_floating_point_v<T>)
    r = float_op<O, D>(a, b);
  else if constexpr (O == Op::Add || O == Op::Sub || O == Op::Mul)
    r = wrapping_op<O, D>(m, s, a, b);
  else if constexpr (O == Op::Div || O == Op::Rem || O == Op::FloorDiv || O == Op::FloorMod)
    r = dividing_op<O, D>(m, s, a, b);
  else if constexpr (O == Op::Shl || O == Op::Shr)
    r = shifting_op<O, D>(m, s, a, b);
  else if constexpr (O == Op::And)
    r = T(a & b);
  else if constexpr (O == Op::Or)
    r = T(a | b);
  else if constexpr (O == Op::Xor)
    r = T(a ^ b);
  else if constexpr (O == Op::Min)
    r = std::min(a, b);
  else
    r = std::max(a, b);
  m.set_reg(s.dst, store<D>(r));
  return &s + 1;
}

template <Op O, DType D> const Step *unary(Machine &m, const Step &s) {
  using T = Compute<D>;
  const T a = load<D>(m.reg(s.a));
  T r;
  if constexpr (O == Op::Not) {
    r = D == DType::Bool ? T(!a) : T(~uint64_t(a));
  } else if constexpr (std::is_floating_point_v<T>) {
    r = -a;
  } else {
    r = T(0 - uint64_t(a));
    if constexpr (std::is_signed_v<T>)
      if (a == std::numeric_limits<T>::min()) overflow<D>(m, s, " * ", a, T(-1), r);
  }
  m.set_reg(s.dst, store<D>(r));
  return &s + 1;
}

template <Op O, DType D> const Step *compare(Machine &m, const Step &s) {
  const auto a = load<D>(m.reg(s.a)), b = load<D>(m.reg(s.b));
  bool r;
  if constexpr (O == Op::Eq)
    r = a == b;
  else if constexpr (O == Op::Ne)
    r = a != b;
  else if constexpr (O == Op::Lt)
    r = a < b;
  else if constexpr (O == Op::Le)
    r = a <= b;
  else if constexpr (O == Op::Gt)
    r = a > b;
  else
    r = a >= b;
  m.set_reg(s.dst, r);
  return &s + 1;
}

template <Op O, DType D> const Step *scalar(Machine &m, const Step &s) {
  if constexpr (O >= Op::Eq && O <= Op::Ge)
    return compare<O, D>(m, s);
  else if constexpr (O == Op::Neg || O == Op::Not)
    return unary<O, D>(m, s);
  else
    return binary<O, D>(m, s);
}

template <DType D> const Step *size(Machine &m, const Step &s) {
  m.set_reg(s.dst, m.reg(s.a + 1) / size_of(D));
  return &s + 1;
}

const Step *cast(Machine &m, const Step &s) {
  m.set_reg(s.dst, cast_scalar(m.reg(s.a), DType(s.aux), s.type));
  return &s + 1;
}
/// From an integer or Bool to an integer that is not wider: the low bits, extended by the new signedness.
template <DType D> const Step *cast_integer(Machine &m, const Step &s) {
  m.set_reg(s.dst, store<D>(load<D>(m.reg(s.a))));
  return &s + 1;
}
/// The value of an integer register of that type.
__int128 wide(uint64_t bits, DType type) { return info(type).is_signed ? __int128(int64_t(bits)) : __int128(bits); }
[[gnu::cold, gnu::noinline]] void does_not_fit(Machine &m, const Step &s, uint64_t from, uint64_t to) {
  const auto shown = [](uint64_t bits, DType type) { return info(type).is_signed ? text(int64_t(bits)) : text(bits); };
  m.warn(
      s, "M205",
      [&] {
        return "the argument is " + shown(from, DType(s.aux)) + ", which " + std::string(name(s.type)) + " cannot hold; the device gets " +
               shown(to, s.type);
      },
      "keep the value in the range of the parameter's type");
}
const Step *narrow(Machine &m, const Step &s) {
  const uint64_t from = extend_scalar(m.reg(s.a), DType(s.aux)), to = cast_scalar(from, DType(s.aux), s.type);
  if (wide(from, DType(s.aux)) != wide(to, s.type)) does_not_fit(m, s, from, to);
  m.set_reg(s.dst, to);
  return &s + 1;
}

const Step *move(Machine &m, const Step &s) {
  m.set_reg(s.dst, m.reg(s.a));
  return &s + 1;
}
const Step *move2(Machine &m, const Step &s) {
  const uint64_t first = m.reg(s.a), second = m.reg(s.a + 1);
  m.set_reg(s.dst, first), m.set_reg(s.dst + 1, second);
  return &s + 1;
}
const Step *select(Machine &m, const Step &s) {
  m.set_reg(s.dst, m.reg(m.reg(s.dst) ? s.a : s.b));
  return &s + 1;
}
const Step *select2(Machine &m, const Step &s) {
  const uint32_t from = m.reg(s.dst) ? s.a : s.b;
  const uint64_t first = m.reg(from), second = m.reg(from + 1);
  m.set_reg(s.dst, first), m.set_reg(s.dst + 1, second);
  return &s + 1;
}
const Step *jump(Machine &m, const Step &s) {
  if (s.target <= &s) m.spend(kScalarCost.loop - 1);
  return s.target;
}
const Step *jump_if_zero(Machine &m, const Step &s) {
  if (m.reg(s.a) != 0) return &s + 1;
  return jump(m, s);
}

// ---------------------------------------------------------------- tables

template <Op O, size_t... D> constexpr std::array<Handler, kDTypes> handlers_of(std::index_sequence<D...>) {
  return {[]() -> Handler {
    if constexpr (info(O).types.has(DType(D)) && DType(D) != DType::Void)
      return &scalar<O, DType(D)>;
    else
      return nullptr;
  }()...};
}

constexpr unsigned kFirst = unsigned(Op::Add), kCount = unsigned(Op::Ge) - kFirst + 1;
template <size_t... O> constexpr std::array<std::array<Handler, kDTypes>, kCount> all_handlers(std::index_sequence<O...>) {
  return {handlers_of<Op(kFirst + O)>(std::make_index_sequence<kDTypes>())...};
}
constexpr auto kHandlers = all_handlers(std::make_index_sequence<kCount>());

template <size_t... D> constexpr std::array<Handler, kDTypes> integer_casts(std::index_sequence<D...>) {
  return {[]() -> Handler {
    if constexpr (kIntegers.has(DType(D)))
      return &cast_integer<DType(D)>;
    else
      return nullptr;
  }()...};
}
template <size_t... D> constexpr std::array<Handler, kDTypes> sizes(std::index_sequence<D...>) {
  return {[]() -> Handler {
    if constexpr (kScalars.has(DType(D)))
      return &size<DType(D)>;
    else
      return nullptr;
  }()...};
}
constexpr auto kIntegerCasts = integer_casts(std::make_index_sequence<kDTypes>());
constexpr auto kSizes = sizes(std::make_index_sequence<kDTypes>());

template <const Step *(Machine::*Method)(const Step &)> const Step *method(Machine &m, const Step &s) { return (m.*Method)(s); }

} // namespace

Handler handler_of(const Instr &i) {
  if (i.op >= Op::Add && i.op <= Op::Ge) return kHandlers[unsigned(i.op) - kFirst][unsigned(i.type)];
  switch (i.op) {
  case Op::Halt: return method<&Machine::halt>;
  case Op::Move: return move;
  case Op::Move2: return move2;
  case Op::Cast: {
    // To a wider type the signedness of the source counts.
    const bool low_bits = kIndices.has(DType(i.aux)) && kIntegers.has(i.type) && size_of(i.type) <= size_of(DType(i.aux));
    return low_bits ? kIntegerCasts[unsigned(i.type)] : cast;
  }
  case Op::Narrow: return narrow;
  case Op::Select: return select;
  case Op::Select2: return select2;
  case Op::Jump: return jump;
  case Op::JumpIfZero: return jump_if_zero;
  case Op::Local: return method<&Machine::local>;
  case Op::Global: return method<&Machine::global>;
  case Op::View: return method<&Machine::view>;
  case Op::Offset: return method<&Machine::offset>;
  case Op::Size: return kSizes[unsigned(i.type)];
  case Op::GetValue: return method<&Machine::get_value>;
  case Op::SetValue: return method<&Machine::set_value>;
  case Op::SetFlag: return method<&Machine::set_flag>;
  case Op::WaitFlag: return method<&Machine::wait_flag>;
  case Op::Barrier: return method<&Machine::barrier>;
  case Op::Construct: return method<&Machine::construct>;
  case Op::PipeInit: return method<&Machine::pipe_init>;
  case Op::PipeReset: return method<&Machine::pipe_reset>;
  case Op::PipeDestroy: return method<&Machine::pipe_destroy>;
  case Op::InitQueue: return method<&Machine::init_queue>;
  case Op::InitBuffer:
  case Op::InitPool: return method<&Machine::init_memory>;
  case Op::SharePool: return method<&Machine::share_pool>;
  case Op::ResetPool: return method<&Machine::reset_pool>;
  case Op::AllocTensor: return method<&Machine::alloc_tensor>;
  case Op::Enque: return method<&Machine::enque>;
  case Op::Deque: return method<&Machine::deque>;
  case Op::DequeInPlace: return method<&Machine::deque_in_place>;
  case Op::FreeTensor: return method<&Machine::free_tensor>;
  case Op::FreeEvents: return method<&Machine::free_events>;
  case Op::QueueState: return method<&Machine::queue_state>;
  case Op::GetBuffer: return method<&Machine::get_buffer>;
  case Op::AllocEvent: return method<&Machine::alloc_event>;
  case Op::FetchEvent: return method<&Machine::fetch_event>;
  case Op::ReleaseEvent: return method<&Machine::release_event>;
  case Op::Allocate: return method<&Machine::allocate>;
  case Op::CurrentAddress: return method<&Machine::current_address>;
  case Op::Print: return method<&Machine::print>;
  case Op::Assert: return method<&Machine::assertion>;
  case Op::Trap: return method<&Machine::trap>;
  case Op::Statement: return method<&Machine::statement>;
  case Op::NewArray: return method<&Machine::new_array>;
  case Op::FillArray: return method<&Machine::fill_array>;
  case Op::Element: return method<&Machine::element>;
  case Op::SetElement: return method<&Machine::set_element>;
  case Op::Api: return method<&Machine::api>;
  default: throw InternalError("no handler for " + std::string(info(i.op).name));
  }
}

} // namespace asc::sim
