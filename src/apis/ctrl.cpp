// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control register of the core, as far as kernels may change it: bit 48, what becomes of Inf and NaN of 16 bits (02-vector section 9).
#include "apis/families.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

namespace asc {
namespace {

constexpr int64_t kBit = 48;
constexpr Arg bit(std::string_view name, std::string_view doc) {
  return {.name = name, .kind = ArgKind::Constant, .dtypes = DType::Int32, .low = kBit, .high = kBit, .doc = doc};
}
constexpr Arg kStart = bit("start_bit", "the first bit: 48"), kEnd = bit("end_bit", "the last bit: 48");
constexpr Arg kBits[] = {kStart, kEnd};
constexpr Arg kSetArgs[] = {kStart,
                            kEnd,
                            {.name = "value",
                             .kind = ArgKind::Int,
                             .dtypes = DType::Int64,
                             .low = 0,
                             .high = 1,
                             .doc = "1: Inf and NaN are kept; 0: they become the largest number and 0"}};
constexpr uint8_t kValue = index_of(kSetArgs, "value");
constexpr Form kSet[] = {{"SetCtrlSpr<$start_bit, $end_bit>($value)"}}, kGet[] = {{"GetCtrlSpr<$start_bit, $end_bit>()"}},
               kReset[] = {{"ResetCtrlSpr<$start_bit, $end_bit>()"}};
constexpr const Rule *kRules[] = {&value_range};

void set(const Call &call, CoreState &core) { core.keep_inf_nan = call.value(kValue) & 1; }
void reset(const Call &, CoreState &core) { core.keep_inf_nan = assume::keep_inf_nan_at_start; }

constexpr Row kRows[] = {
    {.name = "set_ctrl_spr",
     .ascendc = "SetCtrlSpr",
     .args = kSetArgs,
     .forms = kSet,
     .rules = kRules,
     .run = [](Exec &e) { set(e.call, e.core); },
     .registers = set,
     .doc = "Sets bit 48 of the control register: whether results of float16 and bfloat16 keep Inf and NaN.",
     .source = "Ascend C, SetCtrlSpr"},
    {.name = "get_ctrl_spr",
     .ascendc = "GetCtrlSpr",
     .args = kBits,
     .forms = kGet,
     .rules = kRules,
     .result = DType::Int64,
     .varies = true,
     .run = [](Exec &e) { e.result = e.core.keep_inf_nan; },
     .doc = "Bit 48 of the control register.",
     .source = "Ascend C, GetCtrlSpr"},
    {.name = "reset_ctrl_spr",
     .ascendc = "ResetCtrlSpr",
     .args = kBits,
     .forms = kReset,
     .rules = kRules,
     .run = [](Exec &e) { reset(e.call, e.core); },
     .registers = reset,
     .doc = "Gives bit 48 of the control register the value that it has when a kernel starts.",
     .source = "Ascend C, ResetCtrlSpr"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> ctrl_rows() { return kRows; }

} // namespace asc
