// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See races.h.
#include "observers/races.h"

#include "apis/queue.h"
#include "observers/core_order.h"
#include "observers/data_caches.h"
#include "observers/global_ranges.h"
#include "observers/happens_before.h"
#include "observers/history.h"
#include "observers/recent_ranges.h"
#include "sim/describe.h"
#include "sim/report.h"

#include <unordered_set>

namespace asc {
namespace {

/// What the cores of a launch share when one may wait for another: they run on one thread, and accesses to global memory are compared as
/// they happen. Otherwise blocks have no order, and GlobalRanges compares them at the end.
struct Shared {
  CoreOrder order;
  Shadow global;
  CacheLines caches;
  bool combined = false; // there are atomic stores
};

/// Two accesses that nothing orders, and the bytes on which they meet.
struct Race {
  Mark earlier, later;
  bool earlier_writes, later_writes;
  Address address;            // of the tensor
  uint64_t begin, end, total; // the first range, and all bytes
};

/// "data_copy (MTE2)"
std::string actor(const Program &program, Mark mark) { return call_name(program, mark.pc) + " (" + std::string(name(mark.pipe)) + ")"; }

/// The queue that a tensor is from; null when it is from none, or that depends on the path of the program.
const Object *queue_of(const Program &program, Mark mark) {
  const uint32_t origin = tensor_origin(program, mark.pc, mark.arg);
  if (origin == kNoRegister) return nullptr;
  const Instr &made = program.code[origin];
  return made.op == Op::AllocTensor || made.op == Op::Deque ? &program.objects[made.a] : nullptr;
}

/// Of two accesses to a tensor of a queue, one on each of its sides: the calls of the queue that order them; "" for all others.
std::string missing_queue_call(const Program &program, Mark earlier, Mark later, uint8_t event) {
  const Object *queue = queue_of(program, later);
  if (!queue || queue != queue_of(program, earlier)) return {};
  const std::optional<QueueEvents> events = queue_events({queue->src, queue->dst});
  const std::string name = queue->variable ? program.strings[queue->variable] : "queue",
                    before = operand_name(program, earlier.pc, earlier.arg), after = operand_name(program, later.pc, later.arg);
  if (events && event == events->ready)
    return "the tensor goes through its queue: call " + name + ".enque(" + before + ") after the first access and " + after + " = " + name +
           ".deque(dtype) before the second";
  if (events && event == events->free)
    return "free the tensor after its last use: call " + name + ".free_tensor(" + before + ") after the first access, and " + name +
           ".alloc_tensor waits for it";
  return {};
}

/// Where the ids of flags come from: "" when the kernel may choose them.
std::string source_of_ids(const Program &program, std::string_view event) {
  for (uint32_t pc = 0; pc < program.code.size(); ++pc) {
    if (program.code[pc].op != Op::PipeInit) continue;
    const std::string &variable = program.strings[program.sites[program.site_of[pc]].variable];
    return "; the ids belong to the TPipe: take one by " + (variable.empty() ? "pipe" : variable) + ".alloc_event_id(asc.HardEvent." +
           std::string(event) + ")";
  }
  return {};
}

/// The calls that order `earlier` before `later`. A program goes back only where a loop begins a round.
std::string missing_call(const Program &program, Mark earlier, Mark later) {
  if (earlier.pipe == later.pipe)
    return "put asc.pipe_barrier(asc.PipeID.PIPE_" + std::string(name(later.pipe)) + ") between the two accesses";
  if (const std::optional<uint8_t> event = event_between(earlier.pipe, later.pipe)) {
    if (std::string calls = missing_queue_call(program, earlier, later, *event); !calls.empty()) return calls;
    const std::string flag = "(asc.HardEvent." + std::string(kEventInfo[*event].name) + ", id)";
    const std::string calls = "call asc.set_flag" + flag + " after the first access and asc.wait_flag" + flag + " before the second" +
                              source_of_ids(program, kEventInfo[*event].name);
    if (earlier.pc < later.pc) return calls;
    return calls + "; that is in a later round of the loop, so set the flag before the loop too, and wait for it after the loop";
  }
  return "put asc.pipe_barrier(asc.PipeID.PIPE_ALL) between the two accesses";
}

sim::Finding describe(const Program &program, uint32_t block, const Race &race) {
  const std::string first = actor(program, race.earlier), second = actor(program, race.later);
  const char *hazard = !race.later_writes    ? "reads what the first may still be writing"
                       : race.earlier_writes ? "writes what the first may still be writing"
                                             : "writes what the first may still be reading";
  const bool within = race.earlier.pipe == race.later.pipe;
  sim::Finding finding;
  finding.code = within ? "S302" : "S301";
  finding.message =
      "race between " + first + " and " + second + " on " + operand_name(program, race.later.pc, race.later.arg) + ": the second " + hazard;
  const auto site = [&](Mark mark, bool writes) {
    sim::FindingSite site =
        access_site(program, mark.pc, mark.pipe, block, mark.arg, writes, race.address.memory(), race.begin, race.end, race.total);
    site.what += atomic_text(mark);
    return site;
  };
  finding.sites = {site(race.later, race.later_writes), site(race.earlier, race.earlier_writes)};
  finding.help = missing_call(program, race.earlier, race.later);
  return finding;
}

class BlockRaces final : public sim::BlockObserver, public CoreCache::Order {
public:
  BlockRaces(const sim::BlockInfo &info, sim::Report &report, Checks checks, GlobalRanges &global, Shared *shared)
      : info_(info), program_(*info.program), block_(info.block),
        local_(shared || checks.has(Check::Races) || checks.has(Check::DataCache)), between_(checks.has(Check::CoreRaces)), report_(report),
        global_(global), shared_(shared), order_(program_.auto_sync) {
    if (shared || checks.has(Check::DataCache)) cache_.emplace(info_, report, *this, shared ? shared->caches : lines_);
  }

  uint64_t issue(uint32_t, Pipe) override {
    const uint64_t ticket = order_.issue();
    if (known_.size() <= ticket) known_.resize(ticket + 1);
    known_[ticket] = known_[0];
    return ticket;
  }
  void set_flag(uint32_t, unsigned event, unsigned id, uint64_t ticket, uint64_t) override { order_.set_flag(event, id, ticket); }
  void wait_flag(uint32_t, unsigned event, unsigned id, uint64_t ticket, uint64_t, uint64_t) override {
    order_.wait_flag(event, id, ticket);
  }
  void barrier(uint32_t, Pipe pipe, uint64_t ticket, uint64_t, uint64_t) override { order_.barrier(pipe, ticket); }
  void scalar_waits(uint32_t, Pipe pipe, uint64_t, uint64_t) override { order_.synchronise(pipe, Pipe::S); }
  void data_barrier(uint32_t, DataBarrier kind, uint64_t, uint64_t) override { order_.data_barrier(kind); }
  void release(uint32_t, Pipe pipe, uint64_t variable, uint32_t readers, uint64_t ticket, uint64_t) override {
    if (!shared_) return;
    HappensBefore::Clock clock = order_.release(pipe, ticket);
    order_.add_global_barriers(clock); // cores share no other memory
    shared_->order.release(block_, clock, known_[ticket], variable, readers);
  }
  void acquire(uint32_t, uint64_t variable, uint64_t) override {
    if (!shared_) return;
    HappensBefore::Clock own = {};
    known_[0] = shared_->order.acquire(block_, known_[0], variable, own);
    order_.acquire(own);
  }

  void execute(const sim::Execution &execution) override {
    order_.start(execution.pipe, execution.ticket);
    ticket_ = execution.ticket;
    if (between_ && info_.blocks > 1 && execution.pipe == Pipe::S && !execution.call && execution.accesses[0].write &&
        execution.accesses[0].address.memory() == Memory::GM)
      stores_.values[execution.accesses[0].address.word] = execution.value;
    if (shadow_.full()) shadow_.collect_garbage();
    if (shared_ && shared_->global.full()) shared_->global.collect_garbage();
    const auto mark_of = [&, epoch = order_.epoch(execution.pipe)](const Access &access) {
      return Mark{epoch, access.atomic, execution.pc, execution.pipe, access.arg, uint16_t(block_)};
    };
    const Plan &plan = plan_of(execution);
    for (const Plan::Part &part : plan.checked_first)
      if (const Access &access = execution.accesses[part.number]; !harmless(access.address))
        check_write(access, part.extent(access), mark_of(access));
    for (const Plan::Part &part : plan.reads)
      if (const Access &access = execution.accesses[part.number]; !harmless(access.address)) {
        if (access.address.memory() == Memory::GM) note_read(access.address.window());
        read(access, part.extent(access), mark_of(access));
      }
    for (const Plan::Part &part : plan.writes) {
      const Access &access = execution.accesses[part.number];
      if (harmless(access.address)) continue;
      if (access.atomic)
        combine(access, part.extent(access), mark_of(access), plan.checked_first.empty());
      else
        write(access, part.extent(access), mark_of(access), plan.checked_first.empty());
    }
    if (!races_.empty()) report_races();
    if (cache_) cache_->execute(execution, order_.epoch(execution.pipe));
  }

  void end(uint64_t) override {
    if (cache_) cache_->end();
    if (!shared_ && between_) global_.add(program_, shadow_, block_, std::move(stores_));
  }

private:
  void note_read(uint32_t window) {
    if (window >= stores_.read.size()) stores_.read.resize(window + 1);
    stores_.read[window] = true;
  }
  Shadow &shadow_of(const Access &access) { return shared_ && access.address.memory() == Memory::GM ? shared_->global : shadow_; }
  /// Has an earlier access completed before the instruction of `pipe` that started last?
  bool known(Mark earlier, Pipe pipe) const {
    return earlier.core == block_ ? order_.known(earlier.pipe, earlier.epoch, pipe)
                                  : CoreOrder::knows(known_[ticket_], earlier.core, earlier.pipe, earlier.epoch);
  }
  bool completed(Mark earlier, Pipe pipe) const override {
    if (known(earlier, pipe)) return true;
    return earlier.core == block_ &&
           ((earlier.pipe == pipe && order_.in_order(pipe)) || order_.completed_in(/*global=*/true, earlier.pipe, earlier.epoch));
  }
  Shadow &global() override { return shared_ ? shared_->global : shadow_; }
  /// The same, with what the pipe and the device compiler order.
  bool ordered(Mark earlier, Pipe pipe, bool global) {
    if (earlier.core != block_) return known(earlier, pipe);
    return order_.ordered(earlier.pipe, earlier.epoch, pipe) || order_.completed_in(global, earlier.pipe, earlier.epoch);
  }

  /// Bytes that no block writes take part in no race.
  bool harmless(Address address) const { return address.memory() == Memory::GM && info_.constant && (*info_.constant)[address.window()]; }

  /// What the accesses of an instruction ask for, wherever in global memory it works.
  struct Plan {
    struct Part {
      uint32_t number; // of the access
      Extent relative; // to its address
      Extent extent(const Access &access) const {
        const uint64_t start = uint64_t(access.address.offset());
        return {start + relative.begin, start + relative.end, relative.dense};
      }
    };
    uint64_t number = 0; // Execution::repeats
    std::vector<Part> checked_first, reads, writes;
  };
  const Plan &plan_of(const sim::Execution &execution) {
    Plan &plan = plans_[execution.repeats % plans_.size()];
    if (execution.repeats != 0 && plan.number == execution.repeats) return plan;
    plan.number = execution.repeats;
    plan.checked_first.clear(), plan.reads.clear(), plan.writes.clear();
    for (uint32_t i = 0; i < execution.accesses.size(); ++i) {
      const Access &access = execution.accesses[i];
      if (!local_ && access.address.memory() != Memory::GM) continue; // takes part in no race with other cores
      Extent extent = extent_of(access);
      if (extent.empty()) continue;
      extent.begin -= uint64_t(access.address.offset()), extent.end -= uint64_t(access.address.offset());
      if (access.read) plan.reads.push_back({i, extent});
      if (access.write) plan.writes.push_back({i, extent});
    }
    // An instruction does not race with itself: where that could be mistaken, its writes are checked before its reads are recorded.
    if (!order_.in_order(execution.pipe) && may_meet_itself(execution.accesses)) plan.checked_first = plan.writes;
    return plan;
  }

  /// Can an instruction write a byte twice, or read one that it writes? (Only "no" is certain.)
  static bool may_meet_itself(std::span<const Access> accesses) {
    for (const Access &write : accesses) {
      if (!write.write) continue;
      if ((write.repeats > 1 || write.blocks > 1) && !write.dense()) return true;
      for (const Access &other : accesses)
        if (&other != &write && other.address.memory() == write.address.memory()) return true;
      if (write.read) return true;
    }
    return false;
  }

  /// The entry of the bytes of an access, or null; then the map has them.
  RecentRange *recent(const Access &access, const Extent &extent) {
    if (access.address.memory() != Memory::UB) return nullptr;
    if (extent.dense) {
      RecentRange *range = recent_.find(extent.begin, extent.end);
      return range ? range : recent_.take(extent.begin, extent.end);
    }
    recent_.give_back(extent.begin, extent.end);
    return nullptr;
  }
  bool write_races(const RecentRange &range, Mark mark, const Access &access) {
    return range.reader.epoch == 0 ? meet(range.writer, true, mark, true, access, range.begin, range.end)
                                   : meet(range.reader, false, mark, true, access, range.begin, range.end);
  }

  /// Does a write by `mark` race with something in the history of these bytes?
  bool write_races(const Shadow &shadow, Shadow::Id id, Mark mark, const Access &access, uint64_t begin, uint64_t end) {
    // Reads came after the write, so whatever orders this access after them orders it after the write too.
    if (shadow[id].reader.epoch == 0) return meet(shadow[id].writer, true, mark, true, access, begin, end);
    bool races = false;
    shadow.for_each_reader(id, [&](Mark reader) {
      races |= !(mark.atomic && reader.commutes(mark)) && meet(reader, reader.atomic != 0, mark, true, access, begin, end);
    });
    // Those that it need not come after do not put it behind the write.
    return (mark.atomic && meet(shadow[id].writer, true, mark, true, access, begin, end)) || races;
  }

  bool read_races(const Shadow &shadow, Shadow::Id id, Mark mark, const Access &access, uint64_t begin, uint64_t end) {
    bool races = meet(shadow[id].writer, true, mark, false, access, begin, end);
    if (combined_ || (shared_ && shared_->combined))
      shadow.for_each_reader(id, [&](Mark other) { races |= other.atomic && meet(other, true, mark, false, access, begin, end); });
    return races;
  }

  void check_write(const Access &access, const Extent &extent, Mark mark) {
    if (const RecentRange *range = recent(access, extent)) {
      write_races(*range, mark, access);
      return;
    }
    Shadow &shadow = shadow_of(access);
    IntervalMap &map = shadow.map(access.address);
    Shadow::Id clean = 0;
    for_each_range(access, extent, [&](uint64_t begin, uint64_t end) {
      map.visit(begin, end, [&](uint64_t from, uint64_t to, Shadow::Id id) {
        if (id != clean && !write_races(shadow, id, mark, access, from, to)) clean = id;
      });
    });
  }

  void read(const Access &access, const Extent &extent, Mark mark) {
    if (RecentRange *range = recent(access, extent)) {
      const Mark reader = range->reader;
      if (reader.epoch == 0 || reader.same_pipe(mark) || known(reader, mark.pipe)) {
        meet(range->writer, true, mark, false, access, range->begin, range->end);
        range->reader.set(mark);
        return;
      }
      recent_.give_back(range->begin, range->end); // two readers
    }
    Shadow &shadow = shadow_of(access);
    IntervalMap &map = shadow.map(access.address);
    Shadow::Id clean = 0;
    for_each_range(access, extent, [&](uint64_t begin, uint64_t end) {
      map.update(begin, end, [&](uint64_t from, uint64_t to, Shadow::Id id) {
        if (id != clean && !read_races(shadow, id, mark, access, from, to)) clean = id;
        return shadow.read(id, mark, [&](Mark reader) { return known(reader, mark.pipe); });
      });
    });
  }

  /// An atomic store: kept beside those that it commutes with.
  void combine(const Access &access, const Extent &extent, Mark mark, bool check) {
    combined_ = true;
    if (shared_) shared_->combined = true;
    Shadow &shadow = shadow_of(access);
    IntervalMap &map = shadow.map(access.address);
    Shadow::Id clean = 0;
    for_each_range(access, extent, [&](uint64_t begin, uint64_t end) {
      map.update(begin, end, [&](uint64_t from, uint64_t to, Shadow::Id id) {
        if (check && id != clean && !write_races(shadow, id, mark, access, from, to)) clean = id;
        return shadow.read(id, mark, [&](Mark other) { return known(other, mark.pipe); });
      });
    });
  }

  void write(const Access &access, const Extent &extent, Mark mark, bool check) {
    if (RecentRange *range = recent(access, extent)) {
      if (check) write_races(*range, mark, access);
      range->writer.set(mark);
      range->reader.epoch = 0;
      return;
    }
    Shadow &shadow = shadow_of(access);
    IntervalMap &map = shadow.map(access.address);
    const Shadow::Id written = shadow.written(mark);
    Shadow::Id clean = 0;
    for_each_range(access, extent, [&](uint64_t begin, uint64_t end) {
      map.update(begin, end, [&](uint64_t from, uint64_t to, Shadow::Id id) {
        if (check && id != clean && !write_races(shadow, id, mark, access, from, to)) clean = id;
        return written;
      });
    });
  }

  /// Two accesses meet on [begin, end). True when it is a race, which is then noted.
  bool meet(Mark earlier, bool earlier_writes, Mark later, bool later_writes, const Access &access, uint64_t begin, uint64_t end) {
    if (earlier.epoch == 0 || ordered(earlier, later.pipe, access.address.memory() == Memory::GM)) return false;
    note_race({earlier, later, earlier_writes, later_writes, access.address, begin, end, end - begin});
    return true;
  }

  void note_race(const Race &found) {
    for (Race &race : races_)
      if (race.earlier.pc == found.earlier.pc && race.earlier.arg == found.earlier.arg && race.earlier.core == found.earlier.core &&
          race.earlier_writes == found.earlier_writes && race.later.arg == found.later.arg && race.later_writes == found.later_writes) {
        if (race.end == found.begin && race.total == race.end - race.begin) race.end = found.end;
        race.total += found.total;
        return;
      }
    races_.push_back(found);
  }

  void report_races() {
    for (const Race &race : races_) {
      const bool first = reported_.insert(uint64_t(race.later.pc) << 32 | race.earlier.pc).second;
      if (race.earlier.core != race.later.core) {
        if (first) report_between_blocks(race);
        continue;
      }
      const char *code = race.earlier.pipe == race.later.pipe ? "S302" : "S301";
      if (first && report_.wanted(code, block_, race.later.pc, race.earlier.pc)) report_.add(describe(program_, block_, race));
      order_.synchronise(race.earlier.pipe, race.later.pipe); // one missing call is one finding: what follows from it is not reported
    }
    races_.clear();
  }

  void report_between_blocks(const Race &race) {
    const auto range = [&](Mark mark, bool writes) { return GlobalRange{race.address.window(), race.begin, race.end, mark, writes}; };
    sim::Finding finding =
        race_between_blocks(program_, range(race.earlier, race.earlier_writes), range(race.later, race.later_writes), true);
    const auto &sites = finding.sites;
    if (report_.wanted(finding.code, sites[0].block, sites[0].pc, sites[1].pc)) report_.add(std::move(finding));
  }

  const sim::BlockInfo info_;
  const Program &program_;
  const uint32_t block_;
  const bool local_, between_; // whether memory on the chip is followed, and what blocks do that do not talk is compared
  sim::Report &report_;
  GlobalRanges &global_;
  Shared *const shared_; // null: no core waits for another, or that is not looked at
  HappensBefore order_;
  std::vector<Knowledge> known_ = std::vector<Knowledge>(1); // of other cores: [0] now, by ticket what it was at the dispatch
  uint64_t ticket_ = 0;                                      // of the instruction that started last
  Shadow shadow_;
  RecentRanges recent_{shadow_};
  bool combined_ = false; // there are atomic stores
  ScalarStores stores_;
  CacheLines lines_;               // where no core waits for another
  std::optional<CoreCache> cache_; // of S, if it is looked at
  std::array<Plan, 16> plans_;
  std::vector<Race> races_; // of the current instruction
  std::unordered_set<uint64_t> reported_;
};

class Races final : public sim::Observer {
public:
  explicit Races(Checks checks) : checks_(checks) {}
  std::unique_ptr<sim::BlockObserver> block(const sim::BlockInfo &info, sim::Report &report) override {
    if (info.cores_talk && (checks_.has(Check::CoreRaces) || checks_.has(Check::DataCache)) && !shared_)
      shared_ = std::make_unique<Shared>();
    return std::make_unique<BlockRaces>(info, report, checks_, global_, shared_.get());
  }
  void finish(sim::Report &report) override { global_.finish(report); }

private:
  const Checks checks_;
  GlobalRanges global_;
  std::unique_ptr<Shared> shared_;
};

} // namespace

std::unique_ptr<sim::Observer> make_race_checker(Checks checks) { return std::make_unique<Races>(checks); }

} // namespace asc
