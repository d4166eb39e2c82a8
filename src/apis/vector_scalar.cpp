// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with a scalar: dst[i] = op(src[i], scalar).
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/vector_row.h"

namespace asc {
namespace {

constexpr DTypes kArithmetic = DType::Int16 | DType::Int32 | DType::Float16 | DTypes(DType::Float32);

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kArithmetic, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = kArithmetic, .doc = "source"},
    {.name = "scalar", .kind = ArgKind::Number, .doc = "second operand of every element, converted to the element type"},
    kCount,
    mask_number(DType::Int64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("UnaryRepeatParams"),
    kIsSetMask,
};
constexpr uint8_t kScalar = index_of(kArgs, "scalar");

constexpr VectorArgs kVector = vector_args(kArgs);

template <Text F>
constexpr Form kForms[] = {
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $count)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $mask, $repeat_times, $repeat_params)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $mask_bits, $repeat_times, $repeat_params)">},
};

/// A row of this family: what differs is the Ascend C function, and the name, function and doc in `row`.
template <Text F> constexpr Row with_scalar(Row row) {
  row.ascendc = std::string_view(F.data, F.size);
  row.forms = kForms<F>;
  row.source = "Ascend C, element-wise vector instructions with a scalar";
  return vector_row(row, kArgs, kVector);
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
