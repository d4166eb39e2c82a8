// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The natural logarithm of a float, correctly rounded, in plain double arithmetic that vectorises: no table, no branch, no fused operation.
#pragma once

#include "apis/numeric.h"

namespace asc {

/// ln(x) of a positive finite x, rounded to odd from a sum of two doubles that is off by less than 2^-56 of it: the tests have compared all
/// floats.
///
/// With x = 2^k (1 + f) and 1 + f between the roots of 1/2 and 2, ln(x) = k ln 2 + f - f^2/2 + s (f^2/2 + r(s^2)), s = f / (2 + f). f and
/// its square are exact, so that only the last product, which is small, and the part of ln 2 that is added to it are rounded. r(z) / z is
/// the polynomial through the series 2/3 + 2/5 z + 2/7 z^2 + ... at the eight Chebyshev points of the interval of z (error 2^-60 of ln(1 +
/// f)).
inline double nearly_logarithm(float x) {
  constexpr uint64_t root_of_half = 0x3FE6A09E667F3BCD, one = 0x3FF0000000000000;
  const uint64_t bits = std::bit_cast<uint64_t>(double(x)), exponent = (bits + (one - root_of_half)) >> 52;
  const double f = std::bit_cast<double>(bits - ((exponent - 1023) << 52)) - 1;
  const double k = std::bit_cast<double>(0x4330000000000000 | exponent) - (0x1p52 + 1023);

  const double half_square = 0.5 * f * f, s = f / (2 + f), z = s * s, z2 = z * z, z4 = z2 * z2;
  const double r01 = 0x1.5555555555555p-1 + z * 0x1.9999999999a38p-2, r23 = 0x1.2492492476ccbp-2 + z * 0x1.c71c7201592afp-3;
  const double r45 = 0x1.745cf90485b72p-3 + z * 0x1.3b1c355c49df7p-3, r67 = 0x1.0fbe95a8ce3f7p-3 + z * 0x1.0c039e2d97702p-3;
  const double r = z * ((r01 + z2 * r23) + z4 * (r45 + z2 * r67));

  // Sums of a larger and a smaller number, and what they have lost; the product with the first part of ln 2 is exact.
  const double f_part = f - half_square, f_lost = (f - f_part) - half_square;
  const double k_part = k * 0x1.62e42fefa0000p-1, large = k_part + f_part, large_lost = f_part - (large - k_part);
  const double small = ((k * 0x1.cf79abc9e3b39p-40 + f_lost) + large_lost) + s * (half_square + r);
  const double sum = large + small, lost = small - (sum - large);

  const uint64_t nearest = std::bit_cast<uint64_t>(sum), beyond = (lost < 0) == (sum < 0) ? nearest + 1 : nearest - 1;
  return std::bit_cast<double>(lost == 0 || (nearest & 1) ? nearest : beyond);
}

inline float logarithm(float x, auto mode) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float special = x == 0  ? -infinity
                        : x > 0 ? x
                                : std::bit_cast<float>(assume::float_nan),
              value = float_for(nearly_logarithm(x), mode);
  return x > 0 && x < infinity ? value : special;
}

} // namespace asc
