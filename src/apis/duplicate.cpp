// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filling a tensor with one value.
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

namespace asc {
namespace {

constexpr DTypes kLanes16Or32 =
    DType::Int16 | DType::UInt16 | DType::Float16 | DType::BFloat16 | DType::Int32 | DType::UInt32 | DTypes(DType::Float32);

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kLanes16Or32, .doc = "destination"},
    {.name = "scalar", .kind = ArgKind::Number, .doc = "the value, converted to the element type"},
    {.name = "count",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = INT32_MAX,
     .doc = "number of elements, from the start of the tensor"},
    {.name = "mask", .kind = ArgKind::Int, .dtypes = DType::UInt64, .doc = "the first `mask` elements of every repeat take part"},
    {.name = "mask_bits",
     .kind = ArgKind::Mask,
     .doc = "[low, high]: bit k of the 128 bits turns on element k of every repeat",
     .python = "mask"},
    {.name = "repeat_times", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 255, .doc = "number of repeats of 256 bytes"},
    {.name = "dst_block_stride",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = 255,
     .doc = "blocks (32 bytes) from one block to the next within a repeat"},
    {.name = "dst_repeat_stride",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = 255,
     .doc = "blocks from one repeat to the next"},
    {.name = "is_set_mask",
     .kind = ArgKind::Flag,
     .default_value = 1,
     .doc = "False: use the mask registers as they are and ignore the mask argument"},
};
constexpr uint8_t kScalar = index_of(kArgs, "scalar");

constexpr VectorArgs kVector = [] {
  VectorArgs v;
  v.tensors[0] = {index_of(kArgs, "dst"), {index_of(kArgs, "dst_block_stride"), 0}, {index_of(kArgs, "dst_repeat_stride"), 0}};
  v.size = 1;
  v.count = index_of(kArgs, "count");
  v.mask = index_of(kArgs, "mask");
  v.mask_bits = index_of(kArgs, "mask_bits");
  v.repeat_times = index_of(kArgs, "repeat_times");
  v.is_set_mask = index_of(kArgs, "is_set_mask");
  return v;
}();

constexpr Form kForms[] = {
    {"Duplicate($dst, $scalar, $count)", "is_set_mask"},
    {"Duplicate<$T, $is_set_mask>($dst, $scalar, $mask, $repeat_times, $dst_block_stride, $dst_repeat_stride)"},
    {"Duplicate<$T, $is_set_mask>($dst, $scalar, $mask_bits, $repeat_times, $dst_block_stride, $dst_repeat_stride)"},
};

void duplicate(Exec &e) { Lanes(e).fill(kScalar); }

constexpr Row kRows[] = {
    {.name = "duplicate",
     .ascendc = "Duplicate",
     .pipe = Pipe::V,
     .args = kArgs,
     .forms = kForms,
     .rules = kVectorRules,
     .cost = {CostShape::Vector, "dup"},
     .access = vector_access,
     .run = duplicate,
     .registers = vector_registers,
     .doc = "Fills a tensor with one value: dst = scalar.",
     .source = "Ascend C, Duplicate",
     .vector = &kVector},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> duplicate_rows() { return kRows; }

} // namespace asc
