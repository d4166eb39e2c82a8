// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See data_caches.h.
#include "observers/data_caches.h"

#include "apis/cache.h"
#include "observers/history.h"
#include "sim/describe.h"
#include "sim/report.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace asc {
namespace {

/// An access, to be named in a report.
struct Where {
  uint32_t pc = kNoRegister;
  Pipe pipe = Pipe::S;
  uint8_t arg = 0;
  uint32_t core = 0;
};

/// A line that a cache has. Masks have a bit per byte.
struct Line {
  uint64_t written = 0, old = 0; // by S and not written back yet; stored by others since it was loaded
  uint64_t issue = 0;            // number of the last store of S
  Where loader, writer, other;   // who loaded it, the last store of S, and the last one of others
};
using Cache = std::unordered_map<uint64_t, Line>; // by number of the line

/// The lines that a cache has among these, in order: findings are the same however the map has them.
std::vector<uint64_t> lines_of(const Cache &cache, uint64_t first = 0, uint64_t last = ~uint64_t(0)) {
  std::vector<uint64_t> numbers;
  for (const auto &[number, line] : cache)
    if (first <= number && number <= last) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// The mask of bytes begin..end-1 of an array, all in one line.
uint64_t bytes_of_line(uint64_t begin, uint64_t end) { return ~uint64_t(0) >> (kCacheLine - (end - begin)) << (begin % kCacheLine); }

/// Calls `fn(line, mask)` for the lines of an array that bytes begin..end-1 lie in.
template <class Fn> void for_each_line(Address array, uint64_t begin, uint64_t end, Fn &&fn) {
  for (uint64_t at = begin; at < end;) {
    const Address address(Memory::GM, array.window(), int64_t(at));
    const uint64_t stop = std::min<uint64_t>(end, at + kCacheLine - address.word % kCacheLine);
    fn(cache_line(address), bytes_of_line(at, stop));
    at = stop;
  }
}

/// The caches of the cores of a launch; of one core where no core may wait for another.
struct Caches {
  std::map<uint32_t, Cache *> of_core;
};

class BlockCaches final : public sim::BlockObserver {
public:
  BlockCaches(const sim::BlockInfo &info, sim::Report &report, bool between, Caches *shared)
      : info_(info), program_(*info.program), report_(report), between_(between) {
    caches_ = shared ? shared : &own_;
    caches_->of_core[info.block] = &cache_;
  }
  ~BlockCaches() override { caches_->of_core.erase(info_.block); }

  uint64_t issue(uint32_t, Pipe) override { return ++issues_; }

  void execute(const sim::Execution &execution) override {
    if (execution.call)
      if (const CacheAction action = cache_action(*execution.call); action.kind != CacheAction::None) return act(action, execution);
    if (execution.call && execution.pipe == Pipe::S) return; // what is dumped or polled
    for (const Access &access : execution.accesses) {
      if (access.address.memory() != Memory::GM || access.empty() || constant(access.address)) continue;
      const Where where{execution.pc, execution.pipe, access.arg, info_.block};
      for_each_range(access, [&](uint64_t begin, uint64_t end) {
        if (!execution.call)
          for_each_line(access.address, begin, end, [&](uint64_t number, uint64_t mask) { scalar(number, mask, where, access.write); });
        else
          other(access.address, begin, end, where, access.write, execution.ticket);
      });
    }
  }

  /// The lines go back now, but nothing tells another core when: to others they stay as they are.
  void end(uint64_t) override { write_back_all(); }

private:
  bool constant(Address address) const { return info_.constant && (*info_.constant)[address.window()]; }

  void scalar(uint64_t number, uint64_t mask, const Where &where, bool writes) {
    const auto [entry, is_new] = cache_.try_emplace(number);
    Line &line = entry->second;
    if (is_new) line.loader = where;
    if (writes) {
      line.written |= mask, line.old &= ~mask;
      line.issue = ++issues_, line.writer = where;
      return;
    }
    if (line.old & mask) return report_old(line, where, number, line.old & mask);
    for (const auto &[core, cache] : caches_->of_core)
      if (cache != &cache_)
        if (const auto found = cache->find(number); found != cache->end() && (found->second.written & mask))
          report_unwritten(found->second, where, number, found->second.written & mask);
  }

  /// An access by a pipe, which goes past the cache.
  void other(Address array, uint64_t begin, uint64_t end, const Where &where, bool writes, uint64_t ticket) {
    for (const auto &[core, cache] : caches_->of_core) {
      if (cache->empty()) continue;
      const uint64_t first = cache_line(Address(Memory::GM, array.window(), int64_t(begin))),
                     last = cache_line(Address(Memory::GM, array.window(), int64_t(end - 1)));
      const auto meet = [&](uint64_t number) {
        const auto found = cache->find(number);
        if (found == cache->end()) return;
        Line &line = found->second;
        if (cache == &cache_ && ticket != 0 && line.issue > ticket) return; // S has run ahead of an instruction that waited
        const int64_t start = Address(number * kCacheLine).offset();
        const uint64_t mask = bytes_of_line(std::max<int64_t>(int64_t(begin), start), std::min<int64_t>(int64_t(end), start + kCacheLine));
        if (writes) {
          line.old |= mask, line.other = where;
          if (line.written) report_lost(line, number, core);
        } else if (line.written & mask) {
          report_unwritten(line, where, number, line.written & mask);
        }
      };
      if (last - first < cache->size())
        for (uint64_t number = first; number <= last; ++number) meet(number);
      else
        for (const uint64_t number : lines_of(*cache, first, last)) meet(number);
    }
  }

  void act(const CacheAction &action, const sim::Execution &execution) {
    const uint64_t number = cache_line(action.at);
    switch (action.kind) {
    case CacheAction::Clean:
      if (const auto found = cache_.find(number); found != cache_.end()) {
        write_back(number, found->second);
        cache_.erase(found);
      }
      return;
    case CacheAction::CleanAll: return clean_all();
    case CacheAction::Load:
      if (!constant(action.at) && cache_.try_emplace(number).second) cache_[number].loader = {execution.pc, Pipe::S, 0, info_.block};
      return;
    case CacheAction::None: return;
    }
  }

  void clean_all() {
    write_back_all();
    cache_.clear();
  }
  void write_back_all() {
    for (const uint64_t number : lines_of(cache_)) write_back(number, cache_[number]);
  }

  /// The whole line goes to memory, with what it has of the bytes that others have stored since.
  void write_back(uint64_t number, Line &line) {
    if (!line.written) return;
    if (line.old) report_lost(line, number, info_.block);
    for (const auto &[core, cache] : caches_->of_core) {
      if (cache == &cache_) continue;
      const auto found = cache->find(number);
      if (found == cache->end()) continue;
      found->second.old |= line.written, found->second.other = line.writer;
      if (found->second.written) report_lost(found->second, number, core);
    }
  }

  // ---------------------------------------------------------------- findings

  sim::FindingSite site(const Where &where, std::string what) const { return {where.pc, where.pipe, where.core, std::move(what)}; }
  std::string tensor(const Where &where) const { return operand_name(program_, where.pc, where.arg); }
  std::string bytes(uint64_t number, uint64_t mask) const {
    const uint64_t start = uint64_t(Address(number * kCacheLine).offset());
    const uint64_t begin = start + unsigned(std::countr_zero(mask)), end = start + kCacheLine - unsigned(std::countl_zero(mask));
    return byte_range(Memory::GM, begin, end, end - begin);
  }
  std::string line_text(uint64_t number) const { return "the line of " + bytes(number, ~uint64_t(0)); }
  std::string actor(const Where &where) const {
    const std::string core = where.core == info_.block ? "" : " of " + core_name(program_.type, where.core);
    return call_name(program_, where.pc) + " (" + std::string(name(where.pipe)) + ")" + core;
  }
  template <class Make> void report(const char *code, const Where &first, const Where &second, Make &&make) {
    if (report_.wanted(code, first.core, first.pc, second.pc)) report_.add(make());
  }
  static constexpr std::string_view kClean =
      "asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, ";

  void report_old(const Line &line, const Where &reader, uint64_t number, uint64_t mask) {
    report("S401", reader, line.other, [&] {
      sim::Finding f;
      f.code = "S401";
      f.message =
          "get_value reads " + tensor(reader) + " from the data cache, where the line was before " + actor(line.other) + " changed it";
      f.sites = {site(reader, "reads " + tensor(reader) + ", " + bytes(number, mask)), site(line.other, "changes these bytes in memory"),
                 site(line.loader, "brought " + line_text(number) + " into the cache")};
      f.help = "forget the line first: call " + std::string(kClean) + tensor(reader) + "[i]) after waiting for the change, before the read";
      return f;
    });
  }

  void report_unwritten(const Line &line, const Where &reader, uint64_t number, uint64_t mask) {
    report("S402", reader, line.writer, [&] {
      sim::Finding f;
      f.code = "S402";
      f.message = actor(reader) + " reads " + tensor(reader) + " in memory, and what " + actor(line.writer) +
                  " has stored there is still in " + (line.writer.core == reader.core ? "the" : "that core's") + " data cache";
      f.sites = {site(reader, "reads " + tensor(reader) + ", " + bytes(number, mask)),
                 site(line.writer, "stores these bytes in the cache")};
      f.help = "write the line back first: call " + std::string(kClean) + tensor(line.writer) + "[i]) after set_value, before " +
               (line.writer.core == reader.core ? "the read" : "the other core is told");
      return f;
    });
  }

  /// The line of `core` has been or will be written back over what others have stored.
  void report_lost(const Line &line, uint64_t number, uint32_t core) {
    const bool same = line.other.core == core;
    if (!same && !between_) return;
    const char *code = same ? "S403" : "S304";
    report(code, line.writer, line.other, [&] {
      sim::Finding f;
      f.code = code;
      f.message = "what " + actor(line.other) + " stores in " + line_text(number) +
                  " is lost: the data cache has that line from before, and writes it back whole because of " + actor(line.writer);
      f.sites = {site(line.writer, "writes into the line in the cache"), site(line.other, "stores in it"),
                 site(line.loader, "brought the line into the cache")};
      f.help =
          same
              ? "write the line back before the other store: call " + std::string(kClean) + tensor(line.writer) +
                    "[i]) after set_value; or let the two store in different lines of 64 bytes"
              : "give each block whole lines of 64 bytes, or let one block write its line back, and the other one forget its own, before that one writes";
      return f;
    });
  }

  const sim::BlockInfo info_;
  const Program &program_;
  sim::Report &report_;
  const bool between_; // what is lost because of other cores is looked for
  Caches own_;
  Caches *caches_;
  Cache cache_;
  uint64_t issues_ = 0;
};

class DataCaches final : public sim::Observer {
public:
  explicit DataCaches(Checks checks) : between_(checks.has(Check::CoreRaces)) {}
  std::unique_ptr<sim::BlockObserver> block(const sim::BlockInfo &info, sim::Report &report) override {
    return std::make_unique<BlockCaches>(info, report, between_, info.cores_talk ? &shared_ : nullptr);
  }

private:
  const bool between_;
  Caches shared_;
};

} // namespace

std::unique_ptr<sim::Observer> make_data_cache_checker(Checks checks) { return std::make_unique<DataCaches>(checks); }

} // namespace asc
