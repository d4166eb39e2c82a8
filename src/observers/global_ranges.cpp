// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See global_ranges.h.
#include "observers/global_ranges.h"

#include "apis/cache.h"
#include "sim/describe.h"
#include "sim/report.h"

#include <algorithm>
#include <tuple>

namespace asc {

static bool writes_by_cache(const GlobalRange &range) { return range.writes && range.mark.pipe == Pipe::S; }

void GlobalRanges::add(const Program &program, const Shadow &shadow, uint32_t block, ScalarStores stores) {
  std::vector<GlobalRange> ranges;
  shadow.for_each_global([&](uint32_t window, uint64_t begin, uint64_t end, Shadow::Id id) {
    const History &history = shadow[id];
    const bool writes = history.writer.epoch != 0;
    const auto add = [&](const Mark &mark, bool is_write) {
      if (!ranges.empty()) {
        GlobalRange &last = ranges.back();
        if (last.window == window && last.end == begin && last.writes == is_write && last.mark.core == mark.core &&
            last.mark.pc == mark.pc && last.mark.arg == mark.arg && last.mark.atomic == mark.atomic) {
          last.end = end;
          return;
        }
      }
      ranges.push_back({window, begin, end, mark, is_write});
    };
    if (writes) add(history.writer, true);
    bool read = writes; // all that a read meets, a write meets too
    shadow.for_each_reader(id, [&](const Mark &mark) {
      if (mark.atomic) add(mark, true);
      if (!mark.atomic && !read) add(mark, false), read = true;
    });
  });
  std::lock_guard lock(mutex_);
  program_ = &program;
  if (!stores.values.empty()) stores_[block] = std::move(stores);
  ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
}

/// Sweeps over the ranges by their begin. Of each instruction it is enough to remember the two blocks that reach furthest: if the range of
/// any other block overlaps the current one, so does that of one of these two.
template <class Fn> void GlobalRanges::for_each_overlap(std::vector<GlobalRange> &ranges, Fn &&fn) {
  std::sort(ranges.begin(), ranges.end(), [](const GlobalRange &a, const GlobalRange &b) {
    const unsigned atomic_a = a.mark.atomic, atomic_b = b.mark.atomic;
    return std::tie(a.window, a.begin, a.mark.core, a.mark.pc, a.mark.arg, atomic_a) <
           std::tie(b.window, b.begin, b.mark.core, b.mark.pc, b.mark.arg, atomic_b);
  });
  struct Furthest {
    const GlobalRange *first, *second;
  };
  std::vector<Furthest> instructions;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const GlobalRange &range = ranges[i];
    if (i > 0 && ranges[i - 1].window != range.window) instructions.clear();
    Furthest *own = nullptr;
    for (Furthest &seen : instructions) {
      const GlobalRange *other = seen.first->mark.core != range.mark.core ? seen.first : seen.second;
      if (other && other->end > range.begin && (other->writes || range.writes) && !(range.mark.atomic && other->mark.commutes(range.mark)))
        fn(*other, range);
      if (seen.first->mark.pc == range.mark.pc && seen.first->mark.arg == range.mark.arg && seen.first->writes == range.writes &&
          seen.first->mark.atomic == range.mark.atomic)
        own = &seen;
    }
    if (!own)
      instructions.push_back({&range, nullptr});
    else if (own->first->mark.core == range.mark.core)
      own->first = range.end > own->first->end ? &range : own->first;
    else if (range.end > own->first->end)
      *own = {&range, own->first};
    else if (!own->second || range.end > own->second->end)
      own->second = &range;
  }
}

/// A write is the better place to point at; then the lower block.
static bool points_at(const GlobalRange &a, const GlobalRange &b) { return a.writes != b.writes ? a.writes : a.mark.core <= b.mark.core; }

static std::string blocks_text(const Program &program, const GlobalRange &a, const GlobalRange &b) {
  const std::string first = core_name(program.type, a.mark.core), second = core_name(program.type, b.mark.core);
  constexpr std::string_view block = "block ";
  return first.starts_with(block) ? "blocks " + first.substr(block.size()) + " and " + second.substr(block.size())
                                  : first + " and " + second;
}

/// The site of one of two ranges, and what they share.
static sim::FindingSite site_of(const Program &program, const GlobalRange &range, const GlobalRange &other, std::string_view where = {}) {
  const Mark &mark = range.mark;
  const uint64_t begin = std::max(range.begin, other.begin), end = std::min(range.end, other.end);
  sim::FindingSite site =
      access_site(program, mark.pc, mark.pipe, mark.core, mark.arg, range.writes, Memory::GM, begin, end, end - begin, where);
  site.what += atomic_text(mark);
  return site;
}

sim::Finding race_between_blocks(const Program &program, const GlobalRange &a, const GlobalRange &b, bool cores_talk) {
  const GlobalRange &first = points_at(a, b) ? a : b, &second = points_at(a, b) ? b : a;
  const std::string tensor = operand_name(program, first.mark.pc, first.mark.arg);
  sim::Finding finding;
  finding.code = "S303";
  finding.sites = {site_of(program, first, second), site_of(program, second, first)};
  finding.message = "race between " + blocks_text(program, first, second) + " on " + tensor + ": " +
                    (second.writes ? "both write" : "one writes and the other reads") + " the same bytes";
  if (!cores_talk) {
    finding.help =
        "give each block its own part of " + tensor + ", for example by asc.get_block_idx(); blocks run in any order and at the same time";
    return finding;
  }
  // Which of them is meant to come first, a run does not tell.
  finding.help =
      "nothing orders the two accesses: set a cross-core flag after the one that is to come first and wait for it before the other, "
      "or call asc.sync_all() between them";
  if (a.mark.pipe == Pipe::S || b.mark.pipe == Pipe::S)
    finding.help +=
        "; a flag does not wait for the scalar unit: call asc.data_sync_barrier(asc.MemDsbT.DDR) between an access of S and the flag";
  return finding;
}

static sim::Finding shared_line(const Program &program, const GlobalRange &a, const GlobalRange &b) {
  const GlobalRange &first = points_at(a, b) ? a : b, &second = points_at(a, b) ? b : a;
  sim::Finding finding;
  finding.code = "S304";
  finding.sites = {site_of(program, first, second, "cache line at "), site_of(program, second, first, "cache line at ")};
  finding.message = blocks_text(program, first, second) + " write into one 64-byte line of " +
                    operand_name(program, first.mark.pc, first.mark.arg) + ", and the data cache of " +
                    call_name(program, (writes_by_cache(first) ? first : second).mark.pc) + " stores the whole line";
  finding.help = "give each block whole lines of 64 bytes, or collect the values in a local tensor and write them with data_copy";
  return finding;
}

/// One finding per pair of lines.
template <class Make>
static void report_pair(sim::Report &report, const char *code, const GlobalRange &a, const GlobalRange &b, Make &&make) {
  const GlobalRange &first = points_at(a, b) ? a : b, &second = points_at(a, b) ? b : a;
  if (report.wanted(code, first.mark.core, first.mark.pc, second.mark.pc)) report.add(make());
}

bool GlobalRanges::stores_agree(const GlobalRange &a, const GlobalRange &b) const {
  if (!writes_by_cache(a) || !writes_by_cache(b)) return false;
  const auto of_a = stores_.find(a.mark.core), of_b = stores_.find(b.mark.core);
  if (of_a == stores_.end() || of_b == stores_.end()) return false;
  for (const ScalarStores *stores : {&of_a->second, &of_b->second})
    if (a.window < stores->read.size() && stores->read[a.window]) return false;
  const auto &in_a = of_a->second.values, &in_b = of_b->second.values;
  for (uint64_t at = std::max(a.begin, b.begin); at < std::min(a.end, b.end); ++at) {
    const uint64_t address = Address(Memory::GM, a.window, int64_t(at)).word;
    const auto x = in_a.find(address), y = in_b.find(address);
    const bool has_a = x != in_a.end(), has_b = y != in_b.end();
    if (has_a != has_b || (has_a && x->second != y->second)) return false;
  }
  return true;
}

void GlobalRanges::finish(sim::Report &report) {
  std::vector<bool> written; // by window: arrays that are only read need no sweep
  bool scalar_writes = false;
  for (const GlobalRange &range : ranges_) {
    if (range.window >= written.size()) written.resize(range.window + 1);
    if (range.writes) written[range.window] = true;
    scalar_writes |= writes_by_cache(range);
  }
  // Which blocks after a stopped one have run depends on the threads.
  std::erase_if(ranges_, [&](const GlobalRange &range) { return !written[range.window] || range.mark.core > report.stopped_at(); });
  // One finding per pair of lines: those that matter come first.
  for (const bool agree : {false, true})
    for_each_overlap(ranges_, [&](const GlobalRange &a, const GlobalRange &b) {
      if (stores_agree(a, b) != agree) return;
      report_pair(report, "S303", a, b, [&] {
        sim::Finding race = race_between_blocks(*program_, a, b, false);
        race.warning = agree;
        if (agree) race.message += ", with the same values in this launch";
        return race;
      });
    });
  if (!scalar_writes) return;

  std::erase_if(ranges_, [](const GlobalRange &range) { return !range.writes; });
  for (GlobalRange &range : ranges_)
    if (writes_by_cache(range)) {
      range.begin = range.begin / kCacheLine * kCacheLine;
      range.end = (range.end + kCacheLine - 1) / kCacheLine * kCacheLine;
    }
  for_each_overlap(ranges_, [&](const GlobalRange &a, const GlobalRange &b) {
    if ((writes_by_cache(a) || writes_by_cache(b)) && !stores_agree(a, b))
      report_pair(report, "S304", a, b, [&] { return shared_line(*program_, a, b); });
  });
}

} // namespace asc
