// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags and barriers between pipes: rows for signature, doc and Ascend C text; the ops of the dialect and the simulator do the work.
#include "apis/families.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

namespace asc {
namespace {

constexpr Arg kFlagArgs[] = {
    {.name = "event", .kind = ArgKind::Enum, .type = "HardEvent", .doc = "the pipe that sets and the pipe that waits"},
    {.name = "event_id",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = kEventIds - 1,
     .default_value = 0,
     .doc = "which of the event's flags"},
};
constexpr Arg kBarrierArgs[] = {
    {.name = "pipe", .kind = ArgKind::Enum, .type = "PipeID", .doc = "the pipe; PIPE_ALL waits for all of them, PIPE_S is not allowed"},
};
constexpr Arg kDataBarrierArgs[] = {
    {.name = "arg0", .kind = ArgKind::Enum, .type = "MemDsbT", .doc = "which accesses: all, those to one memory, or none"},
};
constexpr Form kDataBarrier[] = {{"DataSyncBarrier<$arg0>()"}};
constexpr Form kSetFlag[] = {{"SetFlag<$event>($event_id)"}}, kWaitFlag[] = {{"WaitFlag<$event>($event_id)"}},
               kBarrier[] = {{"PipeBarrier<$pipe>()"}};

std::optional<Violation> check_barrier_pipe(const Call &call, const CoreState *) {
  constexpr uint8_t kPipe = index_of(kBarrierArgs, "pipe");
  if (!call.known(kPipe) || Pipe(call.value(kPipe)) != Pipe::S) return std::nullopt;
  return Violation{kPipe, quote("pipe", "PIPE_S"), "another pipe",
                   "leave it out: scalar code runs in order; PIPE_ALL makes it wait for the other pipes"};
}
constexpr Rule barrier_pipe = {
    "R115", "no barrier of the scalar pipe",
    "Scalar code runs in program order, so the device has no barrier for PIPE_S. To make it wait for another pipe, "
    "use a flag to S, or PIPE_ALL. Source: Ascend C, PipeBarrier.",
    check_barrier_pipe};
constexpr const Rule *kBarrierRules[] = {&barrier_pipe};

constexpr Row kRows[] = {
    {.name = "set_flag",
     .ascendc = "SetFlag",
     .args = kFlagArgs,
     .forms = kSetFlag,
     .cost = {CostShape::Sync, "set"},
     .doc = "Sets a flag when all earlier instructions of the event's first pipe are complete.",
     .source = "Ascend C, SetFlag",
     .structure = "set_flag"},
    {.name = "wait_flag",
     .ascendc = "WaitFlag",
     .args = kFlagArgs,
     .forms = kWaitFlag,
     .cost = {CostShape::Sync, "wait"},
     .doc = "Makes the event's second pipe wait until the flag is set, and clears it.",
     .source = "Ascend C, WaitFlag",
     .structure = "wait_flag"},
    {.name = "pipe_barrier",
     .ascendc = "PipeBarrier",
     .args = kBarrierArgs,
     .forms = kBarrier,
     .rules = kBarrierRules,
     .cost = {CostShape::Sync, "barrier"},
     .doc = "Makes later instructions of a pipe start after all its earlier ones are complete.",
     .source = "Ascend C, PipeBarrier",
     .structure = "pipe_barrier"},
    {.name = "data_sync_barrier",
     .ascendc = "DataSyncBarrier",
     .args = kDataBarrierArgs,
     .forms = kDataBarrier,
     .cost = {CostShape::Sync, "barrier"},
     .doc = "Makes the scalar unit wait until the accesses of all earlier instructions are complete, of all pipes and of its own: to all "
            "memories, to global memory (DDR) or to the unified buffer (UB). What it hands out later comes after them.",
     .source = "Ascend C, DataSyncBarrier",
     .structure = "data_sync_barrier"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> sync_rows() { return kRows; }

} // namespace asc
