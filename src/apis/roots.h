// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Square roots of floats, correctly rounded. The square root itself is an operation of IEEE 754: every machine has the same one.
#pragma once

#include "apis/numeric.h"

#include <cmath>

namespace asc {

/// A half lane is rounded twice, to float and to half; as for divisions, the first rounding is innocuous (24 >= 2 * 11 + 2).
inline float square_root(float x) { return quiet(std::sqrt(x)); }

/// Two roundings to double leave 1 / sqrt(x) closer than 2^-52; the closest that it comes to the middle of two floats is 2^-51.7 of it.
inline float inverse_square_root(float x, auto mode) { return float_for(1 / std::sqrt(double(x)), mode); }

} // namespace asc
