// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what the simulator's memory, where all see every store at once, hides: the data cache of the scalar unit knows nothing of stores
// by other cores and pipes, nor they of its own (01-memory section 4.3). A part of the race checker, whose clocks say what is ordered.
#pragma once

#include "observers/history.h"
#include "sim/observer.h"

#include <map>

namespace asc {

/// From an access of S that brings a line into the cache of its core until the cache gives it up.
struct CachedLine {
  uint64_t written = 0; // a bit per byte: what S has stored in it, and not again later in a line that it brought again
  uint64_t old = 0;     // what others may have stored in memory since it was loaded
  Mark loader, writer;  // who brought it, and the last store of S (epoch 0: none)
  Mark clean;           // the call that gave it up; epoch 0: the cache may still have it
  bool open() const { return clean.epoch == 0; }
};

/// The lines that the caches of the cores of a launch have had; of one core where no core may wait for another. Kept while something that
/// is not ordered after them may come: those in the cache, and those that have been written back.
struct CacheLines {
  using Line = std::vector<CachedLine>; // in the order in which they came
  std::map<uint64_t, Line> lines;       // by number of the line; none is empty
  std::pair<const uint64_t, Line> *last = nullptr;
};

/// The cache of one core: a read of bytes that were stored after their line came into the cache (S401), of bytes that only a cache has
/// (S402), and lines that are written back over what others have stored in them: by the core itself (S403), or by other cores where one may
/// wait for another (S304; else GlobalRanges finds these). Like the race checker it goes by what is ordered, whatever the order of this run
/// is: the line comes at some time between what the loader waits for and the loader, and goes back before what waits for the clean call.
class CoreCache {
public:
  /// What the race checker knows.
  class Order {
  public:
    /// Has an access completed before the instruction of `pipe` that started last?
    virtual bool completed(Mark earlier, Pipe pipe) const = 0;
    /// The last stores of the bytes of global memory.
    virtual Shadow &global() = 0;

  protected:
    ~Order() = default;
  };

  CoreCache(const sim::BlockInfo &info, sim::Report &report, Order &order, CacheLines &all)
      : info_(info), program_(*info.program), report_(report), order_(order), all_(all) {}

  /// An instruction that the race checker has followed; `epoch` is that of its pipe.
  void execute(const sim::Execution &execution, uint64_t epoch) {
    if (execution.pipe == Pipe::S || !all_.lines.empty()) follow(execution, epoch);
  }
  /// The lines go back now, but nothing tells another core when: to others they stay as they are.
  void end();

private:
  using Line = CacheLines::Line;
  void follow(const sim::Execution &execution, uint64_t epoch);
  bool constant(Address address) const { return info_.constant && (*info_.constant)[address.window()]; }
  bool own(const CachedLine &line) const { return line.loader.core == info_.block; }
  Line &line_of(uint64_t number);
  CachedLine *open(Line &line);
  CachedLine &load(Line &line, uint64_t number, Mark loader);
  void load(Address address, Mark loader);
  void clean(Address address, Mark clean);
  void clean_all(Mark clean);
  bool give_up(Line &line, uint64_t number, Mark clean);
  void scalar(uint64_t number, uint64_t mask, Mark mark, bool writes);
  void other(Address array, uint64_t begin, uint64_t end, Mark mark, bool writes);
  void read(const Line &line, uint64_t number, uint64_t mask, Mark reader, const CachedLine *cached);
  void store(Line &line, uint64_t number, uint64_t mask, Mark mark);
  void write_back(const CachedLine &line, uint64_t number);
  template <class Fn> void for_each_store(uint64_t number, uint64_t mask, Fn &&fn);

  sim::FindingSite site(Mark mark, std::string what) const { return {mark.pc, mark.pipe, mark.core, std::move(what)}; }
  std::string tensor(Mark mark) const;
  std::string actor(Mark mark, Mark other) const;
  void report_old(const CachedLine &line, uint64_t number, uint64_t mask, Mark store, Mark reader);
  void report_unwritten(const CachedLine &line, uint64_t number, uint64_t mask, Mark store, Mark reader);
  void report_lost(const CachedLine &line, uint64_t number, Mark store);

  const sim::BlockInfo info_;
  const Program &program_;
  sim::Report &report_;
  Order &order_;
  CacheLines &all_;
};

} // namespace asc
