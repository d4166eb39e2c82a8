// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the scalar unit: a conversion with a rounding mode, and questions about the bits of a number.
#include "apis/families.h"
#include "apis/numeric.h"
#include "apis/precision.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

#include <bit>

namespace asc {
namespace {

// ---------------------------------------------------------------- scalar_cast

constexpr Arg kCastArgs[] = {
    {.name = "value_in", .kind = ArgKind::Number, .dtypes = DType::Float32, .doc = "number to convert"},
    {.name = "dtype", .kind = ArgKind::Type, .dtypes = DType::Int32 | DType::Float16, .doc = "type of the result"},
    {.name = "round_mode",
     .kind = ArgKind::Enum,
     .type = "RoundMode",
     .doc = "CAST_RINT, CAST_FLOOR, CAST_CEIL or CAST_ROUND to int32; CAST_ODD to float16"},
};
constexpr uint8_t kValue = index_of(kCastArgs, "value_in"), kType = index_of(kCastArgs, "dtype"), kMode = index_of(kCastArgs, "round_mode");

DType target(const Call &call) { return DType(call.value(kType)); }
RoundMode mode(const Call &call) { return RoundMode(call.value(kMode)); }

void scalar_cast(Exec &e) {
  const float value = std::bit_cast<float>(uint32_t(e.call.at(kValue).bits));
  e.result = target(e.call) == DType::Float16
                 ? to_odd_half(value)
                 : cast_scalar(std::bit_cast<uint64_t>(rounded_to_integer(value, mode(e.call))), DType::Float64, DType::Int32);
}

std::optional<Violation> check_round_mode(const Call &call, const CoreState *) {
  if (!call.known(kType) || !call.known(kMode)) return std::nullopt;
  const bool odd = mode(call) == RoundMode::Odd, whole = mode(call) >= RoundMode::Rint && mode(call) <= RoundMode::Round;
  const bool to_half = target(call) == DType::Float16;
  if (to_half ? odd : whole) return std::nullopt;
  const std::string_view expected = to_half ? "CAST_ODD" : "CAST_RINT, CAST_FLOOR, CAST_CEIL or CAST_ROUND";
  return Violation{kMode,
                   "round_mode is " + std::string(find_enum("RoundMode")->members[size_t(mode(call))].name) + " to " +
                       std::string(name(target(call))),
                   std::string(expected), "use a rounding mode that the scalar unit has, or x.cast(dtype), which truncates to ints"};
}
constexpr Rule round_mode = {
    "R124", "rounding mode of scalar_cast",
    "The scalar unit converts float32 to int32 with CAST_RINT, CAST_FLOOR, CAST_CEIL and CAST_ROUND, and to float16 with CAST_ODD. Source: "
    "Ascend C, ScalarCast.",
    check_round_mode};
constexpr const Rule *kCastRules[] = {&argument_dtype, &round_mode};
constexpr Form kCast[] = {{"ScalarCast<float, $dtype, $round_mode>($value_in)"}};

// ---------------------------------------------------------------- bits

constexpr Arg kBitArgs[] = {
    {.name = "value_in",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt64,
     .doc = "the 64 bits; those of a negative int are its two's complement"},
    {.name = "count_value", .kind = ArgKind::Constant, .low = 0, .high = 1, .doc = "the bit to look for, 0 or 1, known while compiling"},
};
constexpr Arg kSignedArgs[] = {{.name = "value_in", .kind = ArgKind::Int, .dtypes = DType::Int64, .doc = "an int64"}};

/// The 64 bits with ones where the bits to look for are.
uint64_t wanted(const Call &call) { return call.value(1) ? call.at(0).bits : ~call.at(0).bits; }

void first_bit(Exec &e) {
  const uint64_t bits = wanted(e.call);
  e.result = bits ? uint64_t(std::countr_zero(bits)) : ~uint64_t(0);
}
void count_bits(Exec &e) { e.result = uint64_t(std::popcount(wanted(e.call))); }
void leading_zeros(Exec &e) { e.result = uint64_t(std::countl_zero(e.call.at(0).bits)); }
void same_as_sign(Exec &e) {
  const int64_t value = e.call.value(0);
  const int same = std::countl_zero(uint64_t(value < 0 ? ~value : value)); // the sign bit among them
  e.result = uint64_t(int64_t(same == 64 ? -1 : same - 1));
}

constexpr Form kFirst[] = {{"ScalarGetSFFValue<$count_value>($value_in)"}}, kCount[] = {{"ScalarGetCountOfValue<$count_value>($value_in)"}},
               kLeading[] = {{"ScalarCountLeadingZero($value_in)"}}, kSame[] = {{"CountBitsCntSameAsSignBit($value_in)"}};
constexpr const Rule *kBitRules[] = {&value_range};

constexpr Row kRows[] = {
    {.name = "scalar_cast",
     .ascendc = "ScalarCast",
     .args = kCastArgs,
     .forms = kCast,
     .rules = kCastRules,
     .typed_result = true,
     .pure = true,
     .run = scalar_cast,
     .precision = &precision::converted,
     .doc = "Converts a float32 to int32 or float16 with a rounding mode; what int32 cannot hold becomes its nearest value.",
     .source = "Ascend C, ScalarCast"},
    {.name = "scalar_get_sff_value",
     .ascendc = "ScalarGetSFFValue",
     .args = kBitArgs,
     .forms = kFirst,
     .rules = kBitRules,
     .result = DType::Int64,
     .pure = true,
     .run = first_bit,
     .doc = "Number of the lowest bit, from 0, that equals count_value; -1 if there is none.",
     .source = "Ascend C, ScalarGetSFFValue"},
    {.name = "scalar_get_count_of_value",
     .ascendc = "ScalarGetCountOfValue",
     .args = kBitArgs,
     .forms = kCount,
     .rules = kBitRules,
     .result = DType::Int64,
     .pure = true,
     .run = count_bits,
     .doc = "How many of the 64 bits equal count_value.",
     .source = "Ascend C, ScalarGetCountOfValue"},
    {.name = "scalar_count_leading_zero",
     .ascendc = "ScalarCountLeadingZero",
     .args = std::span(kBitArgs).first<1>(),
     .forms = kLeading,
     .result = DType::Int64,
     .pure = true,
     .run = leading_zeros,
     .doc = "How many zeros stand before the highest 1 of the 64 bits: 64 for 0.",
     .source = "Ascend C, ScalarCountLeadingZero"},
    {.name = "count_bits_cnt_same_as_sign_bit",
     .ascendc = "CountBitsCntSameAsSignBit",
     .args = kSignedArgs,
     .forms = kSame,
     .result = DType::Int64,
     .pure = true,
     .run = same_as_sign,
     .doc = "How many bits from bit 62 downward equal the sign bit, without a break; -1 for 0 and -1.",
     .source = "Ascend C, CountBitsCntSameAsSignBit"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> scalar_function_rows() { return kRows; }

} // namespace asc
