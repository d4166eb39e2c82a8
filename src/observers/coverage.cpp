// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See coverage.h.
#include "observers/coverage.h"

#include "observers/history.h"

namespace asc {

static void join(IntervalMap &to, const IntervalMap &from) {
  from.for_each([&](uint64_t begin, uint64_t end, IntervalMap::Value value) {
    if (value) to.assign(begin, end, value);
  });
}

class Coverage::Block final : public sim::BlockObserver {
public:
  explicit Block(Coverage &all) : all_(all) {}
  bool follows_order() const override { return false; }
  void execute(const sim::Execution &execution) override {
    for (const Access &access : execution.accesses)
      if (access.write && !access.garbage && access.address.memory() == Memory::GM)
        for_each_range(access, [&](uint64_t begin, uint64_t end) { written_[access.address.window()].assign(begin, end, 1); });
  }
  void end(uint64_t) override {
    std::lock_guard lock(all_.mutex_);
    for (const auto &[window, map] : written_) join(all_.written_[window], map);
  }

private:
  Coverage &all_;
  std::unordered_map<uint32_t, IntervalMap> written_;
};

std::unique_ptr<sim::BlockObserver> Coverage::block(const sim::BlockInfo &, sim::Report &) { return std::make_unique<Block>(*this); }

void Coverage::add_to(IntervalMap &array, uint32_t window) const {
  if (const auto at = written_.find(window); at != written_.end()) join(array, at->second);
}

Gap gap_in(IntervalMap &array, uint64_t size) {
  Gap gap;
  array.visit(0, size, [&](uint64_t begin, uint64_t end, IntervalMap::Value value) {
    if (value) return;
    if (gap.bytes == 0) gap.begin = gap.end = begin;
    if (gap.end == begin && gap.bytes == gap.end - gap.begin) gap.end = end;
    gap.bytes += end - begin;
  });
  return gap;
}

} // namespace asc
