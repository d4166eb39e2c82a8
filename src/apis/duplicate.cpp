// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filling a tensor with one value.
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

namespace asc {
namespace {

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = k16Or32Bits, .doc = "destination"},
    {.name = "scalar", .kind = ArgKind::Number, .doc = "the value, converted to the element type"},
    kCount,
    mask_number(DType::UInt64),
    kMaskBits,
    kRepeatTimes,
    kDstBlockStride,
    kDstRepeatStride,
    kIsSetMask,
};
constexpr uint8_t kScalar = index_of(kArgs, "scalar");

constexpr VectorArgs kVector = vector_args(kArgs);

constexpr Form kForms[] = {
    {"Duplicate($dst, $scalar, $count)", "is_set_mask"},
    {"Duplicate<$T, $is_set_mask>($dst, $scalar, $mask, $repeat_times, $dst_block_stride, $dst_repeat_stride)"},
    {"Duplicate<$T, $is_set_mask>($dst, $scalar, $mask_bits, $repeat_times, $dst_block_stride, $dst_repeat_stride)"},
};

void duplicate(Exec &e) { Lanes(e).fill(kScalar); }

constexpr Row kRows[] = {
    vector_row({.name = "duplicate",
                .ascendc = "Duplicate",
                .forms = kForms,
                .cost = {.key = "dup"},
                .run = duplicate,
                .precision = &precision::exact,
                .doc = "Fills a tensor with one value: dst = scalar.",
                .source = "Ascend C, Duplicate"},
               kArgs, kVector),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> duplicate_rows() { return kRows; }

} // namespace asc
