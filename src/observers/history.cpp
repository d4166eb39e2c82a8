// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See history.h.
#include "observers/history.h"

#include <algorithm>

namespace asc {

std::string atomic_text(const Mark &mark) {
  static constexpr std::string_view kNames[] = {"add", "max", "min"};
  if (!mark.atomic) return {};
  const Atomic atomic = Atomic::of(uint8_t(mark.atomic));
  return ", by atomic " + std::string(kNames[unsigned(atomic.op)]) + " of " + std::string(name(atomic.type));
}

IntervalMap &Shadow::map(Address address) {
  if (address.memory() != Memory::GM) return local_[unsigned(address.memory())];
  if (address.window() >= windows_.size()) windows_.resize(address.window() + 1);
  return windows_[address.window()];
}

Shadow::Id Shadow::add(const History &history) {
  histories_.push_back(history);
  return Id(histories_.size() - 1);
}

Shadow::Id Shadow::written(Mark mark) {
  Memo &memo = memo_of(kWrite, mark);
  if (memo.before == kWrite && memo.mark == mark) return memo.after;
  histories_.emplace_back().writer.set(mark);
  memo.before = kWrite, memo.after = Id(histories_.size() - 1);
  memo.mark.set(mark);
  return memo.after;
}

template <class Fn> void Shadow::renumber(Fn &&fn) {
  for (IntervalMap &map : local_) map.renumber(fn);
  for (IntervalMap &map : windows_) map.renumber(fn);
}

void Shadow::collect_garbage() {
  moved_.assign(histories_.size(), 0);
  renumber([&](Id id) { return moved_[id] = 1, id; });
  // `others` is older than the history that names it.
  for (size_t id = histories_.size(); --id > 0;)
    if (moved_[id]) moved_[histories_[id].others] = 1;
  moved_[0] = 0;
  Id kept = 1;
  for (Id id = 1; id < histories_.size(); ++id) {
    if (!moved_[id]) continue;
    History &history = histories_[kept] = histories_[id];
    history.others = moved_[history.others];
    moved_[id] = kept++;
  }
  histories_.resize(kept);
  renumber([&](Id id) { return moved_[id]; });
  limit_ = std::max(kFewest, 2 * histories_.size());
  clear_memo();
}

} // namespace asc
