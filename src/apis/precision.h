// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How close results are to the exact ones: what rows say of themselves, and pages tell.
#pragma once

#include "apis/api.h"

namespace asc::precision {

inline constexpr Precision exact = {"exact: no result is rounded", "bits are moved, chosen or counted"};
inline constexpr Precision rounded = {"correctly rounded: to nearest, ties to even; integers keep their low bits",
                                      "Ascend C, vector execution, arithmetic environment"};
inline constexpr Precision steps = {
    "correctly rounded after every step of the formula: to nearest, ties to even",
    "documented samples for float16; assumptions \"multiply and add\", \"vector instructions that convert\" and \"sums of reductions\""};
inline constexpr Precision dequantised = {"correctly rounded after every step of the conversion: to nearest, ties to even",
                                          "Ascend C, CastDeq and AddDeqRelu; assumption \"cast_deq of int16\""};
inline constexpr Precision converted = {"rounded once, as round_mode says", "Ascend C, Cast, rounding modes"};
inline constexpr Precision within_1_ulp = {"correctly rounded; on a device the last bit may differ (1 ulp)",
                                           "assumption \"div, exp, ln and sqrt\": the units are not documented to the last bit"};
inline constexpr Precision from_table = {
    "correctly rounded; a device takes it from a table, whose error is up to 2^-8 (8 ulp) in float16 and 2^-11 (4096 ulp) in float32, relative",
    "assumption \"rsqrt and reciprocal\"; the documents say that the error is above 10^-3 and 10^-4"};

} // namespace asc::precision
