// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the blocks of a launch did to global memory, and where two of them got into each other's way.
#pragma once

#include "observers/history.h"
#include "sim/observer.h"

namespace asc {

/// Blocks have no order, so bytes that one writes and another touches are a race (S303), whatever the values are. The scalar unit writes
/// through a data cache that stores whole lines without regard to other cores, so it also destroys what others write into its lines (S304).
class GlobalRanges {
public:
  /// Takes over what a block did. Called from the thread of the block.
  void add(const sim::BlockInfo &info, const Shadow &shadow);
  /// Reports the conflicts, one per pair of lines; the same ones however the blocks ran.
  void finish(sim::Report &report);

private:
  struct Range { // `mark`: the last write, or the last read where there is no write
    uint32_t window, block;
    uint64_t begin, end;
    Mark mark;
    bool writes;
  };
  static bool writes_by_cache(const Range &range) { return range.writes && range.mark.pipe == Pipe::S; }
  template <class Fn> static void for_each_overlap(std::vector<Range> &ranges, Fn &&fn);
  void report_pair(sim::Report &report, const char *code, const Range &a, const Range &b) const;

  std::mutex mutex_;
  const Program *program_ = nullptr;
  std::vector<Range> ranges_;
};

} // namespace asc
