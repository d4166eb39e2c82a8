// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of the arrays a launch has written.
#pragma once

#include "observers/interval_map.h"
#include "sim/observer.h"

namespace asc {

class Coverage final : public sim::Observer {
public:
  std::unique_ptr<sim::BlockObserver> block(const sim::BlockInfo &, sim::Report &) override;

  struct Gap {
    uint64_t begin = 0, end = 0; // the first one
    uint64_t bytes = 0;          // of all
  };
  /// The bytes among the first `size` of a window that no block has written.
  Gap gap(uint32_t window, uint64_t size);

private:
  class Block;
  std::mutex mutex_;
  std::unordered_map<uint32_t, IntervalMap> written_; // by window; 1: written
};

} // namespace asc
