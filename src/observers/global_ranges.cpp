// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See global_ranges.h.
#include "observers/global_ranges.h"

#include "sim/describe.h"
#include "sim/report.h"

#include <algorithm>
#include <tuple>

namespace asc {

static constexpr uint64_t kCacheLine = 64; // of the scalar data cache (01-memory section 4.3)

void GlobalRanges::add(const sim::BlockInfo &info, const Shadow &shadow) {
  std::vector<Range> ranges;
  shadow.for_each_global([&](uint32_t window, uint64_t begin, uint64_t end, const History &history) {
    const bool writes = history.writer.epoch != 0;
    const Mark &mark = writes ? history.writer : history.reader;
    if (!ranges.empty()) {
      Range &last = ranges.back();
      if (last.window == window && last.end == begin && last.writes == writes && last.mark.pc == mark.pc && last.mark.arg == mark.arg) {
        last.end = end;
        return;
      }
    }
    ranges.push_back({window, info.block, begin, end, mark, writes});
  });
  std::lock_guard lock(mutex_);
  program_ = info.program;
  ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
}

/// Sweeps over the ranges by their begin. Of each instruction it is enough to remember the two blocks that reach furthest: if the range of
/// any other block overlaps the current one, so does that of one of these two.
template <class Fn> void GlobalRanges::for_each_overlap(std::vector<Range> &ranges, Fn &&fn) {
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) {
    return std::tie(a.window, a.begin, a.block, a.mark.pc, a.mark.arg) < std::tie(b.window, b.begin, b.block, b.mark.pc, b.mark.arg);
  });
  struct Furthest {
    const Range *first, *second;
  };
  std::vector<Furthest> instructions;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const Range &range = ranges[i];
    if (i > 0 && ranges[i - 1].window != range.window) instructions.clear();
    Furthest *own = nullptr;
    for (Furthest &seen : instructions) {
      const Range *other = seen.first->block != range.block ? seen.first : seen.second;
      if (other && other->end > range.begin && (other->writes || range.writes)) fn(*other, range);
      if (seen.first->mark.pc == range.mark.pc && seen.first->mark.arg == range.mark.arg && seen.first->writes == range.writes) own = &seen;
    }
    if (!own)
      instructions.push_back({&range, nullptr});
    else if (own->first->block == range.block)
      own->first = range.end > own->first->end ? &range : own->first;
    else if (range.end > own->first->end)
      *own = {&range, own->first};
    else if (!own->second || range.end > own->second->end)
      own->second = &range;
  }
}

void GlobalRanges::report_pair(sim::Report &report, const char *code, const Range &a, const Range &b) const {
  // A write is the better place to point at; then the lower block.
  const bool swap = a.writes != b.writes ? b.writes : b.block < a.block;
  const Range &first = swap ? b : a, &second = swap ? a : b;
  if (!report.wanted(code, first.block, first.mark.pc, second.mark.pc)) return;
  const bool line = std::string_view(code) == "S304";
  const uint64_t begin = std::max(first.begin, second.begin), end = std::min(first.end, second.end);
  const std::string bytes = byte_range(Memory::GM, begin, end, end - begin);
  const std::string tensor = operand_name(*program_, first.mark.pc, first.mark.arg);
  const auto site = [&](const Range &range) {
    std::string what = (range.writes ? "writes " : "reads ") + operand_name(*program_, range.mark.pc, range.mark.arg);
    return sim::FindingSite{range.mark.pc, range.mark.pipe, range.block, what + (line ? ", cache line at " : ", ") + bytes};
  };
  sim::Finding finding;
  finding.code = code;
  finding.sites = {site(first), site(second)};
  const std::string blocks = "blocks " + std::to_string(first.block) + " and " + std::to_string(second.block);
  if (line) {
    finding.message = blocks + " write into one 64-byte line of " + tensor + ", and the data cache of " +
                      call_name(*program_, (writes_by_cache(first) ? first : second).mark.pc) + " stores the whole line";
    finding.help = "give each block whole lines of 64 bytes, or collect the values in a local tensor and write them with data_copy";
  } else {
    finding.message = "race between " + blocks + " on " + tensor + ": " +
                      (second.writes ? "both write" : "one writes and the other reads") + " the same bytes";
    finding.help =
        "give each block its own part of " + tensor + ", for example by asc.get_block_idx(); blocks run in any order and at the same time";
  }
  report.add(std::move(finding));
}

void GlobalRanges::finish(sim::Report &report) {
  std::vector<bool> written; // by window: arrays that are only read need no sweep
  bool scalar_writes = false;
  for (const Range &range : ranges_) {
    if (range.window >= written.size()) written.resize(range.window + 1);
    if (range.writes) written[range.window] = true;
    scalar_writes |= writes_by_cache(range);
  }
  // Which blocks after a stopped one have run depends on the threads.
  std::erase_if(ranges_, [&](const Range &range) { return !written[range.window] || range.block > report.stopped_at(); });
  for_each_overlap(ranges_, [&](const Range &a, const Range &b) { report_pair(report, "S303", a, b); });
  if (!scalar_writes) return;

  std::erase_if(ranges_, [](const Range &range) { return !range.writes; });
  for (Range &range : ranges_)
    if (writes_by_cache(range)) {
      range.begin = range.begin / kCacheLine * kCacheLine;
      range.end = (range.end + kCacheLine - 1) / kCacheLine * kCacheLine;
    }
  for_each_overlap(ranges_, [&](const Range &a, const Range &b) {
    if (writes_by_cache(a) || writes_by_cache(b)) report_pair(report, "S304", a, b);
  });
}

} // namespace asc
