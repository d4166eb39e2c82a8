// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with one source: dst[i] = op(src[i]).
#include "apis/exponential.h"
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/logarithm.h"
#include "apis/precision.h"
#include "apis/roots.h"
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

void ln(Exec &e) {
  Lanes(e).unary<kFloats>([](auto a, auto mode) { return logarithm(a, mode); });
}

void sqrt(Exec &e) {
  Lanes(e).unary<kFloats>([](auto a, auto) { return square_root(a); });
}

// The tables of the two approximate units are not public (assumption "rsqrt and reciprocal").
void rsqrt(Exec &e) {
  Lanes(e).unary<kFloats>([](auto a, auto mode) { return inverse_square_root(a, mode); });
}
void reciprocal(Exec &e) {
  Lanes(e).unary<kFloats>([](auto a, auto mode) { return divided(1.0f, a, mode); });
}

constexpr DTypes kBits = DType::Int16 | DType::UInt16;
void bitwise_not(Exec &e) {
  Lanes(e).unary_on_bits([](auto a, auto) { return ~a; });
}

constexpr Row kRows[] = {
    unary<"Abs", kFloats>({.name = "abs",
                           .run = abs,
                           .precision = &precision::exact,
                           .doc = "Takes the absolute value of every element: dst = |src|; only the sign bit changes."}),
    unary<"Exp", kFloats>({.name = "exp",
                           .run = exp,
                           .precision = &precision::within_1_ulp,
                           .doc = "Raises e to every element: dst = e^src, correctly rounded."}),
    unary<"Relu", kRelu>({.name = "relu",
                          .run = relu,
                          .precision = &precision::exact,
                          .doc = "Keeps the positive part of every element: dst = max(src, 0)."}),
    unary<"Ln", kFloats>(
        {.name = "ln",
         .run = ln,
         .precision = &precision::within_1_ulp,
         .doc = "Takes the natural logarithm of every element: dst = ln(src), correctly rounded; -Inf for a zero, NaN below."}),
    unary<"Sqrt", kFloats>({.name = "sqrt",
                            .run = sqrt,
                            .precision = &precision::within_1_ulp,
                            .doc = "Takes the square root of every element: dst = sqrt(src), correctly rounded; NaN below zero."}),
    unary<"Rsqrt", kFloats>(
        {.name = "rsqrt",
         .run = rsqrt,
         .precision = &precision::from_table,
         .doc = "Takes the inverse of the square root of every element: dst = 1 / sqrt(src), correctly rounded. The device takes it from a "
                "table, with an error of up to 2^-8 (float16) or 2^-11 (float32); where that matters use sqrt and div."}),
    unary<"Reciprocal", kFloats>(
        {.name = "reciprocal",
         .cost = {.key = "rec"},
         .run = reciprocal,
         .precision = &precision::from_table,
         .doc =
             "Takes the inverse of every element: dst = 1 / src, correctly rounded. The device takes it from a table, with an error of up "
             "to 2^-8 (float16) or 2^-11 (float32); where that matters use div."}),
    unary<"Not", kBits>({.name = "bitwise_not",
                         .cost = {.key = "not"},
                         .run = bitwise_not,
                         .precision = &precision::exact,
                         .doc = "Inverts the bits of every element: dst = ~src."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_unary_rows() { return kRows; }

} // namespace asc
