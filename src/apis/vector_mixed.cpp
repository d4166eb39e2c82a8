// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions whose destination may have another element type than their sources.
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

namespace asc {
namespace {

constexpr TypePair kMulAdd[] = {{DType::Float16, DType::Float16}, {DType::Float32, DType::Float32}, {DType::Float16, DType::Float32}};
constexpr TypePair kReluCast[] = {{DType::Float16, DType::Int8}, {DType::Float32, DType::Float16}, {DType::Int16, DType::Int8}};
constexpr TypePair kMulCast[] = {{DType::Float16, DType::Int8}, {DType::Float16, DType::UInt8}};

constexpr DTypes types_of(std::span<const TypePair> pairs, DType TypePair::*side) {
  DTypes types;
  for (const TypePair &pair : pairs) types = types | DTypes(pair.*side);
  return types;
}

// ---------------------------------------------------------------- arguments

constexpr Arg dst_of(std::span<const TypePair> pairs, Role role) {
  return {.name = "dst",
          .kind = ArgKind::Local,
          .role = role,
          .dtypes = types_of(pairs, &TypePair::dst),
          .doc = role == Role::InOut ? "what is added to, and destination" : "destination"};
}
constexpr Arg source(std::string_view name, std::span<const TypePair> pairs, std::string_view doc) {
  return {.name = name, .kind = ArgKind::Local, .dtypes = types_of(pairs, &TypePair::src), .doc = doc};
}

constexpr std::array<Arg, 9> with_two_sources(std::span<const TypePair> pairs, Role dst, DType mask) {
  return {{dst_of(pairs, dst), source("src0", pairs, "first source"), source("src1", pairs, "second source"), kCount, mask_number(mask),
           kMaskBits, kRepeatTimes, repeat_params("BinaryRepeatParams"), kIsSetMask}};
}
constexpr auto kMulAddArgs = with_two_sources(kMulAdd, Role::InOut, DType::Int64);
constexpr auto kReluCastArgs = with_two_sources(kReluCast, Role::Out, DType::Int64);
constexpr auto kMulCastArgs = with_two_sources(kMulCast, Role::Out, DType::UInt64);

constexpr Arg kAxpyArgs[] = {
    dst_of(kMulAdd, Role::InOut),
    source("src", kMulAdd, "source"),
    {.name = "scalar", .kind = ArgKind::Number, .doc = "factor of every element, converted to the element type of src"},
    kCount,
    mask_number(DType::Int64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("UnaryRepeatParams"),
    kIsSetMask,
};
constexpr uint8_t kScalar = index_of(kAxpyArgs, "scalar");

constexpr VectorArgs places(std::span<const Arg> args, std::span<const TypePair> pairs) {
  VectorArgs v = vector_args(args);
  v.pairs = pairs;
  return v;
}
constexpr VectorArgs kMulAddPlaces = places(kMulAddArgs, kMulAdd), kReluCastPlaces = places(kReluCastArgs, kReluCast),
                     kMulCastPlaces = places(kMulCastArgs, kMulCast), kAxpyPlaces = places(kAxpyArgs, kMulAdd);

// ---------------------------------------------------------------- forms

template <Text F>
constexpr Form kForms[] = {
    {joined<F, "($dst, $src0, $src1, $count)">, "is_set_mask"},
    {joined<F, "<$T, $U, $is_set_mask>($dst, $src0, $src1, $mask, $repeat_times, $repeat_params)">},
    {joined<F, "<$T, $U, $is_set_mask>($dst, $src0, $src1, $mask_bits, $repeat_times, $repeat_params)">},
};
constexpr Form kMulCastForms[] = {
    {"MulCast($dst, $src0, $src1, $count)"},
    {"MulCast($dst, $src0, $src1, $mask, $repeat_times, $repeat_params)"},
    {"MulCast($dst, $src0, $src1, $mask_bits, $repeat_times, $repeat_params)"},
};
constexpr Form kAxpyForms[] = {
    {"Axpy($dst, $src, $scalar, $count)"},
    {"Axpy<$T, $U, $is_set_mask>($dst, $src, $scalar, $mask, $repeat_times, $repeat_params)"},
    {"Axpy<$T, $U, $is_set_mask>($dst, $src, $scalar, $mask_bits, $repeat_times, $repeat_params)"},
};

constexpr Row converting(Row row, std::span<const Form> forms, std::span<const Arg> args, const VectorArgs &places) {
  row.forms = forms;
  row.rules = kConvertingRules;
  row.source = "Ascend C, element-wise vector instructions with conversion";
  return vector_row(row, args, places);
}

// ---------------------------------------------------------------- the instructions

using HalfToFloat = Converting<Half, float>;
using HalfToInt8 = Converting<Half, int8_t>;
using HalfToUInt8 = Converting<Half, uint8_t>;
using FloatToHalf = Converting<float, Half>;
using Int16ToInt8 = Converting<int16_t, int8_t>;

void mul_add_dst(Exec &e) {
  Lanes(e).binary_onto_dst<kFloats, HalfToFloat>([](auto a, auto b, auto dst, auto mode) { return multiplied_and_added(a, b, dst, mode); });
}
void axpy(Exec &e) {
  Lanes(e).with_scalar_onto_dst<kFloats, HalfToFloat>(
      kScalar, [](auto a, auto dst, auto scalar, auto mode) { return multiplied_and_added(scalar, a, dst, mode); });
}

/// A result before its conversion (assumption "vector instructions that convert"): floats are rounded to the type of the sources, integers
/// are exact.
auto unconverted(auto value, auto mode) {
  if constexpr (std::is_same_v<decltype(value), float>)
    return rounded(value, mode);
  else
    return value;
}
void mul_cast(Exec &e) {
  Lanes(e).binary<DTypes{}, HalfToInt8, HalfToUInt8>([](auto a, auto b, auto mode) { return unconverted(times(a, b, mode), mode); });
}
void add_relu_cast(Exec &e) {
  Lanes(e).binary<DTypes{}, HalfToInt8, FloatToHalf, Int16ToInt8>(
      [](auto a, auto b, auto mode) { return maximum(unconverted(plus(a, b, mode), mode), decltype(a)(0)); });
}
void sub_relu_cast(Exec &e) {
  Lanes(e).binary<DTypes{}, HalfToInt8, FloatToHalf, Int16ToInt8>(
      [](auto a, auto b, auto mode) { return maximum(unconverted(minus(a, b, mode), mode), decltype(a)(0)); });
}

constexpr Row kRows[] = {
    converting(
        {.name = "mul_add_dst",
         .ascendc = "MulAddDst",
         .cost = {.key = "mla"},
         .run = mul_add_dst,
         .precision = &precision::two_roundings,
         .doc = "Multiplies and adds to dst: dst = src0 * src1 + dst. The product is rounded to the element type before the sum; that of "
                "float16 sources is exact when dst is float32."},
        kForms<"MulAddDst">, kMulAddArgs, kMulAddPlaces),
    converting(
        {.name = "axpy",
         .ascendc = "Axpy",
         .run = axpy,
         .precision = &precision::two_roundings,
         .doc = "Multiplies by a scalar and adds to dst: dst = src * scalar + dst. The product is rounded to the element type before the "
                "sum; that of a float16 source is exact when dst is float32."},
        kAxpyForms, kAxpyArgs, kAxpyPlaces),
    converting({.name = "mul_cast",
                .ascendc = "MulCast",
                .cost = {.key = "mul"},
                .run = mul_cast,
                .precision = &precision::converted_result,
                .doc = "Multiplies and converts to 8 bits: dst = int(src0 * src1), rounded to nearest even and saturated."},
               kMulCastForms, std::span(kMulCastArgs).first(kMulCastArgs.size() - 1), kMulCastPlaces),
    converting({.name = "add_relu_cast",
                .ascendc = "AddReluCast",
                .cost = {.key = "add"},
                .run = add_relu_cast,
                .precision = &precision::converted_result,
                .doc =
                    "Adds, keeps the positive part and converts to the narrower type of dst: dst = max(src0 + src1, 0), rounded to nearest "
                    "even and saturated."},
               kForms<"AddReluCast">, kReluCastArgs, kReluCastPlaces),
    converting({.name = "sub_relu_cast",
                .ascendc = "SubReluCast",
                .cost = {.key = "sub"},
                .run = sub_relu_cast,
                .precision = &precision::converted_result,
                .doc = "Subtracts, keeps the positive part and converts to the narrower type of dst: dst = max(src0 - src1, 0), rounded to "
                       "nearest even and saturated."},
               kForms<"SubReluCast">, kReluCastArgs, kReluCastPlaces),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_mixed_rows() { return kRows; }

} // namespace asc
