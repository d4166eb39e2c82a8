// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The on-chip memory of one core, which is undefined at the start and so filled with a pattern that shows, and may leave copies of arrays
// where they are; and the memory of which lines were used.
#pragma once

#include "apis/types.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace asc::sim {

/// The arrays of the scalar unit: a word per element, and whether it has a value.
struct ArrayMemory {
  std::vector<uint64_t> words;
  std::vector<uint8_t> set;
};

class LocalMemory {
public:
  static constexpr unsigned char kPoison = 0xAA;

  explicit LocalMemory(Memory memory) : size_(info(memory).bytes), bytes_(allocate(size_)), high_(size_) { poison(); }
  std::byte *at(uint64_t offset) const { return bytes_.get() + offset; }
  /// For someone who looks at the bytes for longer than the block runs.
  std::shared_ptr<std::byte> share() const { return bytes_; }
  uint64_t size() const { return size_; }
  /// Notes that bytes low..high-1 are written.
  void touch(uint64_t low, uint64_t high) { low_ = std::min(low_, low), high_ = std::max(high_, high); }
  /// As new; costs only what was touched.
  void poison() {
    loans_.clear();
    if (bytes_.use_count() > 1) bytes_ = allocate(size_), low_ = 0, high_ = size_; // somebody looks at the old ones
    if (low_ < high_) std::memset(at(low_), kPoison, high_ - low_);
    low_ = size_, high_ = 0;
  }

  // A large copy from an array that nobody writes need not be made: the bytes stay where they are, and whoever reads them here is sent
  // there. They are fetched when something else happens to them.

  /// Bytes low..high-1 are those at `source`, as long as the block runs. They are not lent already.
  void lend(uint64_t low, uint64_t high, const std::byte *source) {
    if (loans_.size() == kMostLoans) fetch(loans_.front().low, loans_.front().high);
    loans_.push_back({low, high, source});
  }
  bool lent() const { return !loans_.empty(); }
  /// Bytes low..high-1 must be here.
  void fetch(uint64_t low, uint64_t high) {
    std::erase_if(loans_, [&](const Loan &loan) {
      if (!loan.overlaps(low, high)) return false;
      std::memcpy(at(loan.low), loan.source, loan.high - loan.low);
      return true;
    });
  }
  /// Bytes low..high-1 are about to be replaced, and nothing that is here is read any more.
  void drop(uint64_t low, uint64_t high) {
    std::erase_if(loans_, [&](const Loan &loan) { return low <= loan.low && loan.high <= high; });
    fetch(low, high);
  }
  /// Where the bytes from `offset` on are for someone who reads low..high-1 of them.
  std::byte *find(uint64_t offset, uint64_t low, uint64_t high) {
    for (const Loan &loan : loans_)
      if (loan.low <= std::min(offset, low) && high <= loan.high) return const_cast<std::byte *>(loan.source) + (offset - loan.low);
    fetch(low, high);
    return at(offset);
  }

private:
  struct Loan {
    uint64_t low, high;
    const std::byte *source;
    bool overlaps(uint64_t l, uint64_t h) const { return l < high && low < h; }
  };
  static constexpr size_t kMostLoans = 16;
  static constexpr size_t kAlignment = 4096;
  static std::shared_ptr<std::byte> allocate(uint64_t size) {
    const auto release = [](std::byte *p) { ::operator delete(p, std::align_val_t(kAlignment)); };
    return {static_cast<std::byte *>(::operator new(size, std::align_val_t(kAlignment))), release};
  }
  uint64_t size_;
  std::shared_ptr<std::byte> bytes_;
  uint64_t low_ = 0, high_; // written since the last poison()
  std::vector<Loan> loans_;
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
