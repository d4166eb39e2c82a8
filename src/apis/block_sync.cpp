// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait for each other: cross-core flags, and what is built on words in global memory (07-sync sections 4-7).
#include "apis/families.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

namespace asc {
namespace {

constexpr Arg kFlagArgs[] = {
    {.name = "flag_id",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = kCrossFlags - 1,
     .doc = "which flag; 11 to 14 serve sync_all"},
    {.name = "mode_id",
     .kind = ArgKind::Constant,
     .dtypes = DType::Int32,
     .low = 0,
     .high = kCrossModes - 1,
     .doc = "0: all cores of a kind; 1: the vector cores of an AI Core; 2: the cube core of an AI Core and its vector cores"},
    {.name = "pipe",
     .kind = ArgKind::Enum,
     .type = "PipeID",
     .doc = "the pipe whose earlier instructions are complete when the flag is set"},
};
constexpr Form kSet[] = {{"CrossCoreSetFlag<$mode_id, $pipe>($flag_id)"}}, kWait[] = {{"CrossCoreWaitFlag<$mode_id, $pipe>($flag_id)"}};

std::optional<Violation> check_pipe(const Call &call, const CoreState *) {
  constexpr uint8_t kPipe = index_of(kFlagArgs, "pipe");
  const Pipe pipe = Pipe(call.value(kPipe));
  for (const Pipe legal : {Pipe::V, Pipe::M, Pipe::MTE1, Pipe::MTE2, Pipe::MTE3, Pipe::FIX})
    if (!call.known(kPipe) || pipe == legal) return std::nullopt;
  return Violation{kPipe, quote("pipe", "PIPE_" + std::string(name(pipe))), "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 or PIPE_FIX",
                   "name the pipe that makes what the other cores wait for"};
}
constexpr Rule flag_pipe = {"R129", "pipe of a cross-core flag",
                            "A cross-core flag is set by a pipe that moves or computes, not by the scalar unit. Source: Ascend C, "
                            "CrossCoreSetFlag.",
                            check_pipe};
constexpr const Rule *kSetRules[] = {&value_range, &flag_pipe}, *kWaitRules[] = {&value_range};

// ---------------------------------------------------------------- words in global memory

// Every block has a slot of 32 bytes, and what counts is its first word.
constexpr unsigned kSlot = 8;

constexpr DTypes kInt32 = DType::Int32;
constexpr Arg kGm = {.name = "gm_workspace",
                     .kind = ArgKind::Global,
                     .role = Role::InOut,
                     .dtypes = kInt32,
                     .doc = "words that the blocks share, 0 at first"},
              kUb = {.name = "ub_workspace",
                     .kind = ArgKind::Local,
                     .role = Role::InOut,
                     .dtypes = kInt32,
                     .doc = "scratch memory of the call"},
              kAivOnly = {.name = "is_aiv_only", .kind = ArgKind::Flag, .default_value = 1, .doc = "only vector cores take part"};
constexpr Arg kAllArgs[] = {kGm,
                            kUb,
                            {.name = "used_cores",
                             .kind = ArgKind::Int,
                             .dtypes = DType::Int32,
                             .low = 0,
                             .high = 65535,
                             .default_value = 0,
                             .doc = "how many take part; 0: all"},
                            kAivOnly};
constexpr Arg kPairArgs[] = {
    kGm,
    kUb,
    {.name = "block_idx", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 65535, .doc = "the block that is waited for"},
    {.name = "event_id", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 65535, .doc = "which of its events"},
    kAivOnly};
constexpr Arg kOrderArgs[] = {kGm, kUb};
constexpr uint8_t kGmArg = 0, kUbArg = 1;

/// Cores that count: the blocks, or all their vector cores.
int64_t cores_of(const Call &call, const CoreState &core, uint8_t aiv_only, unsigned per_block) {
  return int64_t(core.block_num) * (call.value(aiv_only) ? 1 : per_block);
}

/// The call uses `words` words of a workspace from word `first` on.
Access &add(const Call &call, uint8_t arg, int64_t words, int64_t first, Accesses &accesses) {
  Access &access = accesses.add();
  access.arg = arg;
  access.read = arg == kGmArg, access.write = true;
  access.address = call.address(arg).moved(4 * first).value_or(call.address(arg));
  access.bytes = uint32_t(4 * words);
  return access;
}

/// "blocks 1, 2 have not called it", of the blocks below `blocks` that are `missing(block)`; "" when there is none.
template <class Missing> std::string blocks_text(uint32_t blocks, std::string_view call, Missing &&missing) {
  constexpr unsigned kShown = 4;
  std::string list;
  unsigned count = 0;
  for (uint32_t block = 0; block < blocks; ++block)
    if (missing(block) && ++count <= kShown) list += (count > 1 ? ", " : "") + std::to_string(block);
  if (count == 0) return {};
  return (count > 1 ? "blocks " : "block ") + list + (count > kShown ? ", ..." : "") + (count > 1 ? " have" : " has") + " not called " +
         std::string(call);
}

// sync_all

constexpr uint8_t kUsedCores = index_of(kAllArgs, "used_cores"), kAllAivOnly = index_of(kAllArgs, "is_aiv_only");
int64_t meeting(const Call &call, const CoreState &core) {
  return call.value(kUsedCores) ? call.value(kUsedCores) : cores_of(call, core, kAllAivOnly, core.sub_block_num);
}
void access_all(const Call &call, const CoreState &core, Accesses &accesses) {
  const int64_t words = kSlot * std::max<int64_t>(meeting(call, core), core.block_idx + 1);
  add(call, kGmArg, words, 0, accesses), add(call, kUbArg, kSlot * meeting(call, core), 0, accesses);
}
/// Counts up its own slot; goes on when the slots sum up to that count times the cores.
Poll sync_all(Exec &e) {
  auto *slots = reinterpret_cast<int32_t *>(e.data[kGmArg]);
  const int64_t cores = meeting(e.call, e.core);
  int32_t &own = slots[kSlot * e.core.block_idx];
  if (e.progress == 0) {
    own += 1;
    e.progress = 1 + uint32_t(own);
    return Poll::Told;
  }
  const auto round = int32_t(e.progress - 1);
  if (round == 1) own = 1;
  int64_t sum = 0;
  for (int64_t i = 0; i < cores; ++i) sum += slots[kSlot * i];
  if (sum < cores * round) return Poll::NotYet;
  std::copy_n(slots, kSlot * cores, reinterpret_cast<int32_t *>(e.data[kUbArg]));
  return Poll::Done;
}

std::string missing_in_sync_all(const Exec &e) {
  const auto *slots = reinterpret_cast<const int32_t *>(e.data[kGmArg]);
  const int64_t cores = meeting(e.call, e.core), launched = int64_t(e.core.block_num) * e.core.sub_block_num;
  if (cores > launched)
    return (e.call.value(kUsedCores) ? "used_cores is " + std::to_string(cores) : std::to_string(cores) + " cores are to meet") +
           ", the launch has " + std::to_string(launched) + (e.core.sub_block_num > 1 ? " vector core" : " block") +
           (launched == 1 ? "" : "s");
  const auto round = int32_t(e.progress - 1);
  return blocks_text(uint32_t(cores), round == 1 ? "it" : "it as often", [&](uint32_t block) { return slots[kSlot * block] < round; });
}

// ib_set, ib_wait

constexpr uint8_t kBlockIdx = index_of(kPairArgs, "block_idx"), kEventId = index_of(kPairArgs, "event_id"),
                  kPairAivOnly = index_of(kPairArgs, "is_aiv_only");
int64_t pair_word(const Call &call, const CoreState &core) {
  return kSlot * (cores_of(call, core, kPairAivOnly, 2) * call.value(kEventId) + call.value(kBlockIdx));
}
void access_pair(const Call &call, const CoreState &core, Accesses &accesses) {
  add(call, kGmArg, kSlot, pair_word(call, core), accesses), add(call, kUbArg, kSlot, 0, accesses);
}
/// Waits until the word is `from`, and makes it `to`.
template <int32_t from, int32_t to> Poll change_word(Exec &e) {
  int32_t *word = reinterpret_cast<int32_t *>(e.data[kGmArg]) + pair_word(e.call, e.core);
  if (*word != from) return Poll::NotYet;
  *word = to;
  std::copy_n(word, kSlot, reinterpret_cast<int32_t *>(e.data[kUbArg]));
  return Poll::Done;
}

/// `other` is the call that changes the word.
std::string missing_in_pair(const Exec &e, std::string_view other) {
  return "nothing calls " + std::string(other) + " with block_idx " + std::to_string(e.call.value(kBlockIdx)) + " and event_id " +
         std::to_string(e.call.value(kEventId)) + " any more";
}

// wait_pre_block, notify_next_block: block 0 first; ub has the number of the round behind a copy of the slots

void access_order(const Call &call, const CoreState &core, Accesses &accesses) {
  const int64_t words = int64_t(kSlot) * core.block_num;
  add(call, kGmArg, words, 0, accesses), add(call, kUbArg, words, 0, accesses);
  add(call, kUbArg, 1, words, accesses).read = true;
}
Poll wait_pre_block(Exec &e) {
  const auto *slots = reinterpret_cast<const int32_t *>(e.data[kGmArg]);
  auto *own = reinterpret_cast<int32_t *>(e.data[kUbArg]);
  const int32_t round = own[kSlot * e.core.block_num];
  for (uint32_t block = 0; block < e.core.block_num; ++block)
    if (slots[kSlot * block] != (block < e.core.block_idx ? round : 0)) return Poll::NotYet;
  std::copy_n(slots, kSlot * e.core.block_num, own);
  return Poll::Done;
}
std::string missing_before(const Exec &e) {
  const auto *slots = reinterpret_cast<const int32_t *>(e.data[kGmArg]);
  const int32_t round = reinterpret_cast<const int32_t *>(e.data[kUbArg])[kSlot * e.core.block_num];
  return blocks_text(e.core.block_idx, "notify_next_block", [&](uint32_t block) { return slots[kSlot * block] != round; });
}
Poll notify_next_block(Exec &e) {
  auto *slots = reinterpret_cast<int32_t *>(e.data[kGmArg]);
  int32_t &round = reinterpret_cast<int32_t *>(e.data[kUbArg])[kSlot * e.core.block_num];
  if (e.core.block_idx + 1 == e.core.block_num)
    std::fill_n(slots, kSlot * e.core.block_num, 0);
  else
    std::fill_n(slots + kSlot * e.core.block_idx, kSlot, round);
  ++round;
  return Poll::Done;
}

constexpr Form kAllForms[] = {{"SyncAll<$is_aiv_only>()"}, {"SyncAll<$is_aiv_only>($gm_workspace, $ub_workspace, $used_cores)"}};
constexpr Form kIbSet[] = {{"IBSet<$is_aiv_only>($gm_workspace, $ub_workspace, $block_idx, $event_id)"}},
               kIbWait[] = {{"IBWait<$is_aiv_only>($gm_workspace, $ub_workspace, $block_idx, $event_id)"}},
               kWaitPre[] = {{"WaitPreBlock($gm_workspace, $ub_workspace)"}},
               kNotify[] = {{"NotifyNextBlock($gm_workspace, $ub_workspace)"}};
constexpr const Rule *kRules[] = {&argument_dtype, &in_unified_buffer, &aligned_start, &value_range};

constexpr Row kRows[] = {
    {.name = "cross_core_set_flag",
     .ascendc = "CrossCoreSetFlag",
     .args = kFlagArgs,
     .forms = kSet,
     .rules = kSetRules,
     .cost = {CostShape::Sync, "cross_core"},
     .doc =
         "Sets a flag for other cores when all earlier instructions of the pipe are complete. It counts when all cores that take part in the mode "
         "have set it.",
     .source = "Ascend C, CrossCoreSetFlag",
     .structure = "cross_core_set_flag"},
    {.name = "cross_core_wait_flag",
     .ascendc = "CrossCoreWaitFlag",
     .args = kFlagArgs,
     .forms = kWait,
     .rules = kWaitRules,
     .cost = {CostShape::Sync, "cross_core"},
     .doc =
         "Makes all that the core does later wait until the flag is set by other cores, and takes one from its count; mode and pipe do not matter.",
     .source = "Ascend C, CrossCoreWaitFlag",
     .structure = "cross_core_wait_flag"},
    {.name = "sync_all",
     .ascendc = "SyncAll",
     .args = kAllArgs,
     .forms = kAllForms,
     .rules = kRules,
     .cost = {CostShape::Sync, "cross_core"},
     .access = access_all,
     .poll = sync_all,
     .missing = missing_in_sync_all,
     .doc =
         "Waits until all cores have come here. Without arguments by cross-core flags; with workspaces by words in global memory, 8 per core.",
     .source = "Ascend C, SyncAll"},
    {.name = "ib_set",
     .ascendc = "IBSet",
     .args = kPairArgs,
     .forms = kIbSet,
     .rules = kRules,
     .cost = {CostShape::Sync, "cross_core"},
     .access = access_pair,
     .poll = change_word<0, 1>,
     .missing = [](const Exec &e) { return missing_in_pair(e, "ib_wait"); },
     .doc =
         "Tells the block that calls ib_wait with the same block_idx and event_id that it may go on; waits until an earlier one was taken.",
     .source = "Ascend C, IBSet"},
    {.name = "ib_wait",
     .ascendc = "IBWait",
     .args = kPairArgs,
     .forms = kIbWait,
     .rules = kRules,
     .cost = {CostShape::Sync, "cross_core"},
     .access = access_pair,
     .poll = change_word<1, 0>,
     .missing = [](const Exec &e) { return missing_in_pair(e, "ib_set"); },
     .doc = "Waits for the ib_set with the same block_idx and event_id.",
     .source = "Ascend C, IBWait"},
    {.name = "wait_pre_block",
     .ascendc = "WaitPreBlock",
     .args = kOrderArgs,
     .forms = kWaitPre,
     .rules = kRules,
     .cost = {CostShape::Sync, "cross_core"},
     .access = access_order,
     .poll = wait_pre_block,
     .missing = missing_before,
     .doc = "Waits until all blocks before this one have called notify_next_block: blocks go on in the order of their index.",
     .source = "Ascend C, WaitPreBlock"},
    {.name = "notify_next_block",
     .ascendc = "NotifyNextBlock",
     .args = kOrderArgs,
     .forms = kNotify,
     .rules = kRules,
     .cost = {CostShape::Sync, "cross_core"},
     .access = access_order,
     .poll = notify_next_block,
     .doc = "Lets the next block pass wait_pre_block; after the last one a new round begins.",
     .source = "Ascend C, NotifyNextBlock"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> block_sync_rows() { return kRows; }

} // namespace asc
