// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See report.h.
#include "sim/report.h"

#include <algorithm>
#include <array>
#include <set>

namespace asc::sim {

/// For each place its first number: a loop that is unrolled has the same place in each round. A place is one in the source and the calls of
/// device functions that led there.
static std::vector<uint32_t> number_places(const Program &program) {
  std::map<std::array<uint32_t, 6>, uint32_t> known;
  std::vector<uint32_t> places;
  for (const Site &site : program.sites) {
    const auto number = uint32_t(places.size());
    const uint32_t caller = site.inlined_at < number ? places[site.inlined_at] : site.inlined_at;
    places.push_back(known.try_emplace({site.file, site.line, site.column, site.end_line, site.end_column, caller}, number).first->second);
  }
  return places;
}

/// A number for the place of an instruction in the source; one without such a place is its own.
uint32_t Report::place_of(uint32_t pc) const {
  if (!program_ || pc >= program_->site_of.size()) return pc;
  const uint32_t site = program_->site_of[pc];
  if (site >= program_->sites.size() || program_->sites[site].line == 0) return pc;
  if (places_.empty()) places_ = number_places(*program_);
  return uint32_t(program_->code.size()) + places_[site];
}

Report::Key Report::key_of(std::string_view code, uint32_t pc, uint32_t other) const {
  const auto [low, high] = std::minmax({place_of(pc), place_of(other)});
  return {std::string(code), low, high};
}

// At most kMost findings are kept. Dropping the last in order is safe: those before it only move forward, so it could never be shown; the
// same key from an earlier block counts as new.
bool Report::wanted_locked(const Key &key, uint32_t block) const {
  if (block > stopped_at()) return false;
  if (auto it = findings_.find(key); it != findings_.end()) return block < it->second.first.block;
  if (findings_.size() < kMost) return true;
  return std::any_of(findings_.begin(), findings_.end(), [&](auto &f) { return f.second.first.warning || block < f.second.first.block; });
}

bool Report::wanted(std::string_view code, uint32_t block, uint32_t pc, uint32_t other) const {
  if (!checks_.wants(code)) return false;
  std::lock_guard lock(mutex_);
  return wanted_locked(key_of(code, pc, other), block);
}

void Report::add(Finding finding) {
  if (finding.sites.empty()) finding.sites.push_back({});
  const uint32_t block = finding.sites[0].block;
  if (!finding.fatal && !checks_.wants(finding.code)) return;
  std::lock_guard lock(mutex_);
  Key key = key_of(finding.code, finding.sites[0].pc, finding.sites.size() > 1 ? finding.sites[1].pc : kNoRegister);
  if (finding.fatal && block < stopped_at()) stopped_at_.store(block, std::memory_order_relaxed);
  if (!finding.fatal && !wanted_locked(key, block)) return;
  const Order order{finding.warning, block, arrivals_++};
  auto [it, added] = findings_.try_emplace(std::move(key), order, std::move(finding));
  if (!added && (block < it->second.first.block || (finding.fatal && !it->second.second.fatal))) it->second = {order, std::move(finding)};
  if (findings_.size() <= kMost) return;
  // The fatal finding of the stopping block is the reason why the launch ended: it stays.
  auto last = findings_.end();
  for (auto f = findings_.begin(); f != findings_.end(); ++f)
    if (!(f->second.second.fatal && f->second.first.block == stopped_at()) &&
        (last == findings_.end() || f->second.first > last->second.first))
      last = f;
  findings_.erase(last);
}

// An instruction that breaks a rule touches other bytes than it should, or the same ones in another way: what the checks of bytes say of it
// then follows from that, and may be gone when the rule is kept.
void Report::drop_consequences(std::vector<Finding> &findings) const {
  std::set<uint32_t> unruly;
  for (const Finding &finding : findings)
    if (!finding.warning && check_of(finding.code) == Check::Rules) unruly.insert(place_of(finding.sites[0].pc));
  std::erase_if(findings, [&](const Finding &finding) {
    const std::optional<Check> check = check_of(finding.code);
    if (check != Check::Uninitialised && check != Check::Races && check != Check::CoreRaces) return false;
    return std::any_of(finding.sites.begin(), finding.sites.end(),
                       [&](const FindingSite &site) { return unruly.contains(place_of(site.pc)); });
  });
}

std::vector<Finding> Report::take() {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<Order, Finding>> kept;
  for (auto &[key, entry] : findings_)
    if (entry.first.block <= stopped_at()) kept.push_back(std::move(entry));
  findings_.clear();
  std::sort(kept.begin(), kept.end(), [](auto &a, auto &b) { return a.first < b.first; });
  std::vector<Finding> result;
  for (auto &entry : kept) result.push_back(std::move(entry.second));
  drop_consequences(result);
  return result;
}

} // namespace asc::sim
