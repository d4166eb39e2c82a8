// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of the arrays a launch has written.
#pragma once

#include "observers/interval_map.h"
#include "sim/observer.h"

namespace asc {

class Coverage final : public sim::Observer {
public:
  std::unique_ptr<sim::BlockObserver> block(const sim::BlockInfo &, sim::Report &) override;

  /// Adds the bytes of a window that a block has written to those of an array: they are 1.
  void add_to(IntervalMap &array, uint32_t window) const;

private:
  class Block;
  std::mutex mutex_;
  std::unordered_map<uint32_t, IntervalMap> written_; // by window; 1: written
};

struct Gap {
  uint64_t begin = 0, end = 0; // the first one
  uint64_t bytes = 0;          // of all
};
/// What is missing among the first `size` bytes of an array.
Gap gap_in(IntervalMap &array, uint64_t size);

} // namespace asc
