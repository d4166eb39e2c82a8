// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See history.h.
#include "observers/history.h"

namespace asc {

IntervalMap &Shadow::map(Address address) {
  if (address.memory() != Memory::GM) return local_[unsigned(address.memory())];
  if (address.window() >= windows_.size()) windows_.resize(address.window() + 1);
  return windows_[address.window()];
}

Shadow::Id Shadow::add(const History &history) {
  histories_.push_back(history);
  return Id(histories_.size() - 1);
}

Shadow::Id Shadow::written(const Mark &mark) {
  Memo &memo = memo_of(kWrite, mark);
  if (memo.before == kWrite && memo.mark == mark) return memo.after;
  History history;
  history.writer = mark;
  memo = {kWrite, add(history), mark};
  return memo.after;
}

template <class Fn> void Shadow::for_each_map(Fn &&fn) {
  for (IntervalMap &map : local_) fn(map);
  for (IntervalMap &map : windows_) fn(map);
}

void Shadow::collect_garbage() {
  if (histories_.size() < limit_) return;
  constexpr Id kDead = ~Id(0);
  std::vector<Id> moved(histories_.size(), kDead);
  std::vector<History> kept(1);
  moved[0] = 0;
  for_each_map([&](IntervalMap &map) {
    map.renumber([&](Id id) {
      if (moved[id] == kDead) {
        moved[id] = Id(kept.size());
        kept.push_back(histories_[id]);
      }
      return moved[id];
    });
  });
  histories_ = std::move(kept);
  limit_ = std::max<size_t>(4096, 2 * histories_.size());
  clear_memo();
}

} // namespace asc
