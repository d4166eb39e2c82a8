// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of the scalar unit, one function per operation and type. The simulator calls it when a kernel runs, the compiler when the
// operands are known: so the two cannot disagree. What is not defined (overflow, division by zero, far shifts) has a fixed result and a
// fault; what becomes of a fault is the caller's affair.
#pragma once

#include "apis/numeric.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace asc {

/// In the order of the instructions (isa/program.h).
enum class ScalarOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  FloorDiv,
  FloorMod,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Neg,
  Not,
  Min,
  Max,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge
};
constexpr bool is_comparison(ScalarOp op) { return op >= ScalarOp::Eq; }

enum class ScalarFault : uint8_t { None, Overflow, DivisionByZero, FarShift };

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

/// The value in the low bits of a register.
template <DType D> Compute<D> load_scalar(uint64_t bits) {
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
template <DType D> uint64_t store_scalar(Compute<D> v) {
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

template <class T> struct Computed {
  T value;
  ScalarFault fault = ScalarFault::None;
};

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

template <ScalarOp O, class T> T compute_float(T a, T b) {
  if constexpr (O == ScalarOp::Add) return a + b;
  if constexpr (O == ScalarOp::Sub) return a - b;
  if constexpr (O == ScalarOp::Mul) return a * b;
  if constexpr (O == ScalarOp::Div) return a / b;
  if constexpr (O == ScalarOp::Rem) return std::fmod(a, b);
  if constexpr (O == ScalarOp::FloorDiv) return float_floor_div(a, b);
  if constexpr (O == ScalarOp::FloorMod) return float_mod(a, b);
  if constexpr (O == ScalarOp::Neg) return -a;
  // NaN wins; +0 is larger than -0.
  if constexpr (O == ScalarOp::Min) return a != a || b != b ? a + b : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
  if constexpr (O == ScalarOp::Max) return a != a || b != b ? a + b : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
  return T(0);
}

/// + - * << and the sign of integers: wraps. Losing bits is the mistake of signed integers only.
template <ScalarOp O, class T> Computed<T> compute_wrapping(T a, T b) {
  T r;
  bool lost;
  if constexpr (O == ScalarOp::Add)
    lost = __builtin_add_overflow(a, b, &r);
  else if constexpr (O == ScalarOp::Sub)
    lost = __builtin_sub_overflow(a, b, &r);
  else if constexpr (O == ScalarOp::Mul)
    lost = __builtin_mul_overflow(a, b, &r);
  else
    lost = __builtin_sub_overflow(T(0), a, &r);
  return {r, std::is_signed_v<T> && lost ? ScalarFault::Overflow : ScalarFault::None};
}

template <ScalarOp O, class T> Computed<T> compute_dividing(T a, T b) {
  constexpr bool quotient_wanted = O == ScalarOp::Div || O == ScalarOp::FloorDiv;
  if (b == 0) return {0, ScalarFault::DivisionByZero};
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) { // the one case that overflows; the host would trap
      if constexpr (!quotient_wanted) return {0};
      return {T(0 - std::make_unsigned_t<T>(a)), a == std::numeric_limits<T>::min() ? ScalarFault::Overflow : ScalarFault::None};
    }
    const T quotient = T(a / b), rest = T(a % b);
    const bool down = (O == ScalarOp::FloorDiv || O == ScalarOp::FloorMod) && rest != 0 && (rest < 0) != (b < 0);
    return {quotient_wanted ? T(quotient - down) : down ? T(rest + b) : rest};
  } else {
    return {quotient_wanted ? T(a / b) : T(a % b)};
  }
}

template <ScalarOp O, class T> Computed<T> compute_shifting(T a, T b) {
  constexpr unsigned width = 8 * sizeof(T);
  const unsigned count = unsigned(b) % width;
  const ScalarFault far = b < 0 || uint64_t(b) >= width ? ScalarFault::FarShift : ScalarFault::None;
  if constexpr (O == ScalarOp::Shr) return {T(a >> count), far};
  const T r = T(uint64_t(a) << count);
  const bool lost = std::is_signed_v<T> && T(r >> count) != a;
  return {r, far != ScalarFault::None ? far : lost ? ScalarFault::Overflow : ScalarFault::None};
}

/// An operation that is no comparison; those on one operand leave `b` alone.
template <ScalarOp O, DType D> Computed<Compute<D>> compute(Compute<D> a, Compute<D> b) {
  using T = Compute<D>;
  if constexpr (std::is_floating_point_v<T>)
    return {compute_float<O>(a, b)};
  else if constexpr (O == ScalarOp::Add || O == ScalarOp::Sub || O == ScalarOp::Mul || O == ScalarOp::Neg)
    return compute_wrapping<O>(a, b);
  else if constexpr (O == ScalarOp::Shl || O == ScalarOp::Shr)
    return compute_shifting<O>(a, b);
  else if constexpr (O == ScalarOp::And)
    return {T(a & b)};
  else if constexpr (O == ScalarOp::Or)
    return {T(a | b)};
  else if constexpr (O == ScalarOp::Xor)
    return {T(a ^ b)};
  else if constexpr (O == ScalarOp::Not)
    return {D == DType::Bool ? T(!a) : T(~uint64_t(a))};
  else if constexpr (O == ScalarOp::Min)
    return {std::min(a, b)};
  else if constexpr (O == ScalarOp::Max)
    return {std::max(a, b)};
  else
    return compute_dividing<O>(a, b);
}

template <ScalarOp O, class T> bool compare(T a, T b) {
  if constexpr (O == ScalarOp::Eq) return a == b;
  if constexpr (O == ScalarOp::Ne) return a != b;
  if constexpr (O == ScalarOp::Lt) return a < b;
  if constexpr (O == ScalarOp::Le) return a <= b;
  if constexpr (O == ScalarOp::Gt) return a > b;
  return a >= b;
}

/// Whether a type has an operation.
constexpr bool has_operation(ScalarOp op, DType type) {
  if (type == DType::Void) return false;
  const bool bits = op == ScalarOp::And || op == ScalarOp::Or || op == ScalarOp::Xor || op == ScalarOp::Not;
  const bool shift = op == ScalarOp::Shl || op == ScalarOp::Shr;
  if (type == DType::Bool) return bits || op == ScalarOp::Min || op == ScalarOp::Max || is_comparison(op);
  return info(type).is_float ? !bits && !shift : true;
}

struct ScalarResult {
  uint64_t bits;
  ScalarFault fault = ScalarFault::None;
};
/// The operation on the registers `a` and `b`, as the scalar unit computes it; nothing when the type does not have it.
std::optional<ScalarResult> compute_scalar(ScalarOp op, DType type, uint64_t a, uint64_t b);

} // namespace asc
