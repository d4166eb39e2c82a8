// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with two sources: dst[i] = op(src0[i], src1[i]).
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

namespace asc {
namespace {

constexpr DTypes k16Bits = DType::Int16 | DType::UInt16;

template <DTypes Types, Role Dst>
constexpr Arg kArgs[] = {
    {.name = "dst",
     .kind = ArgKind::Local,
     .role = Dst,
     .dtypes = Types,
     .doc = Dst == Role::InOut ? "factor, and destination" : "destination"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = Types, .doc = "first source"},
    {.name = "src1", .kind = ArgKind::Local, .dtypes = Types, .doc = "second source"},
    kCount,
    mask_number(DType::Int64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("BinaryRepeatParams"),
    kIsSetMask,
};

constexpr VectorArgs kVector = vector_args(kArgs<kArithmetic, Role::Out>); // the same places in all rows
constexpr VectorArgs kChaining = [] {
  VectorArgs v = kVector;
  v.chain = 2; // src1
  return v;
}();

template <Text F>
constexpr Form kForms[] = {
    {joined<F, "($dst, $src0, $src1, $count)">, "is_set_mask"},
    {joined<F, "<$T, $is_set_mask>($dst, $src0, $src1, $mask, $repeat_times, $repeat_params)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src0, $src1, $mask_bits, $repeat_times, $repeat_params)">},
};

/// A row of this family: what differs is the Ascend C function, the element types, whether dst is read, and the name, function and doc in
/// `row`.
template <Text F, DTypes Types, Role Dst = Role::Out> constexpr Row binary(Row row) {
  row.ascendc = std::string_view(F.data, F.size);
  row.forms = kForms<F>;
  row.source = "Ascend C, element-wise vector instructions with two sources";
  return vector_row(row, kArgs<Types, Dst>, kVector);
}
/// One whose repeats may be chained through dst and src1.
template <Text F, DTypes Types> constexpr Row chaining(Row row) {
  row = binary<F, Types>(row);
  row.vector = &kChaining;
  return row;
}

// ---------------------------------------------------------------- the instructions

void add(Exec &e) {
  Lanes(e).binary<kArithmetic>([](auto a, auto b, auto mode) { return plus(a, b, mode); });
}
void sub(Exec &e) {
  Lanes(e).binary<kArithmetic>([](auto a, auto b, auto mode) { return minus(a, b, mode); });
}
void mul(Exec &e) {
  Lanes(e).binary<kArithmetic>([](auto a, auto b, auto mode) { return times(a, b, mode); });
}
void div(Exec &e) {
  Lanes(e).binary<kFloats>([](auto a, auto b, auto mode) { return divided(a, b, mode); });
}
void max(Exec &e) {
  Lanes(e).binary<kArithmetic>([](auto a, auto b, auto) { return maximum(a, b); });
}
void min(Exec &e) {
  Lanes(e).binary<kArithmetic>([](auto a, auto b, auto) { return minimum(a, b); });
}
void bitwise_and(Exec &e) {
  Lanes(e).binary<k16Bits>([](auto a, auto b, auto) { return a & b; });
}
void bitwise_or(Exec &e) {
  Lanes(e).binary<k16Bits>([](auto a, auto b, auto) { return a | b; });
}

constexpr DTypes kRelu = kFloats | DType::Int16;
void add_relu(Exec &e) {
  Lanes(e).binary<kRelu>([](auto a, auto b, auto mode) { return maximum(plus(a, b, mode), decltype(a)(0)); });
}
void sub_relu(Exec &e) {
  Lanes(e).binary<kRelu>([](auto a, auto b, auto mode) { return maximum(minus(a, b, mode), decltype(a)(0)); });
}

void fused_mul_add(Exec &e) {
  Lanes(e).binary_onto_dst<kFloats>([](auto a, auto b, auto dst, auto mode) { return multiplied_and_added(a, dst, b, mode); });
}
void fused_mul_add_relu(Exec &e) {
  Lanes(e).binary_onto_dst<kFloats>(
      [](auto a, auto b, auto dst, auto mode) { return maximum(multiplied_and_added(a, dst, b, mode), 0.0f); });
}

constexpr Row kRows[] = {
    chaining<"Add", kArithmetic>(
        {.name = "add", .run = add, .precision = &precision::rounded, .doc = "Adds element by element: dst = src0 + src1."}),
    chaining<"Sub", kArithmetic>(
        {.name = "sub", .run = sub, .precision = &precision::rounded, .doc = "Subtracts element by element: dst = src0 - src1."}),
    chaining<"Mul", kArithmetic>({.name = "mul",
                                  .run = mul,
                                  .precision = &precision::rounded,
                                  .doc = "Multiplies element by element: dst = src0 * src1; integers keep the low half of the product."}),
    binary<"Div", kFloats>({.name = "div",
                            .run = div,
                            .precision = &precision::within_1_ulp,
                            .doc = "Divides element by element: dst = src0 / src1, correctly rounded; x / 0 is an infinity, 0 / 0 NaN."}),
    chaining<"Max", kArithmetic>({.name = "max",
                                  .run = max,
                                  .precision = &precision::exact,
                                  .doc = "Takes the larger element: dst = max(src0, src1); a NaN in either source gives NaN."}),
    chaining<"Min", kArithmetic>({.name = "min",
                                  .run = min,
                                  .precision = &precision::exact,
                                  .doc = "Takes the smaller element: dst = min(src0, src1); a NaN in either source gives NaN."}),
    binary<"And", k16Bits>({.name = "bitwise_and",
                            .cost = {.key = "and"},
                            .run = bitwise_and,
                            .precision = &precision::exact,
                            .doc = "Combines the bits of elements: dst = src0 & src1."}),
    binary<"Or", k16Bits>({.name = "bitwise_or",
                           .cost = {.key = "or"},
                           .run = bitwise_or,
                           .precision = &precision::exact,
                           .doc = "Combines the bits of elements: dst = src0 | src1."}),
    chaining<"AddRelu", kRelu>({.name = "add_relu",
                                .cost = {.key = "add"},
                                .run = add_relu,
                                .precision = &precision::rounded,
                                .doc = "Adds element by element and keeps the positive part: dst = max(src0 + src1, 0)."}),
    chaining<"SubRelu", kRelu>({.name = "sub_relu",
                                .cost = {.key = "sub"},
                                .run = sub_relu,
                                .precision = &precision::rounded,
                                .doc = "Subtracts element by element and keeps the positive part: dst = max(src0 - src1, 0)."}),
    binary<"FusedMulAdd", kFloats, Role::InOut>(
        {.name = "fused_mul_add",
         .cost = {.key = "madd"},
         .run = fused_mul_add,
         .precision = &precision::two_roundings,
         .doc = "Multiplies by dst and adds: dst = src0 * dst + src1; the product is rounded to the element type before the sum."}),
    binary<"FusedMulAddRelu", kFloats, Role::InOut>(
        {.name = "fused_mul_add_relu",
         .cost = {.key = "madd"},
         .run = fused_mul_add_relu,
         .precision = &precision::two_roundings,
         .doc =
             "Multiplies by dst, adds and keeps the positive part: dst = max(src0 * dst + src1, 0); the product is rounded to the element "
             "type before the sum."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_binary_rows() { return kRows; }

} // namespace asc
