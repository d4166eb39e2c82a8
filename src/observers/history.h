// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who touched a byte last, and the shadow memory of one block that remembers it for every byte.
#pragma once

#include "observers/interval_map.h"

#include "apis/api.h"

#include <string>
#include <vector>

namespace asc {

/// One access, as a later one must know it. Passed by value: it stays in two registers.
struct Mark {
  uint64_t epoch : 56 = 0; // of its pipe, see HappensBefore; 0: no access
  uint64_t atomic : 8 = 0; // of an atomic store: Atomic::number()
  uint32_t pc = 0;
  Pipe pipe = Pipe::S;
  uint8_t arg = 0;
  uint16_t core = 0; // of the launch
  bool same_pipe(Mark other) const { return pipe == other.pipe && core == other.core; }
  /// The order of the two does not matter: both read, or both combine in the same way.
  bool commutes(Mark other) const { return atomic == other.atomic; }
  friend bool operator==(const Mark &, const Mark &) = default;
  /// Copies by halves: a mark that has just been made of its parts is not in memory as a whole yet, and reading it as one would wait for
  /// that.
  void set(Mark other) {
    const auto halves = std::bit_cast<std::array<uint64_t, 2>>(other);
    std::memcpy(this, &halves[0], sizeof(halves[0]));
    std::memcpy(reinterpret_cast<std::byte *>(this) + sizeof(halves[0]), &halves[1], sizeof(halves[1]));
  }
};

/// "", or for an atomic store ", by atomic add of float32".
std::string atomic_text(const Mark &mark);

/// The last write of a byte and the reads since then: of each pipe the last, none that completed before another of them began. That is
/// nearly always one read; `others` is the number of a history that holds one more. Atomic stores come in any order, so they are kept like
/// reads, for each way to combine by themselves.
struct History {
  Mark writer, reader;
  uint32_t others = 0;
};

/// Histories by number, so that memory is a map from bytes to small numbers. 0 is the history of a byte that nothing has touched.
class Shadow {
public:
  using Id = IntervalMap::Value;
  Shadow() { clear_memo(), histories_.reserve(kFewest / 4), histories_.resize(1); }

  /// Offsets are those of the address; GM has a map per window.
  IntervalMap &map(Address address);
  const History &operator[](Id id) const { return histories_[id]; }
  Id add(const History &history);

  /// Calls `fn(mark)` for the reads of a history.
  template <class Fn> void for_each_reader(Id id, Fn &&fn) const {
    for (; id != 0 && histories_[id].reader.epoch != 0; id = histories_[id].others) fn(histories_[id].reader);
  }

  /// The history of bytes that `mark` has just written.
  Id written(Mark mark);
  /// The history of bytes with history `before` that `mark` has just read, or combined with. `completed(reader)` tells whether that read
  /// completed before.
  template <class Fn> Id read(Id before, Mark mark, Fn &&completed) {
    Memo &memo = memo_of(before, mark);
    if (memo.before == before && memo.mark == mark) return memo.after;
    const Mark writer = histories_[before].writer;
    Id others = 0;
    for (Id id = before; id != 0 && histories_[id].reader.epoch != 0; id = histories_[id].others) {
      const Mark reader = histories_[id].reader;
      if (!reader.commutes(mark) || (!reader.same_pipe(mark) && !completed(reader))) others = add({writer, reader, others});
    }
    memo = {before, add({writer, mark, others}), mark};
    return memo.after;
  }

  /// So many histories are kept that it is time to collect garbage.
  bool full() const { return histories_.size() >= limit_; }
  /// Forgets histories that no byte has any more. No Id may be kept across the call.
  void collect_garbage();

  /// Calls `fn(window, begin, end, id)` for the touched bytes of GM in order.
  template <class Fn> void for_each_global(Fn &&fn) const {
    for (uint32_t window = 0; window < windows_.size(); ++window)
      windows_[window].for_each([&](uint64_t begin, uint64_t end, Id id) {
        if (id != 0) fn(window, begin, end, id);
      });
  }

private:
  // A loop makes the same transition for one byte after the other: the same answer lets the intervals merge.
  struct Memo {
    Id before, after;
    Mark mark;
  };
  static constexpr Id kWrite = ~Id(0); // `before` of a write, which does not depend on it
  Memo &memo_of(Id before, Mark mark) { return memo_[(before * 0x9E3779B1u ^ mark.pc * 0x85EBCA6Bu) >> 25]; }
  void clear_memo() { memo_.assign(128, {0, 0, {}}); } // no real mark has epoch 0
  template <class Fn> void renumber(Fn &&fn);

  static constexpr size_t kFewest = 1024; // collecting garbage below that is not worth the time; more do not stay in the cache
  std::array<IntervalMap, kMemories> local_;
  std::vector<IntervalMap> windows_;
  std::vector<History> histories_;
  std::vector<Memo> memo_;
  std::vector<Id> moved_; // used by collect_garbage
  size_t limit_ = kFewest;
};

/// The bytes of an access, as offsets in its memory or window.
struct Extent {
  uint64_t begin, end; // the first, and behind the last
  bool dense;          // all between them
  bool empty() const { return begin == end; }
};
inline Extent extent_of(const Access &access) {
  const uint64_t start = uint64_t(access.address.offset());
  if (access.dense()) return {start, start + uint64_t(access.repeats) * access.blocks * access.bytes, true};
  const auto [low, high] = access.extent();
  return {start + uint64_t(low), start + uint64_t(high), false};
}

/// Calls `fn(begin, end)` for the contiguous byte ranges of an access.
template <class Fn> void for_each_range(const Access &access, const Extent &extent, Fn &&fn) {
  if (extent.empty()) return;
  if (extent.dense) return fn(extent.begin, extent.end);
  const int64_t base = access.address.offset();
  access.for_each_run([&](int64_t offset, int64_t bytes) { fn(uint64_t(base + offset), uint64_t(base + offset + bytes)); });
}
template <class Fn> void for_each_range(const Access &access, Fn &&fn) { for_each_range(access, extent_of(access), fn); }

} // namespace asc
