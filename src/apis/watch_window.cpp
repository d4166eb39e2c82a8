// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watch windows on the unified buffer.
#include "apis/watch_window.h"
#include "apis/families.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

#include <algorithm>

namespace asc {
namespace {

constexpr Arg kArgs[] = {{.name = "check_params",
                          .kind = ArgKind::Struct,
                          .type = "CheckLocalMemoryIAParam",
                          .doc = "which window, what it watches and for which accesses"}};
constexpr Form kForms[] = {{"CheckLocalMemoryIA($check_params)"}};
enum Part : uint8_t { Bit, Start, End, ScalarRead, ScalarWrite, VectorRead, VectorWrite, MteRead, MteWrite, Enable }; // slots of the struct

std::optional<Violation> check_window(const Call &call, const CoreState *) {
  constexpr uint8_t kParams = index_of(kArgs, "check_params");
  for (const Part part : {Start, End, Enable})
    if (!call.known(kParams, part)) return std::nullopt;
  const uint64_t start = uint64_t(call.value(kParams, Start)), end = uint64_t(call.value(kParams, End));
  if (start < end || !call.value(kParams, Enable)) return std::nullopt;
  return Violation{kParams, "start_addr is " + std::to_string(start) + " and end_addr is " + std::to_string(end),
                   "an end_addr greater than start_addr", "the window is empty: it begins behind start_addr and ends with end_addr"};
}
constexpr Rule empty_window = {
    "R130",
    "watch window without bytes",
    "The window begins behind the unit start_addr and ends with the unit end_addr, so it is empty unless end_addr is "
    "greater. Source: Ascend C, CheckLocalMemoryIA.",
    check_window,
    /*is_static=*/false,
    /*is_warning=*/true};
constexpr const Rule *kRules[] = {&value_range, &empty_window};

constexpr Row kRows[] = {
    {.name = "check_local_memory_ia",
     .ascendc = "CheckLocalMemoryIA",
     .args = kArgs,
     .forms = kForms,
     .rules = kRules,
     .varies = true,
     .run = [](Exec &) {},
     .doc =
         "Watches bytes of the unified buffer by one of four windows: accesses of the kinds that it names are an exception on the device, and "
         "an error (M401) in the simulator while checks are on.",
     .source = "Ascend C, CheckLocalMemoryIA"},
};
static_assert(check_rows(kRows));

} // namespace

std::optional<WatchWindow> watch_window(const Call &call) {
  if (call.row != kRows) return std::nullopt;
  const auto field = [&](Part part) { return uint64_t(call.value(0, part)); };
  WatchWindow window;
  window.number = unsigned(field(Bit)) % kWatchWindows;
  if (!field(Enable)) return window;
  // The first unit is not part of the window, the last one is.
  constexpr uint64_t kUnit = 32;
  window.begin = (field(Start) + 1) * kUnit, window.end = std::min<uint64_t>((field(End) + 1) * kUnit, info(Memory::UB).bytes);
  const auto kinds = [&](bool(&kind)[2], Part read, Part write) { kind[0] = field(read) != 0, kind[1] = field(write) != 0; };
  kinds(window.scalar, ScalarRead, ScalarWrite), kinds(window.vector, VectorRead, VectorWrite), kinds(window.transfer, MteRead, MteWrite);
  return window;
}

std::span<const Row> watch_window_rows() { return kRows; }

} // namespace asc
