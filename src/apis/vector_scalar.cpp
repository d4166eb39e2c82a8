// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with a scalar: dst[i] = op(src[i], scalar).
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

namespace asc {
namespace {

constexpr DTypes kArithmetic = DType::Int16 | DType::Int32 | DType::Float16 | DTypes(DType::Float32);

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kArithmetic, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = kArithmetic, .doc = "source"},
    {.name = "scalar", .kind = ArgKind::Number, .doc = "second operand of every element, converted to the element type"},
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
    {.name = "repeat_params", .kind = ArgKind::Struct, .type = "UnaryRepeatParams", .doc = "strides within and between repeats"},
    {.name = "is_set_mask",
     .kind = ArgKind::Flag,
     .default_value = 1,
     .doc = "False: use the mask registers as they are and ignore count or mask"},
};
constexpr uint8_t kScalar = index_of(kArgs, "scalar");

constexpr VectorArgs kVector = [] {
  const uint8_t params = index_of(kArgs, "repeat_params");
  VectorArgs v;
  v.tensors[0] = {index_of(kArgs, "dst"), {params, 0}, {params, 2}};
  v.tensors[1] = {index_of(kArgs, "src"), {params, 1}, {params, 3}};
  v.size = 2;
  v.count = index_of(kArgs, "count");
  v.mask = index_of(kArgs, "mask");
  v.mask_bits = index_of(kArgs, "mask_bits");
  v.repeat_times = index_of(kArgs, "repeat_times");
  v.is_set_mask = index_of(kArgs, "is_set_mask");
  return v;
}();

template <Text F>
constexpr Form kForms[] = {
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $count)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $mask, $repeat_times, $repeat_params)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $mask_bits, $repeat_times, $repeat_params)">},
};

/// A row of this family: what differs is the Ascend C function, and the name, function and doc in `row`.
template <Text F> constexpr Row with_scalar(Row row) {
  row.ascendc = std::string_view(F.data, F.size);
  row.pipe = Pipe::V;
  row.args = kArgs;
  row.forms = kForms<F>;
  row.rules = kVectorRules;
  row.cost = {CostShape::Vector, row.name};
  row.access = vector_access;
  row.registers = vector_registers;
  row.source = "Ascend C, element-wise vector instructions with a scalar";
  row.vector = &kVector;
  return row;
}

// ---------------------------------------------------------------- the instructions

void adds(Exec &e) {
  Lanes(e).with_scalar(kScalar, [](auto a, auto s, auto mode) { return plus(a, s, mode); });
}
void muls(Exec &e) {
  Lanes(e).with_scalar(kScalar, [](auto a, auto s, auto mode) { return times(a, s, mode); });
}

constexpr Row kRows[] = {
    with_scalar<"Adds">({.name = "adds", .run = adds, .doc = "Adds a scalar to every element: dst = src + scalar."}),
    with_scalar<"Muls">({.name = "muls",
                         .run = muls,
                         .doc = "Multiplies every element by a scalar: dst = src * scalar; integers keep the low half of the product."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_scalar_rows() { return kRows; }

} // namespace asc
