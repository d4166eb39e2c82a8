// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the blocks of a launch did to global memory, and where two of them got into each other's way.
#pragma once

#include "observers/history.h"
#include "sim/observer.h"

#include <unordered_map>

namespace asc {

/// What a block did to a piece of an array. `mark`: the last write, or the last read where there is no write.
struct GlobalRange {
  uint32_t window;
  uint64_t begin, end;
  Mark mark;
  bool writes;
};
/// What a block has stored through the scalar unit: the last value at each address of global memory, as bits; and the arrays that it has
/// read, of which that value may have been made.
struct ScalarStores {
  std::unordered_map<uint64_t, uint64_t> values;
  std::vector<bool> read; // by window
};

/// The race of two blocks on the bytes that both ranges have (S303).
sim::Finding race_between_blocks(const Program &program, const GlobalRange &a, const GlobalRange &b, bool cores_talk);

/// Blocks that do not talk have no order, so bytes that one writes and another touches are a race (S303), whatever the values are. The
/// scalar unit writes through a data cache that stores whole lines without regard to other cores, so it also destroys what others write
/// into its lines (S304).
class GlobalRanges {
public:
  /// Takes over what a block did. Called from the thread of the block.
  void add(const Program &program, const Shadow &shadow, uint32_t block, ScalarStores stores);
  /// Reports the conflicts, one per pair of lines; the same ones however the blocks ran.
  void finish(sim::Report &report);

private:
  template <class Fn> static void for_each_overlap(std::vector<GlobalRange> &ranges, Fn &&fn);

  std::mutex mutex_;
  const Program *program_ = nullptr;
  /// Both blocks store the same values there, and have not read the array: the order does not matter.
  bool stores_agree(const GlobalRange &a, const GlobalRange &b) const;

  std::vector<GlobalRange> ranges_;
  std::unordered_map<uint32_t, ScalarStores> stores_; // by block
};

} // namespace asc
