// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rows of all vector instructions share: the arguments besides tensors and scalars, where they are, rules, pipe and effects.
#pragma once

#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

namespace asc {

// Element types that several rows have.
inline constexpr DTypes kFloats = DType::Float16 | DType::Float32;
inline constexpr DTypes k16Or32Bits =
    DType::Int16 | DType::UInt16 | DType::Float16 | DType::BFloat16 | DType::Int32 | DType::UInt32 | DTypes(DType::Float32);
inline constexpr DTypes kArithmetic = kFloats | DType::Int16 | DType::Int32;

inline constexpr Arg kCount = {.name = "count",
                               .kind = ArgKind::Int,
                               .dtypes = DType::Int32,
                               .low = 0,
                               .high = INT32_MAX,
                               .doc = "number of elements, from the start of the tensors"};
/// `emitted_as`: type of the Ascend C parameter.
constexpr Arg mask_number(DType emitted_as) {
  return {.name = "mask",
          .kind = ArgKind::Int,
          .dtypes = emitted_as,
          .low = 0,
          .doc = "the first `mask` elements of every repeat take part; more than a repeat has are all of them"};
}
inline constexpr Arg kMaskBits = {.name = "mask_bits",
                                  .kind = ArgKind::Mask,
                                  .doc = "[low, high]: bit k of the 128 bits turns on element k of every repeat",
                                  .python = "mask"};
inline constexpr Arg kRepeatTimes = {
    .name = "repeat_times", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 255, .doc = "number of repeats of 256 bytes"};
inline constexpr Arg kIsSetMask = {.name = "is_set_mask",
                                   .kind = ArgKind::Flag,
                                   .default_value = 1,
                                   .doc = "False: use the mask registers as they are and ignore count or mask"};

/// Strides of all tensors in a struct: those between blocks first, then those between repeats, in the order of the tensors.
constexpr Arg repeat_params(std::string_view type) {
  return {.name = "repeat_params", .kind = ArgKind::Struct, .type = type, .doc = "strides within and between repeats"};
}
/// The strides of dst, of an instruction that has no struct for them.
inline constexpr Arg kDstBlockStride = {.name = "dst_block_stride",
                                        .kind = ArgKind::Int,
                                        .dtypes = DType::Int32,
                                        .low = 0,
                                        .high = 255,
                                        .doc = "blocks (32 bytes) from one block to the next within a repeat"};
inline constexpr Arg kDstRepeatStride = {.name = "dst_repeat_stride",
                                         .kind = ArgKind::Int,
                                         .dtypes = DType::Int32,
                                         .low = 0,
                                         .high = 255,
                                         .doc = "blocks from one repeat to the next"};

/// Finds the arguments above by their names.
constexpr VectorArgs vector_args(std::span<const Arg> args) {
  static_assert(VectorArgs::kNone == Layout::kAbsent);
  const auto find = [&](std::string_view name) { return find_index(args, name); };
  VectorArgs v;
  for (uint8_t i = 0; i < args.size(); ++i)
    if (args[i].is_tensor()) v.tensors[v.size++].arg = i;
  const uint8_t params = find("repeat_params");
  if (params == VectorArgs::kNone) {
    v.tensors[0].block_stride = {find("dst_block_stride")};
    v.tensors[0].repeat_stride = {find("dst_repeat_stride")};
  }
  for (uint8_t t = 0; params != VectorArgs::kNone && t < v.size; ++t) {
    v.tensors[t].block_stride = {params, t};
    v.tensors[t].repeat_stride = {params, uint8_t(v.size + t)};
  }
  v.count = find("count");
  v.mask = find("mask");
  v.mask_bits = find("mask_bits");
  v.repeat_times = find("repeat_times");
  v.is_set_mask = find("is_set_mask");
  return v;
}

/// `row` as a vector instruction with these arguments.
constexpr Row vector_row(Row row, std::span<const Arg> args, const VectorArgs &places) {
  row.pipe = Pipe::V;
  row.args = args;
  if (row.rules.empty()) row.rules = kVectorRules;
  row.cost = {CostShape::Vector, row.cost.key.empty() ? row.name : row.cost.key};
  if (!row.access) row.access = vector_access;
  row.registers = vector_registers;
  row.vector = &places;
  return row;
}

} // namespace asc
