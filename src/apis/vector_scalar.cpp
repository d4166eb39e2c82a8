// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions with a scalar: dst[i] = op(src[i], scalar).
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

#include <algorithm>

namespace asc {
namespace {

constexpr std::array<Arg, 9> arguments(DTypes types, std::string_view scalar) {
  return {{
      {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = types, .doc = "destination"},
      {.name = "src", .kind = ArgKind::Local, .dtypes = types, .doc = "source"},
      {.name = "scalar", .kind = ArgKind::Number, .doc = scalar},
      kCount,
      mask_number(DType::Int64),
      kMaskBits,
      kRepeatTimes,
      repeat_params("UnaryRepeatParams"),
      kIsSetMask,
  }};
}
template <DTypes Types> constexpr auto kArgs = arguments(Types, "second operand of every element, converted to the element type");

constexpr DTypes kShifted = DType::Int16 | DType::UInt16 | DType::Int32 | DTypes(DType::UInt32);
constexpr auto kShiftArgs = arguments(kShifted, "by how many bits: 0 to the width of the element type");

// The places are the same in all rows.
constexpr uint8_t kScalar = index_of(kShiftArgs, "scalar");
constexpr VectorArgs kVector = vector_args(kShiftArgs);

template <Text F>
constexpr Form kForms[] = {
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $count)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $mask, $repeat_times, $repeat_params)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $scalar, $mask_bits, $repeat_times, $repeat_params)">},
};

/// `row` with what all rows of the family have.
template <Text F> constexpr Row family_row(Row row, std::span<const Arg> args) {
  row.ascendc = std::string_view(F.data, F.size);
  row.forms = kForms<F>;
  row.source = "Ascend C, element-wise vector instructions with a scalar";
  return vector_row(row, args, kVector);
}
/// A row of this family: what differs is the Ascend C function, the element types, and the name, function and doc in `row`.
template <Text F, DTypes Types> constexpr Row with_scalar(Row row) { return family_row<F>(row, kArgs<Types>); }

// ---------------------------------------------------------------- shifts

std::optional<Violation> check_shift_distance(const Call &call, const CoreState *) {
  if (!call.known(kScalar)) return std::nullopt;
  const DType dtype = call.dtype(kVector.tensors[0].arg);
  const int64_t distance = call.value(kScalar), width = 8 * size_of(dtype);
  if (0 <= distance && distance <= width) return std::nullopt;
  return Violation{kScalar, quote("scalar", std::to_string(distance)),
                   "0 to " + std::to_string(width) + ", the bits of " + std::string(name(dtype)),
                   "shift by a distance in this range; the other direction is an instruction of its own"};
}
constexpr Rule shift_distance = {
    "R116", "shift within the element",
    "A shift goes by 0 bits up to the width of the element type, which shifts out all of them. Source: Ascend C, ShiftLeft and ShiftRight.",
    check_shift_distance};

constexpr auto kShiftRules = [] {
  std::array<const Rule *, std::size(kVectorRules) + 1> rules = {};
  std::copy(std::begin(kVectorRules), std::end(kVectorRules), rules.begin());
  rules.back() = &shift_distance;
  return rules;
}();

template <Text F> constexpr Row shift(Row row) {
  row.rules = kShiftRules;
  return family_row<F>(row, kShiftArgs);
}

// ---------------------------------------------------------------- the instructions

void adds(Exec &e) {
  Lanes(e).with_scalar<kArithmetic>(kScalar, [](auto a, auto s, auto mode) { return plus(a, s, mode); });
}
void muls(Exec &e) {
  Lanes(e).with_scalar<kArithmetic>(kScalar, [](auto a, auto s, auto mode) { return times(a, s, mode); });
}
void maxs(Exec &e) {
  Lanes(e).with_scalar<kArithmetic>(kScalar, [](auto a, auto s, auto) { return maximum(a, s); });
}
void mins(Exec &e) {
  Lanes(e).with_scalar<kArithmetic>(kScalar, [](auto a, auto s, auto) { return minimum(a, s); });
}
void leaky_relu(Exec &e) {
  Lanes(e).with_scalar<kFloats>(kScalar, [](auto a, auto s, auto mode) { return a >= 0 ? a : times(a, s, mode); });
}
void shift_left(Exec &e) {
  Lanes(e).with_scalar<kShifted>(kScalar, [](auto a, auto s, auto) { return shifted_left(a, s); });
}
void shift_right(Exec &e) {
  Lanes(e).with_scalar<kShifted>(kScalar, [](auto a, auto s, auto) { return shifted_right(a, s); });
}

constexpr Row kRows[] = {
    with_scalar<"Adds", kArithmetic>(
        {.name = "adds", .run = adds, .precision = &precision::rounded, .doc = "Adds a scalar to every element: dst = src + scalar."}),
    with_scalar<"Muls", kArithmetic>(
        {.name = "muls",
         .run = muls,
         .precision = &precision::rounded,
         .doc = "Multiplies every element by a scalar: dst = src * scalar; integers keep the low half of the product."}),
    with_scalar<"Maxs", kArithmetic>({.name = "maxs",
                                      .run = maxs,
                                      .precision = &precision::exact,
                                      .doc = "Takes the larger of every element and a scalar: dst = max(src, scalar)."}),
    with_scalar<"Mins", kArithmetic>({.name = "mins",
                                      .run = mins,
                                      .precision = &precision::exact,
                                      .doc = "Takes the smaller of every element and a scalar: dst = min(src, scalar)."}),
    with_scalar<"LeakyRelu", kFloats>({.name = "leaky_relu",
                                       .cost = {.key = "lrelu"},
                                       .run = leaky_relu,
                                       .precision = &precision::rounded,
                                       .doc = "Multiplies negative elements by a scalar: dst = src if src >= 0 else src * scalar."}),
    shift<"ShiftLeft">({.name = "shift_left",
                        .cost = {.key = "shl"},
                        .run = shift_left,
                        .precision = &precision::exact,
                        .doc = "Shifts the bits of every element up: dst = src << scalar; a signed element keeps its sign bit."}),
    shift<"ShiftRight">(
        {.name = "shift_right",
         .cost = {.key = "shr"},
         .run = shift_right,
         .precision = &precision::exact,
         .doc = "Shifts the bits of every element down: dst = src >> scalar; a signed element is filled with its sign bit."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_scalar_rows() { return kRows; }

} // namespace asc
