// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with two sources: dst[i] = op(src0[i], src1[i]).
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

namespace asc {
namespace {

constexpr DTypes kArithmetic = DType::Int16 | DType::Int32 | DType::Float16 | DTypes(DType::Float32);

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kArithmetic, .doc = "destination"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = kArithmetic, .doc = "first source"},
    {.name = "src1", .kind = ArgKind::Local, .dtypes = kArithmetic, .doc = "second source"},
    {.name = "count",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = INT32_MAX,
     .doc = "number of elements, from the start of the tensors"},
    {.name = "mask", .kind = ArgKind::Int, .dtypes = DType::Int64, .doc = "the first `mask` elements of every repeat take part"},
    {.name = "mask_bits",
     .kind = ArgKind::Mask,
     .doc = "[low, high]: bit k of the 128 bits turns on element k of every repeat",
     .python = "mask"},
    {.name = "repeat_times", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 255, .doc = "number of repeats of 256 bytes"},
    {.name = "repeat_params", .kind = ArgKind::Struct, .type = "BinaryRepeatParams", .doc = "strides within and between repeats"},
    {.name = "is_set_mask",
     .kind = ArgKind::Flag,
     .default_value = 1,
     .doc = "False: use the mask registers as they are and ignore the mask argument"},
};

constexpr VectorArgs kVector = [] {
  const uint8_t params = index_of(kArgs, "repeat_params");
  VectorArgs v;
  v.tensors[0] = {index_of(kArgs, "dst"), {params, 0}, {params, 3}};
  v.tensors[1] = {index_of(kArgs, "src0"), {params, 1}, {params, 4}};
  v.tensors[2] = {index_of(kArgs, "src1"), {params, 2}, {params, 5}};
  v.size = 3;
  v.count = index_of(kArgs, "count");
  v.mask = index_of(kArgs, "mask");
  v.mask_bits = index_of(kArgs, "mask_bits");
  v.repeat_times = index_of(kArgs, "repeat_times");
  v.is_set_mask = index_of(kArgs, "is_set_mask");
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
  row.pipe = Pipe::V;
  row.args = kArgs;
  row.forms = kForms<F>;
  row.rules = kVectorRules;
  row.cost = {CostShape::Vector, row.name};
  row.access = vector_access;
  row.registers = vector_registers;
  row.source = "Ascend C, element-wise vector instructions with two sources";
  row.vector = &kVector;
  return row;
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
