// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with one source: dst[i] = op(src[i]).
#include "apis/exponential.h"
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/vector_row.h"

namespace asc {
namespace {

template <DTypes Types>
constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = Types, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = Types, .doc = "source"},
    kCount,
    mask_number(DType::UInt64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("UnaryRepeatParams"),
    kIsSetMask,
};

constexpr VectorArgs kVector = vector_args(kArgs<kFloats>); // the same places in all rows

template <Text F>
constexpr Form kForms[] = {
    {joined<F, "($dst, $src, $count)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $mask, $repeat_times, $repeat_params)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $mask_bits, $repeat_times, $repeat_params)">},
};

/// A row of this family: what differs is the Ascend C function, the element types, and the name, function and doc in `row`.
template <Text F, DTypes Types> constexpr Row unary(Row row) {
  row.ascendc = std::string_view(F.data, F.size);
  row.forms = kForms<F>;
  row.source = "Ascend C, element-wise vector instructions with one source";
  return vector_row(row, kArgs<Types>, kVector);
}

// ---------------------------------------------------------------- the instructions

void abs(Exec &e) {
  Lanes(e).unary_on_bits([](auto a, auto) { return a & decltype(a)(-1) >> 1; });
}

constexpr DTypes kRelu = kFloats | DType::Int32;
void relu(Exec &e) {
  Lanes(e).unary<kRelu>([](auto a, auto) { return maximum(a, decltype(a)(0)); });
}

void exp(Exec &e) {
  Lanes(e).unary<kFloats>([](auto a, auto mode) { return exponential(a, mode); });
}

constexpr Row kRows[] = {
    unary<"Abs", kFloats>(
        {.name = "abs", .run = abs, .doc = "Takes the absolute value of every element: dst = |src|; only the sign bit changes."}),
    unary<"Exp", kFloats>({.name = "exp", .run = exp, .doc = "Raises e to every element: dst = e^src, correctly rounded."}),
    unary<"Relu", kRelu>({.name = "relu", .run = relu, .doc = "Keeps the positive part of every element: dst = max(src, 0)."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_unary_rows() { return kRows; }

} // namespace asc
