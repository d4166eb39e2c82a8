// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How close results are to the exact ones: what rows say of themselves, and pages tell.
#pragma once

#include "apis/api.h"

namespace asc::precision {

inline constexpr Precision exact = {"exact: no result is rounded", "bits are moved, chosen or counted"};
inline constexpr Precision rounded = {"correctly rounded: to nearest, ties to even; integers keep their low bits",
                                      "Ascend C, vector execution, arithmetic environment"};
inline constexpr Precision two_roundings = {"the product and the sum are correctly rounded, one after the other",
                                            "documented samples for float16; assumption \"multiply and add\""};
inline constexpr Precision converted_result = {"correctly rounded, then rounded to the type of dst: to nearest, ties to even",
                                               "assumption \"vector instructions that convert\""};
inline constexpr Precision sums = {"every addition is correctly rounded; their order is that of the description",
                                   "Ascend C, reductions; assumption \"sums of reductions\""};
inline constexpr Precision interpolated = {"every product and every sum is correctly rounded, row by row",
                                           "Ascend C, BilinearInterpolation"};
inline constexpr Precision dequantised = {"correctly rounded after every step of the conversion: to nearest, ties to even",
                                          "Ascend C, CastDeq and AddDeqRelu; assumption \"cast_deq of int16\""};
inline constexpr Precision converted = {"rounded once, as round_mode says", "Ascend C, Cast, rounding modes"};
inline constexpr Precision within_1_ulp = {"correctly rounded; on a device the last bit may differ (1 ulp)",
                                           "assumption \"div, exp, ln and sqrt\": the units are not documented to the last bit"};
inline constexpr Precision from_table = {
    "correctly rounded; a device takes it from a table, whose error is up to 2^-8 (8 ulp) in float16 and 2^-11 (4096 ulp) in float32, relative",
    "assumption \"rsqrt and reciprocal\"; the documents say that the error is above 10^-3 and 10^-4"};

} // namespace asc::precision
