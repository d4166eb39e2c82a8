// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar conversions.
#include "apis/numeric.h"

#include <cmath>

namespace asc {
namespace {

/// A scalar taken out of its register: exactly one of an integer (by signedness) or a double (exact for every float type).
struct Value {
  bool is_float = false, is_signed = false;
  double real = 0;
  uint64_t integer = 0;
};

Value unpack(uint64_t bits, DType from) {
  switch (from) {
  case DType::Float16: return {true, true, half_to_float(uint16_t(bits))};
  case DType::BFloat16: return {true, true, bfloat16_to_float(uint16_t(bits))};
  case DType::Float32: return {true, true, std::bit_cast<float>(uint32_t(bits))};
  case DType::Float64: return {true, true, std::bit_cast<double>(bits)};
  default: return {false, info(from).is_signed, 0, extend_scalar(bits, from)};
  }
}

/// Truncates toward zero and clamps to the range of an integer of `width` bits.
uint64_t truncate(double real, unsigned width, bool is_signed) {
  if (real != real) return uint64_t(assume::nan_as_integer);
  const double limit =
      is_signed ? std::bit_cast<double>(uint64_t(1023 + width - 1) << 52) : std::bit_cast<double>(uint64_t(1023 + width) << 52);
  const uint64_t all = ~uint64_t(0) >> (64 - width);
  if (is_signed) {
    if (real >= limit) return all >> 1;
    if (real < -limit) return ~(all >> 1);
    return uint64_t(int64_t(real));
  }
  if (real >= limit) return all;
  return real <= 0 ? 0 : uint64_t(real);
}

uint64_t to_float32(const Value &value) {
  float f;
  if (value.is_float)
    f = quiet(float(value.real));
  else
    f = value.is_signed ? float(int64_t(value.integer)) : float(value.integer);
  return std::bit_cast<uint32_t>(f);
}

uint64_t to_float64(const Value &value) {
  if (value.is_float) return value.real != value.real ? assume::double_nan : std::bit_cast<uint64_t>(value.real);
  return std::bit_cast<uint64_t>(value.is_signed ? double(int64_t(value.integer)) : double(value.integer));
}

double odd_double(const Value &value) {
  if (value.is_float) return value.real;
  return value.is_signed ? to_odd_double(int64_t(value.integer)) : to_odd_double(value.integer);
}

} // namespace

float to_odd_float(double value) {
  const float nearest = float(value);
  if (double(nearest) == value || value != value) return nearest;
  // The neighbour toward zero, and then the odd one of the two floats around `value`.
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  const bool away = (double(nearest) > value) == (value > 0);
  if (away) --bits; // magnitudes are ordered like their bits; Inf steps down to the largest number
  return std::bit_cast<float>(bits | 1);
}

uint16_t to_odd_half(float value) {
  const uint16_t nearest = float_to_half(value);
  const float back = half_to_float(nearest);
  if (back == value || value != value) return nearest;
  return uint16_t((nearest - (std::fabs(back) > std::fabs(value))) | 1);
}

double rounded_to_integer(float value, RoundMode mode) {
  const double exact = value, below = std::floor(exact), part = exact - below; // of Inf and NaN, part is NaN and below they themselves
  const bool odd = below != 2 * std::floor(below / 2);
  switch (mode) {
  case RoundMode::Rint: return below + (part > 0.5 || (part == 0.5 && odd));
  case RoundMode::Ceil: return std::ceil(exact);
  case RoundMode::Round: return below + (part > 0.5 || (part == 0.5 && exact > 0));
  case RoundMode::Trunc: return exact < 0 ? std::ceil(exact) : below;
  default: return below;
  }
}

double to_odd_double(uint64_t value) {
  const unsigned width = 64 - unsigned(std::countl_zero(value));
  if (width <= 53) return double(value);
  const unsigned drop = width - 53;
  const uint64_t kept = value >> drop, lost = value & ((uint64_t(1) << drop) - 1);
  return double((kept | (lost != 0)) << drop);
}

double to_odd_double(int64_t value) {
  const uint64_t magnitude = value < 0 ? uint64_t(0) - uint64_t(value) : uint64_t(value);
  return value < 0 ? -to_odd_double(magnitude) : to_odd_double(magnitude);
}

uint64_t extend_scalar(uint64_t bits, DType dtype) {
  switch (dtype) {
  case DType::Bool: return bits & 1;
  case DType::Int8: return uint64_t(int64_t(int8_t(bits)));
  case DType::Int16: return uint64_t(int64_t(int16_t(bits)));
  case DType::Int32: return uint64_t(int64_t(int32_t(bits)));
  case DType::UInt8: return uint8_t(bits);
  case DType::UInt16:
  case DType::Float16:
  case DType::BFloat16: return uint16_t(bits);
  case DType::UInt32:
  case DType::Float32: return uint32_t(bits);
  default: return bits;
  }
}

uint64_t cast_scalar(uint64_t bits, DType from, DType to) {
  const Value value = unpack(bits, from);
  switch (to) {
  case DType::Bool: return value.is_float ? value.real != 0 : value.integer != 0;
  case DType::Float16: return double_to_half(odd_double(value));
  case DType::BFloat16: return double_to_bfloat16(odd_double(value));
  case DType::Float32: return to_float32(value);
  case DType::Float64: return to_float64(value);
  default: return extend_scalar(value.is_float ? truncate(value.real, 8 * size_of(to), info(to).is_signed) : value.integer, to);
  }
}

} // namespace asc
