// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// e to the power of a float, correctly rounded, in plain double arithmetic that vectorises: no table, no branch, no fused operation.
#pragma once

#include "apis/numeric.h"

namespace asc {

/// With x = k ln 2 + r and |r| <= ln 2 / 2, e^x is 2^k (1 + r + r^2 q(r)); q is the polynomial of least relative error (2^-51.6). x is
/// taken within limits where e^x rounds to 0 and to infinity.
inline double nearly_exponential(float x) {
  constexpr double low = -104, high = 89;
  constexpr double to_integer = 0x1.8p52 + 1023; // puts an integer, and the bias of exponents, into the low bits of a sum
  const double bounded = x < low ? low : x > high ? high : double(x);
  const double sum = bounded * 0x1.71547652b82fep0 + to_integer, k = sum - to_integer;
  const double r = bounded - k * 0x1.62e42fefa0000p-1 - k * 0x1.cf79abc9e3b39p-40; // the first product and difference are exact
  const double r2 = r * r, r4 = r2 * r2;
  const double q0 = 0x1.ffffffffffed2p-2 + r * 0x1.55555555507b6p-3, q2 = 0x1.555555558916ap-5 + r * 0x1.11111125b6f7fp-7;
  const double q4 = 0x1.6c16c0c817e37p-10 + r * 0x1.a0198d4cc57fep-13, q6 = 0x1.a01b7c77b67d8p-16 + r * 0x1.72e92847816d6p-19;
  const double q = (q0 + r2 * q2) + r4 * ((q4 + r2 * q6) + r4 * 0x1.270798b6398f9p-22);
  const double power_of_two = std::bit_cast<double>(std::bit_cast<uint64_t>(sum) << 52);
  return power_of_two + power_of_two * (r + r2 * q);
}

/// That the double before the last rounding is off by up to 2^-51 does no harm: only few floats x have an e^x so close to the middle of two
/// floats that it could, and these come out right; the tests know them.
inline float exponential(float x, auto mode) { return float_for(nearly_exponential(x), mode); }

} // namespace asc
