// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mask registers of the vector unit.
#include "apis/families.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>

namespace asc {
namespace {

constexpr Arg kVectorMaskArgs[] = {
    {.name = "mask_high", .kind = ArgKind::Int, .dtypes = DType::UInt64, .doc = "upper 64 bits of the mask register"},
    {.name = "mask_low",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt64,
     .doc = "lower 64 bits of the mask register; in counter mode the number of elements"},
    {.name = "length",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = INT32_MAX,
     .doc = "NORMAL: the first `length` elements of every repeat; COUNTER: the number of elements of the whole instruction"},
    {.name = "dtype", .kind = ArgKind::Type, .doc = "element type of the instructions that follow"},
    {.name = "mode",
     .kind = ArgKind::Enum,
     .type = "MaskMode",
     .doc = "how the values are meant; it does not switch the mode (set_mask_count, set_mask_norm)"},
};
constexpr uint8_t kHigh = index_of(kVectorMaskArgs, "mask_high"), kLow = index_of(kVectorMaskArgs, "mask_low"),
                  kLength = index_of(kVectorMaskArgs, "length"), kDType = index_of(kVectorMaskArgs, "dtype"),
                  kMode = index_of(kVectorMaskArgs, "mode");
constexpr Form kVectorMaskForms[] = {
    {"SetVectorMask<$dtype, $mode>($mask_high, $mask_low)"},
    {"SetVectorMask<$dtype, $mode>($length)"},
};
constexpr int64_t kCounter = 1; // MaskMode::COUNTER

std::optional<Violation> check_length(const Call &call, const CoreState *) {
  if (!call.has(kLength) || !call.known(kLength) || call.value(kMode) == kCounter) return std::nullopt;
  const DType dtype = DType(call.value(kDType));
  const int64_t length = call.value(kLength), size = size_of(dtype);
  if (size == 0) return std::nullopt;
  const int64_t lanes = std::min<int64_t>(kRepeatBytes / size, 128); // the register has 128 bits
  if (0 <= length && length <= lanes) return std::nullopt;
  return Violation{kLength, quote("length", std::to_string(length)),
                   "0 to " + std::to_string(lanes) + " in NORMAL mode (" + per_repeat(dtype) + ")",
                   "use mode=asc.MaskMode.COUNTER and set_mask_count() for more elements than a repeat has"};
}
constexpr Rule length_in_repeat = {
    "R114", "mask length within a repeat",
    "In NORMAL mode the mask register has one bit per element of a repeat of 256 bytes, so a length is at most the number of elements in "
    "a repeat, and 128. Source: Ascend C, SetVectorMask.",
    check_length};
constexpr const Rule *kVectorMaskRules[] = {&value_range, &length_in_repeat};

// ---------------------------------------------------------------- effects on the registers

void set_mask_count(const Call &, CoreState &core) { core.counter_mode = true; }
void set_mask_norm(const Call &, CoreState &core) { core.counter_mode = false; }
void reset_mask(const Call &, CoreState &core) { core.mask_lo = core.mask_hi = ~uint64_t(0); }
void set_vector_mask(const Call &call, CoreState &core) {
  if (!call.has(kLength)) {
    core.mask_hi = call.at(kHigh).bits;
    core.mask_lo = call.at(kLow).bits;
  } else if (call.value(kMode) == kCounter) {
    core.mask_hi = 0;
    core.mask_lo = uint32_t(call.value(kLength));
  } else {
    const auto mask = mask_of_first(call.value(kLength), std::max(size_of(DType(call.value(kDType))), 1u));
    core.mask_lo = mask[0];
    core.mask_hi = mask[1];
  }
}

template <void (*Effect)(const Call &, CoreState &)> void run(Exec &e) { Effect(e.call, e.core); }

/// A row that does nothing but change registers.
template <void (*Effect)(const Call &, CoreState &)> constexpr Row registers_only(Row row) {
  row.run = run<Effect>;
  row.registers = Effect;
  row.source = "Ascend C, vector execution, mask";
  return row;
}

constexpr Form kSetMaskCount[] = {{"SetMaskCount()"}}, kSetMaskNorm[] = {{"SetMaskNorm()"}}, kResetMask[] = {{"ResetMask()"}};

constexpr Row kRows[] = {
    registers_only<set_mask_count>({.name = "set_mask_count",
                                    .ascendc = "SetMaskCount",
                                    .forms = kSetMaskCount,
                                    .doc = "Switches the vector unit to counter mode: the mask register holds a number of elements."}),
    registers_only<set_mask_norm>(
        {.name = "set_mask_norm",
         .ascendc = "SetMaskNorm",
         .forms = kSetMaskNorm,
         .doc = "Switches the vector unit to normal mode: the mask register holds one bit per element of a repeat."}),
    registers_only<set_vector_mask>({.name = "set_vector_mask",
                                     .ascendc = "SetVectorMask",
                                     .args = kVectorMaskArgs,
                                     .forms = kVectorMaskForms,
                                     .rules = kVectorMaskRules,
                                     .doc = "Writes the mask register, for calls with is_set_mask=False."}),
    registers_only<reset_mask>({.name = "reset_mask",
                                .ascendc = "ResetMask",
                                .forms = kResetMask,
                                .doc = "Sets all bits of the mask register; the mode stays as it is."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> mask_rows() { return kRows; }

} // namespace asc
