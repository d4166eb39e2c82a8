// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of the core: float16 and bfloat16, rounding to nearest even, integers that wrap or saturate, scalar casts. Bit-exact on
// every machine; nothing here calls libm.
#pragma once

#include "apis/assumptions.h"
#include "apis/types.h"

#include <bit>
#include <concepts>
#include <limits>
#include <type_traits>

namespace asc {

/// Storage types of the two 16-bit floats; arithmetic happens in float.
struct Half {
  uint16_t bits = 0;
};
struct BFloat16 {
  uint16_t bits = 0;
};

// ---------------------------------------------------------------- conversions
// Without branches, so that loops over them vectorise.

inline float half_to_float(uint16_t h) {
  const uint32_t sign = uint32_t(h & 0x8000) << 16, magnitude = h & 0x7FFF;
  const uint32_t normal = (magnitude << 13) + (112u << 23);
  const uint32_t subnormal = std::bit_cast<uint32_t>(float(int32_t(magnitude)) * 0x1p-24f); // exact
  const uint32_t special = magnitude << 13 | 0x7F800000 | (magnitude > 0x7C00 ? 0x400000u : 0u);
  const uint32_t value = magnitude >= 0x7C00 ? special : magnitude < 0x0400 ? subnormal : normal;
  return std::bit_cast<float>(sign | value);
}

/// Round to nearest even; NaN becomes the quiet NaN.
inline uint16_t float_to_half(float f) {
  const uint32_t bits = std::bit_cast<uint32_t>(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
  // Adding 0.5 leaves a subnormal half in the low bits of the sum, rounded by the addition itself (its ulp is 2^-24).
  const uint32_t small = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3F000000;
  const uint32_t large = (magnitude - (112u << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13; // half of an ulp, less one when even
  const uint32_t finite = magnitude < 0x38800000 ? small : large;
  const uint32_t value = magnitude > 0x7F800000 ? assume::half_nan : magnitude >= 0x47800000 ? 0x7C00 | sign : finite | sign;
  return uint16_t(value);
}

inline float bfloat16_to_float(uint16_t b) { return std::bit_cast<float>(uint32_t(b) << 16); }

/// Round to nearest even; NaN becomes the quiet NaN.
inline uint16_t float_to_bfloat16(float f) {
  const uint32_t bits = std::bit_cast<uint32_t>(f);
  const uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  return uint16_t((bits & 0x7FFFFFFF) > 0x7F800000 ? assume::float_nan >> 16 : rounded);
}

/// To float, rounded to odd: an inexact result has its lowest bit set, so that rounding it once more to fewer bits is a single rounding.
float to_odd_float(double value);
double to_odd_double(int64_t value);
double to_odd_double(uint64_t value);
/// float32 to float16, rounded to odd. Finite values stay finite.
uint16_t to_odd_half(float value);
inline uint16_t double_to_half(double d) { return float_to_half(to_odd_float(d)); }
inline uint16_t double_to_bfloat16(double d) { return float_to_bfloat16(to_odd_float(d)); }

/// CTRL[48] = 0: Inf, which has these bits, becomes the largest number of its sign, NaN becomes 0.
inline uint16_t without_infinity(uint16_t bits, uint16_t infinity) {
  const uint16_t magnitude = bits & 0x7FFF;
  return magnitude > infinity ? 0 : magnitude == infinity ? uint16_t(bits - 1) : bits;
}
inline uint16_t saturate_half(uint16_t h) { return without_infinity(h, 0x7C00); }

// ---------------------------------------------------------------- arithmetic of lanes
// Half lanes compute in float and are then rounded to half. That equals one rounding of the exact result of + - * /: float has 24 bits, and
// 24 >= 2*11 + 2 makes the first rounding innocuous (subnormal halves are multiples of 2^-24, where sums are exact in float, as products
// always are; a quotient of halves that is no half midpoint differs from every midpoint by more than 2^-23 of itself).

enum class Overflow : uint8_t { Wrap, Saturate };
template <Overflow O> using OverflowMode = std::integral_constant<Overflow, O>;

/// How a lane of floats computes: the type that results are rounded to.
template <class T> struct RoundTo {};
/// An intermediate result, rounded like a final one.
inline float rounded(float f, RoundTo<float>) { return f; }
inline float rounded(float f, RoundTo<Half>) { return half_to_float(float_to_half(f)); }

inline float quiet(float f) { return f != f ? std::bit_cast<float>(assume::float_nan) : f; }

/// The float that stands for a double which is nearly the exact result: rounded, or what rounds to the same half as the double. For that,
/// what a float cannot hold of the double is kept as a one in its last bit (rounding to odd).
inline float float_for(double value, RoundTo<float>) { return quiet(float(value)); }
inline float float_for(double value, RoundTo<Half>) {
  constexpr uint64_t lost = (uint64_t(1) << (52 - 23)) - 1;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  return float(std::bit_cast<double>((bits | ((bits & lost) + lost)) & ~lost));
}

template <class T> T clamp_to(int64_t wide) {
  const int64_t low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return T(wide < low ? low : wide > high ? high : wide);
}

/// Applies `fn`, an operation on wide integers, to two lanes of a narrower integer type. Only the low bits matter when the result wraps.
template <class T, Overflow O, class Fn> T on_integers(T a, T b, OverflowMode<O>, Fn fn) {
  static_assert(sizeof(T) <= 4);
  if constexpr (O == Overflow::Wrap)
    return T(fn(uint32_t(a), uint32_t(b)));
  else
    return clamp_to<T>(fn(int64_t(a), int64_t(b)));
}

inline float plus(float a, float b, auto) { return quiet(a + b); }
inline float minus(float a, float b, auto) { return quiet(a - b); }
inline float times(float a, float b, auto) { return quiet(a * b); }
inline float divided(float a, float b, auto) { return quiet(a / b); }
/// Multiply-add instructions round the product before the sum (assumption "multiply and add").
inline float multiplied_and_added(float a, float b, float c, auto mode) { return plus(rounded(times(a, b, mode), mode), c, mode); }
template <std::integral T, class Mode> T plus(T a, T b, Mode mode) {
  return on_integers(a, b, mode, [](auto x, auto y) { return x + y; });
}
template <std::integral T, class Mode> T minus(T a, T b, Mode mode) {
  return on_integers(a, b, mode, [](auto x, auto y) { return x - y; });
}
template <std::integral T, class Mode> T times(T a, T b, Mode mode) {
  return on_integers(a, b, mode, [](auto x, auto y) { return x * y; });
}

// Equal floats differ in bits only as +0 and -0.
inline float maximum(float a, float b) {
  const uint32_t x = std::bit_cast<uint32_t>(a), y = std::bit_cast<uint32_t>(b);
  const uint32_t value = a > b ? x : a < b ? y : x & y;
  return a != a || b != b ? std::bit_cast<float>(assume::float_nan) : std::bit_cast<float>(value);
}
inline float minimum(float a, float b) {
  const uint32_t x = std::bit_cast<uint32_t>(a), y = std::bit_cast<uint32_t>(b);
  const uint32_t value = a < b ? x : a > b ? y : x | y;
  return a != a || b != b ? std::bit_cast<float>(assume::float_nan) : std::bit_cast<float>(value);
}
template <std::integral T> T maximum(T a, T b) { return a > b ? a : b; }
template <std::integral T> T minimum(T a, T b) { return a < b ? a : b; }

/// x << distance: a signed lane keeps its sign bit and loses what leaves the bits below it. A distance of the width or more shifts all out.
template <std::integral T> T shifted_left(T x, T distance) {
  using Bits = std::make_unsigned_t<T>;
  constexpr Bits width = 8 * sizeof(T), sign = std::is_signed_v<T> ? Bits(Bits(1) << (width - 1)) : Bits(0);
  const Bits shifted = Bits(distance) < width ? Bits(Bits(x) << Bits(distance)) : Bits(0);
  return T((Bits(x) & sign) | (shifted & Bits(~sign)));
}
/// x >> distance, filled with the sign bit of a signed lane and with zeros in an unsigned one.
template <std::integral T> T shifted_right(T x, T distance) {
  using Bits = std::make_unsigned_t<T>;
  constexpr Bits width = 8 * sizeof(T);
  const bool out = Bits(distance) >= width;
  if constexpr (std::is_signed_v<T>)
    return T(x >> (out ? width - 1 : Bits(distance)));
  else
    return out ? T(0) : T(x >> distance);
}

// ---------------------------------------------------------------- rounding

/// RoundMode of Ascend C, by its numbers.
enum class RoundMode : uint8_t { None, Rint, Floor, Ceil, Round, Trunc, Odd };

/// The integer that a value is rounded to by Rint, Floor, Ceil, Round or Trunc; Inf and NaN stay.
double rounded_to_integer(float value, RoundMode mode);

// ---------------------------------------------------------------- conversions of lanes

/// A result of another type: floats stay, and become 8-bit integers by rounding to nearest even; what does not fit becomes the nearest
/// value.
template <class T> T saturated(float f) {
  if constexpr (std::is_same_v<T, float>) {
    return f;
  } else {
    static_assert(sizeof(T) == 1);
    constexpr float low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    const float inside = f != f ? float(assume::nan_as_integer) : f < low ? low : f > high ? high : f;
    return T(int32_t((inside + 0x1.8p23f) - 0x1.8p23f)); // there, floats are the integers
  }
}
template <class T> T saturated(int16_t wide) { return clamp_to<T>(wide); }

/// The element type of a type of lanes.
template <class T> inline constexpr DType lane_type = DType::Void;
template <> inline constexpr DType lane_type<int8_t> = DType::Int8;
template <> inline constexpr DType lane_type<uint8_t> = DType::UInt8;
template <> inline constexpr DType lane_type<int16_t> = DType::Int16;
template <> inline constexpr DType lane_type<Half> = DType::Float16;
template <> inline constexpr DType lane_type<float> = DType::Float32;

// ---------------------------------------------------------------- scalars

/// A scalar as registers hold it: integers extended to 64 bits by their signedness, floats as their bit pattern, Bool 0 or 1.
uint64_t extend_scalar(uint64_t bits, DType dtype);

/// Conversion of a scalar: float to integer truncates and saturates (NaN gives 0), integer to float and float to float round to nearest
/// even, integer to integer keeps the low bits, anything to Bool is "not zero".
uint64_t cast_scalar(uint64_t bits, DType from, DType to);

} // namespace asc
