// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of lanes with a rounding mode. Without branches, so that loops over them vectorise; None rounds as Rint does.
#pragma once

#include "apis/numeric.h"

namespace asc {

/// Whether a magnitude, cut to `kept` whole steps, is rounded up to the next step. `rest` is what was cut off, `half` half of a step.
template <RoundMode M, class U> bool rounds_up(U kept, U rest, U half, bool negative) {
  switch (M) {
  case RoundMode::Floor: return negative && rest != 0;
  case RoundMode::Ceil: return !negative && rest != 0;
  case RoundMode::Round: return rest >= half;
  case RoundMode::Trunc: return false;
  case RoundMode::Odd: return rest != 0 && !(kept & 1);
  default: return rest > half || (rest == half && (kept & 1));
  }
}

/// The integer that a float is rounded to, as a float; zeros keep their sign, Inf and NaN stay.
template <RoundMode M> float whole(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), sign = bits & 0x80000000;
  const float magnitude = std::bit_cast<float>(bits ^ sign);
  const float nearest = (magnitude + 0x1p23f) - 0x1p23f; // the addition rounds to an integer
  const float below = nearest > magnitude ? nearest - 1.0f : nearest, above = below < magnitude ? below + 1.0f : below;
  float result = nearest;
  if constexpr (M == RoundMode::Floor) result = sign ? above : below;
  if constexpr (M == RoundMode::Ceil) result = sign ? below : above;
  if constexpr (M == RoundMode::Round) result = magnitude - below >= 0.5f ? below + 1.0f : below;
  if constexpr (M == RoundMode::Trunc) result = below;
  return magnitude < 0x1p23f ? std::bit_cast<float>(std::bit_cast<uint32_t>(result) | sign) : x;
}

template <RoundMode M> uint16_t to_half(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), sign = bits >> 31, magnitude = bits & 0x7FFFFFFF, exponent = magnitude >> 23;
  // What is cut: 13 bits of the mantissa, and more of what becomes a subnormal half; its leading 1 is no longer implied.
  const bool normal = exponent >= 113;
  const uint32_t significand = exponent ? (magnitude & 0x7FFFFF) | 0x800000 : magnitude;
  const uint32_t value = normal ? magnitude - (112u << 23) : significand;
  const uint32_t cut = normal ? 13 : exponent < 95 ? 31 : 126 - exponent;
  const uint32_t kept = value >> cut, rest = value & ((1u << cut) - 1);
  const uint32_t rounded = kept + rounds_up<M>(kept, rest, 1u << (cut - 1), sign);
  const uint32_t beyond = 0x7BFF + rounds_up<M>(0x7BFFu, 2u, 1u, sign); // the largest number, or Inf
  const uint32_t finite = magnitude >= 0x47800000 ? beyond : rounded;
  const uint32_t result = magnitude > 0x7F800000 ? assume::half_nan : (magnitude == 0x7F800000 ? 0x7C00u : finite) | sign << 15;
  return uint16_t(result);
}

template <RoundMode M> uint16_t to_bfloat16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), sign = bits >> 31, magnitude = bits & 0x7FFFFFFF;
  const uint32_t kept = magnitude >> 16, rounded = kept + rounds_up<M>(kept, magnitude & 0xFFFF, 0x8000u, sign);
  return uint16_t(magnitude > 0x7F800000 ? assume::float_nan >> 16 : rounded | sign << 15);
}

/// `x` is 0, or between 1 and 2^64 in magnitude.
template <RoundMode M> float to_float(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x), sign = bits >> 63, magnitude = bits & ~(uint64_t(1) << 63);
  const uint64_t kept = magnitude >> 29, rest = magnitude & ((1u << 29) - 1);
  const uint32_t rounded = uint32_t(kept + rounds_up<M>(kept, rest, uint64_t(1) << 28, sign)) - ((1023u - 127u) << 23);
  return std::bit_cast<float>(magnitude == 0 ? 0u : rounded | uint32_t(sign << 31));
}

/// The nearest number that T holds, of a float that is an integer; 0 of NaN.
template <std::integral T> T nearest_integer(float whole) {
  if constexpr (sizeof(T) < 4) {
    constexpr float low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    const float inside = whole != whole ? float(assume::nan_as_integer) : whole < low ? low : whole > high ? high : whole;
    return T(int32_t(inside));
  } else {
    constexpr float limit = sizeof(T) == 4 ? 0x1p31f : 0x1p63f;
    const bool fits = whole >= -limit && whole < limit;
    const T inside = T(fits ? whole : 0.0f), beyond = whole >= limit   ? std::numeric_limits<T>::max()
                                                      : whole < -limit ? std::numeric_limits<T>::min()
                                                                       : T(assume::nan_as_integer);
    return fits ? inside : beyond;
  }
}

/// The low bits of a float that is an integer, in two's complement; 0 of Inf and NaN.
inline uint64_t low_bits(float whole) {
  const uint32_t bits = std::bit_cast<uint32_t>(whole), magnitude = bits & 0x7FFFFFFF;
  const int shift = int(magnitude >> 23) - 150;
  const uint64_t significand = (magnitude & 0x7FFFFF) | 0x800000;
  const uint64_t value = shift > 63 || shift < -23 ? 0 : shift >= 0 ? significand << shift : significand >> -shift;
  return bits >> 31 ? 0 - value : value;
}

/// CTRL[48] = 0, for bfloat16: Inf becomes the largest number of its sign, NaN becomes 0.
inline uint16_t saturate_bfloat16(uint16_t b) {
  const uint16_t magnitude = b & 0x7FFF;
  return magnitude > 0x7F80 ? 0 : magnitude == 0x7F80 ? uint16_t(b - 1) : b;
}

} // namespace asc
