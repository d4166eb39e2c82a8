// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of a launch. Blocks run on several threads and in any order; what the user reads does not depend on that: the first 20
// findings, one per code and pair of places in the source: errors before warnings, each in order of block and time.
#pragma once

#include "diagnostics/checks.h"
#include "sim/observer.h"

#include <atomic>
#include <map>
#include <tuple>

namespace asc::sim {

class Report {
public:
  static constexpr unsigned kMost = 20;

  /// Takes the findings of these checks only, and what stops the launch. Without a program each instruction is a place of its own.
  explicit Report(Checks checks = Checks::all(), const Program *program = nullptr) : checks_(checks), program_(program) {}

  /// False when a finding like this is known already or comes too late to be shown; saves its texts. `pc`, `other`: its first two sites.
  bool wanted(std::string_view code, uint32_t block, uint32_t pc, uint32_t other = kNoRegister) const;
  /// Takes a finding of block sites[0].block; the calls of one block come in order of time. A fatal one stops its block and all later ones.
  void add(Finding finding);
  /// The lowest block with a fatal finding; UINT32_MAX when there is none. Later blocks need not run.
  uint32_t stopped_at() const { return stopped_at_.load(std::memory_order_relaxed); }
  /// The findings in order, without those of blocks after a stopped one and those that follow from a broken rule.
  std::vector<Finding> take();

private:
  using Key = std::tuple<std::string, uint32_t, uint32_t>; // code and places
  struct Order {
    bool warning;
    uint32_t block;
    uint64_t arrival;
    auto operator<=>(const Order &) const = default;
  };
  uint32_t place_of(uint32_t pc) const;
  Key key_of(std::string_view code, uint32_t pc, uint32_t other) const;
  bool wanted_locked(const Key &key, uint32_t block) const;
  void drop_consequences(std::vector<Finding> &findings) const;

  const Checks checks_;
  const Program *const program_;
  mutable std::vector<uint32_t> places_; // by site of the program: the first that is the same place
  mutable std::mutex mutex_;
  std::map<Key, std::pair<Order, Finding>> findings_;
  std::atomic<uint32_t> stopped_at_ = UINT32_MAX;
  uint64_t arrivals_ = 0;
};

} // namespace asc::sim
