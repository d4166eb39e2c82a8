// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legality rules that several families share. A rule of one family stands in its file; codes count up over all of them.
#pragma once

#include "apis/api.h"

namespace asc {

extern const Rule argument_dtype;       // R101
extern const Rule equal_dtypes;         // R102
extern const Rule in_unified_buffer;    // R103
extern const Rule aligned_start;        // R104
extern const Rule value_range;          // R105
extern const Rule mask_in_counter_mode; // R107
extern const Rule block_stride_of_dst;  // R108
extern const Rule no_partial_overlap;   // R109
extern const Rule inside_tensor;        // R110
extern const Rule type_pairs;           // R117
// R111 to R113: data_copy.cpp; R114: mask.cpp; R115: sync.cpp; R116: vector_scalar.cpp; R118: dequantise.cpp;
// R119: bilinear_interpolation.cpp; R121 to R123: data_copy_pad.cpp; R124: scalar_functions.cpp;
// R125 to R128: dump.cpp; R129: block_sync.cpp; R140: dequantise.cpp; R141: cast.cpp; R142 to R146: compare_select.cpp;
// R160: atomic.cpp; R161: cache.cpp
// R164 to R166: data_copy.cpp; R170 to R172: transpose.cpp

/// The rules of every vector instruction on tensors in the unified buffer.
inline constexpr const Rule *kVectorRules[] = {&argument_dtype,      &equal_dtypes,       &in_unified_buffer,
                                               &aligned_start,       &value_range,        &mask_in_counter_mode,
                                               &block_stride_of_dst, &no_partial_overlap, &inside_tensor};

/// The same where dst may have another element type than the sources (VectorArgs::pairs).
inline constexpr const Rule *kConvertingRules[] = {&argument_dtype,      &type_pairs,         &in_unified_buffer,
                                                   &aligned_start,       &value_range,        &mask_in_counter_mode,
                                                   &block_stride_of_dst, &no_partial_overlap, &inside_tensor};

// Words for messages.
std::string place_of(const Call &call, unsigned arg);                 // where a tensor is: "VECIN", or "UB"
std::string quote(std::string_view argument, std::string_view value); // "count is 20"
std::string list_of(DTypes dtypes);                                   // "int16, float16 or float32"
std::string per_repeat(DType dtype);                                  // "float32 has 64 elements in a repeat of 256 bytes"

} // namespace asc
