// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The on-chip memory of one core, which is undefined at the start and so filled with a pattern that shows, and the memory of which lines
// were used.
#pragma once

#include "apis/types.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace asc::sim {

class LocalMemory {
public:
  static constexpr unsigned char kPoison = 0xAA;

  explicit LocalMemory(Memory memory)
      : size_(info(memory).bytes), bytes_(static_cast<std::byte *>(::operator new(size_, std::align_val_t(kAlignment)))), high_(size_) {
    poison();
  }
  std::byte *at(uint64_t offset) const { return bytes_.get() + offset; }
  uint64_t size() const { return size_; }
  /// Notes that bytes low..high-1 are written.
  void touch(uint64_t low, uint64_t high) { low_ = std::min(low_, low), high_ = std::max(high_, high); }
  /// As new; costs only what was touched.
  void poison() {
    if (low_ < high_) std::memset(at(low_), kPoison, high_ - low_);
    low_ = size_, high_ = 0;
  }

private:
  static constexpr size_t kAlignment = 4096;
  struct Free {
    void operator()(std::byte *p) const { ::operator delete(p, std::align_val_t(kAlignment)); }
  };
  uint64_t size_;
  std::unique_ptr<std::byte, Free> bytes_;
  uint64_t low_ = 0, high_; // written since the last poison()
};

/// The 512-byte lines of an array that a block has moved. Clearing costs only what was marked.
class LineSet {
public:
  static constexpr uint64_t kLine = 512;
  /// Marks bytes low..high-1; returns how many of them were not marked before.
  uint64_t add(uint64_t low, uint64_t high);
  void clear();

private:
  std::vector<uint64_t> words_;
  size_t low_ = SIZE_MAX, high_ = 0; // words in use
};

inline uint64_t LineSet::add(uint64_t low, uint64_t high) {
  if (low >= high) return 0;
  const uint64_t first = low / kLine, last = (high - 1) / kLine;
  if (last / 64 >= words_.size()) words_.resize(last / 64 + 1);
  low_ = std::min<size_t>(low_, first / 64), high_ = std::max<size_t>(high_, last / 64 + 1);
  uint64_t lines = 0;
  for (uint64_t w = first / 64; w <= last / 64; ++w) {
    uint64_t mask = ~uint64_t(0);
    if (w == first / 64) mask &= ~uint64_t(0) << first % 64;
    if (w == last / 64) mask &= ~uint64_t(0) >> (63 - last % 64);
    lines += unsigned(std::popcount(mask & ~words_[w]));
    words_[w] |= mask;
  }
  return std::min(lines * kLine, high - low);
}

inline void LineSet::clear() {
  if (low_ < high_) std::fill(words_.begin() + int64_t(low_), words_.begin() + int64_t(high_), 0);
  low_ = SIZE_MAX, high_ = 0;
}

} // namespace asc::sim
