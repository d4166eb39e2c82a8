// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the bytes of the unified buffer were last used: what S waits for where the device's compiler puts the flags between S and the pipes
// (07-sync section 3, automatic synchronisation).
#pragma once

#include "apis/types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace asc::sim {

class LastUses {
public:
  void start(bool follow) {
    for (std::vector<uint64_t> &table : done_) table.clear();
    follow_ = follow;
  }
  bool follow() const { return follow_; }
  /// An instruction of a pipe uses bytes low..high-1. `done`: when it and all before it on the pipe are complete, which is what a flag
  /// says.
  void note(Pipe pipe, bool write, uint64_t low, uint64_t high, uint64_t done) {
    std::vector<uint64_t> &table = done_[unsigned(pipe) * 2 + write];
    const uint64_t first = low / kBlock, end = (high + kBlock - 1) / kBlock;
    if (table.size() < end) table.resize(end);
    std::fill(table.begin() + std::ptrdiff_t(first), table.begin() + std::ptrdiff_t(end), done);
  }
  /// When all is complete that an access of S to bytes low..high-1 must not overtake; 0 where there is nothing.
  uint64_t complete(bool write, uint64_t low, uint64_t high) const {
    uint64_t time = 0;
    for (size_t i = 0; i < done_.size(); ++i) {
      if (!write && i % 2 == 0) continue; // both read
      for (uint64_t block = low / kBlock; block * kBlock < high && block < done_[i].size(); ++block) time = std::max(time, done_[i][block]);
    }
    return time;
  }

private:
  static constexpr uint64_t kBlock = 32;
  std::array<std::vector<uint64_t>, 2 * kPipes> done_; // by pipe, reads and writes
  bool follow_ = false;
};

} // namespace asc::sim
