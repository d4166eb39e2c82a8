// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See cross_core.h.
#include "sim/cross_core.h"

#include <algorithm>

namespace asc::sim {

/// The cores of a kind in AI Cores first..last-1.
std::vector<uint32_t> CrossCore::cores_of(CoreKind kind, uint32_t first, uint32_t last) const {
  const KernelTypeInfo &type = info(type_);
  std::vector<uint32_t> all;
  for (uint32_t number = first * cores(type); number < last * cores(type); ++number)
    if (core_of(type_, number).kind == kind) all.push_back(number);
  return all;
}

std::vector<uint32_t> CrossCore::participants(const Core &core, unsigned mode) const {
  if (mode == 0) return cores_of(core.kind, 0, ai_cores_);
  return cores_of(core.kind, core.ai_core, core.ai_core + 1);
}

std::vector<uint32_t> CrossCore::targets(const Core &core, unsigned mode) const {
  if (mode != 2) return participants(core, mode);
  return cores_of(core.kind == CoreKind::AIC ? CoreKind::AIV : CoreKind::AIC, core.ai_core, core.ai_core + 1);
}

CrossCore::Round CrossCore::set(const Core &core, unsigned flag, unsigned mode, uint64_t time, uint32_t pc) {
  Group &group = groups_[{flag, mode, core.kind, mode == 0 ? 0 : core.ai_core}];
  if (group.participants.empty()) {
    group.participants = participants(core, mode), group.targets = targets(core, mode);
    group.times.resize(group.participants.size());
  }
  const size_t own =
      size_t(std::lower_bound(group.participants.begin(), group.participants.end(), core.number) - group.participants.begin());
  group.times[own].push_back(time);
  if (group.times[own].size() > group.variables.size()) group.variables.push_back(variables_++);
  const Round round{group.variables[group.times[own].size() - 1], uint32_t(group.targets.size())};
  if (std::any_of(group.times.begin(), group.times.end(), [](auto &times) { return times.empty(); })) return round;
  uint64_t complete = 0;
  for (auto &times : group.times) complete = std::max(complete, times.front()), times.pop_front();
  for (const uint32_t target : group.targets) counters_[target][flag].push_back({complete, group.variables.front(), mode, core.number, pc});
  group.variables.pop_front();
  return round;
}

bool CrossCore::mixes_modes(uint32_t core, unsigned flag) const {
  const auto &counter = counters_[core][flag];
  return std::any_of(counter.begin(), counter.end(), [&](const Passed &passed) { return passed.mode != counter.front().mode; });
}

CrossCore::Passed CrossCore::take(uint32_t core, unsigned flag) {
  const Passed passed = counters_[core][flag].front();
  counters_[core][flag].pop_front();
  return passed;
}

std::vector<uint32_t> CrossCore::missing(uint32_t core, unsigned flag) const {
  std::vector<uint32_t> all;
  for (const auto &[key, group] : groups_) {
    if (std::get<0>(key) != flag || group.variables.empty()) continue;
    if (std::find(group.targets.begin(), group.targets.end(), core) == group.targets.end()) continue;
    for (size_t i = 0; i < group.participants.size(); ++i)
      if (group.times[i].empty()) all.push_back(group.participants[i]);
  }
  return all;
}

} // namespace asc::sim
