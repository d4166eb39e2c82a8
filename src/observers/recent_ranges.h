// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small store in front of the shadow of on-chip memory: the histories of the ranges that a loop reads and writes as a whole, again and
// again. What is in the store counts, and not what the map has for these bytes.
#pragma once

#include "observers/history.h"

namespace asc {

struct RecentRange {
  uint64_t begin = 0, end = 0; // empty: not in use
  Mark writer, reader;         // reader.epoch 0: none since the write. There is no room for two
};

class RecentRanges {
public:
  explicit RecentRanges(Shadow &shadow) : shadow_(shadow) {}

  /// The entry of just these bytes, or null.
  RecentRange *find(uint64_t begin, uint64_t end) {
    RecentRange &range = at(begin);
    return range.begin == begin && range.end == end ? &range : nullptr;
  }
  /// Moves the bytes from the map to the store if they are an interval of it with at most one reader, and have been before: what changes
  /// its borders all the time is better off in the map. Null otherwise; then the map has all of them.
  RecentRange *take(uint64_t begin, uint64_t end) {
    give_back(begin, end);
    IntervalMap &map = shadow_.map(kUB);
    if (map.around(begin) != std::pair(begin, end)) return nullptr;
    RecentRange &range = at(begin);
    if (range.end != 0 && ++misses_ % 4 != 0) return nullptr; // more ranges than there is room for
    Shadow::Id id = 0;
    map.visit(begin, end, [&](uint64_t, uint64_t, Shadow::Id found) { id = found; });
    const History history = shadow_[id];
    if (id == 0 || history.others != 0) return nullptr;
    put(range);
    range = {begin, end, history.writer, history.reader};
    return &range;
  }
  /// Moves all entries that overlap these bytes to the map.
  void give_back(uint64_t begin, uint64_t end) {
    for (RecentRange &range : ranges_)
      if (range.begin < end && begin < range.end) put(range);
  }

private:
  static constexpr Address kUB = Address(Memory::UB, 0, 0);
  RecentRange &at(uint64_t begin) { return ranges_[(begin * 0x9E3779B97F4A7C15u) >> 60]; }
  void put(RecentRange &range) {
    if (range.end != 0) shadow_.map(kUB).assign(range.begin, range.end, shadow_.add({range.writer, range.reader, 0}));
    range = {};
  }

  Shadow &shadow_;
  std::array<RecentRange, 16> ranges_;
  unsigned misses_ = 0;
};

} // namespace asc
