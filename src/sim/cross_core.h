// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cores of a launch, and the flags that they set for each other (07-sync sections 4 and 8).
#pragma once

#include "isa/program.h"

#include <algorithm>
#include <deque>
#include <map>

namespace asc::sim {

/// A core at work on a launch: its number among all of them, the AI Core that it belongs to, and which of its kind it is there.
struct Core {
  uint32_t number, ai_core;
  CoreKind kind;
  uint8_t sub;
};

/// The cube core of an AI Core comes first, then its vector cores.
inline Core core_of(KernelType type, uint32_t number) {
  const KernelTypeInfo &t = info(type);
  const uint32_t in_core = number % cores(t);
  const bool cube = in_core < t.aics;
  return {number, number / cores(t), cube ? CoreKind::AIC : CoreKind::AIV, uint8_t(cube ? in_core : in_core - t.aics)};
}

/// What get_block_idx says on a core.
inline uint32_t block_idx(KernelType type, const Core &core) {
  return core.kind == CoreKind::AIC ? core.ai_core : core.ai_core * info(type).aivs + core.sub;
}

/// Every core counts, flag by flag, how often it may pass a wait. A set counts when all cores that take part have made theirs: the n-th set
/// of each belongs to the n-th round.
class CrossCore {
public:
  CrossCore(KernelType type, uint32_t ai_cores) : type_(type), ai_cores_(ai_cores), counters_(size_t(ai_cores) * cores(info(type))) {}

  /// What a round of sets stands for: observers collect in `variable` what its sets release, for `readers` waits.
  struct Round {
    uint64_t variable;
    uint32_t readers;
  };
  /// `core` has done all that its set was to wait for, at cycle `time`.
  Round set(const Core &core, unsigned flag, unsigned mode, uint64_t time, uint32_t pc);
  /// How often `core` may pass a wait for `flag`, and by which modes.
  size_t count(uint32_t core, unsigned flag) const { return counters_[core][flag].size(); }
  bool mixes_modes(uint32_t core, unsigned flag) const;
  struct Passed {
    uint64_t time, variable;
    unsigned mode;
    uint32_t core, pc; // the set that completed the round
  };
  /// Of a flag that is set: what the next wait passes.
  const Passed &next(uint32_t core, unsigned flag) const { return counters_[core][flag].front(); }
  /// The wait takes it.
  Passed take(uint32_t core, unsigned flag);

  /// The cores that a set of this mode needs, and those whose counters it raises.
  std::vector<uint32_t> participants(const Core &core, unsigned mode) const;
  std::vector<uint32_t> targets(const Core &core, unsigned mode) const;
  /// Of the rounds that would raise `flag` of `core` and have begun: the cores that have not set it yet.
  std::vector<uint32_t> missing(uint32_t core, unsigned flag) const;

  // Words in global memory: a core that waits for one looks again when something has been written.
  void written(uint64_t time) { ++writes_, write_time_ = std::max(write_time_, time); }
  uint64_t writes() const { return writes_; }
  uint64_t write_time() const { return write_time_; }

private:
  uint64_t writes_ = 0, write_time_ = 0;
  struct Group { // of cores that set a flag together
    std::vector<uint32_t> participants, targets;
    std::vector<std::deque<uint64_t>> times; // of sets whose round is not complete, by participant
    std::deque<uint64_t> variables;          // of the rounds that have begun
  };
  std::vector<uint32_t> cores_of(CoreKind kind, uint32_t first, uint32_t last) const;

  KernelType type_;
  uint32_t ai_cores_;
  uint64_t variables_ = 0;
  std::map<std::tuple<unsigned, unsigned, CoreKind, uint32_t>, Group> groups_; // flag, mode, kind, AI Core (mode 0: 0)
  std::vector<std::array<std::deque<Passed>, kCrossFlags>> counters_;
};

} // namespace asc::sim
