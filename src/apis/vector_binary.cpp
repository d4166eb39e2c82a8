// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with two sources: dst[i] = op(src0[i], src1[i]).
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/vector_row.h"

namespace asc {
namespace {

constexpr DTypes kArithmetic = DType::Int16 | DType::Int32 | DType::Float16 | DTypes(DType::Float32);

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kArithmetic, .doc = "destination"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = kArithmetic, .doc = "first source"},
    {.name = "src1", .kind = ArgKind::Local, .dtypes = kArithmetic, .doc = "second source"},
    kCount,
    mask_number(DType::Int64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("BinaryRepeatParams"),
    kIsSetMask,
};

constexpr VectorArgs kVector = [] {
  VectorArgs v = vector_args(kArgs);
  v.chain = 2; // src1
  return v;
}();

template <Text F>
constexpr Form kForms[] = {
    {joined<F, "($dst, $src0, $src1, $count)">, "is_set_mask"},
    {joined<F, "<$T, $is_set_mask>($dst, $src0, $src1, $mask, $repeat_times, $repeat_params)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src0, $src1, $mask_bits, $repeat_times, $repeat_params)">},
};

/// A row of this family: what differs is the Ascend C function, and the name, function and doc in `row`.
template <Text F> constexpr Row binary(Row row) {
  row.ascendc = std::string_view(F.data, F.size);
  row.forms = kForms<F>;
  row.source = "Ascend C, element-wise vector instructions with two sources";
  return vector_row(row, kArgs, kVector);
}

// ---------------------------------------------------------------- the instructions

void add(Exec &e) {
  Lanes(e).binary([](auto a, auto b, auto mode) { return plus(a, b, mode); });
}
void sub(Exec &e) {
  Lanes(e).binary([](auto a, auto b, auto mode) { return minus(a, b, mode); });
}
void mul(Exec &e) {
  Lanes(e).binary([](auto a, auto b, auto mode) { return times(a, b, mode); });
}
void max(Exec &e) {
  Lanes(e).binary([](auto a, auto b, auto) { return maximum(a, b); });
}
void min(Exec &e) {
  Lanes(e).binary([](auto a, auto b, auto) { return minimum(a, b); });
}

constexpr Row kRows[] = {
    binary<"Add">({.name = "add", .run = add, .doc = "Adds element by element: dst = src0 + src1."}),
    binary<"Sub">({.name = "sub", .run = sub, .doc = "Subtracts element by element: dst = src0 - src1."}),
    binary<"Mul">(
        {.name = "mul", .run = mul, .doc = "Multiplies element by element: dst = src0 * src1; integers keep the low half of the product."}),
    binary<"Max">({.name = "max", .run = max, .doc = "Takes the larger element: dst = max(src0, src1); a NaN in either source gives NaN."}),
    binary<"Min">(
        {.name = "min", .run = min, .doc = "Takes the smaller element: dst = min(src0, src1); a NaN in either source gives NaN."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_binary_rows() { return kRows; }

} // namespace asc
