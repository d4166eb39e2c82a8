// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pipes of one core know of each other: vector clocks that follow flags, barriers and the dispatch of instructions (07-sync
// sections 1-3).
#pragma once

#include "apis/types.h"

#include <memory>
#include <vector>

namespace asc {

/// Each pipe counts epochs; an access belongs to the epoch of its pipe. known[p][q] is the last epoch of pipe q whose accesses have all
/// completed before anything that pipe p starts from now on.
///
/// - set_flag releases what the source pipe knows and its own epoch, and begins a new epoch; wait_flag joins that into the destination
/// pipe.
/// - pipe_barrier(p) makes p know its own epoch; pipe_barrier(ALL) makes every pipe know every epoch.
/// - A data barrier of S makes S know every epoch, its own included; one for a memory counts for accesses to that memory, and for
/// instructions that are dispatched after it.
/// - An instruction starts after everything that S had waited for when it dispatched it, but not after the accesses of S itself.
/// - S is in order with itself. V is so with auto_sync only; the other pipes start instructions in order and may complete them in any
/// order.
/// - auto_sync: the device compiler orders S with V, MTE2 and MTE3 wherever their accesses conflict, by a flag set and waited for directly
///   before the later access (assumption "order by the device compiler"). `ordered` treats such a pair as ordered and passes on the
///   knowledge of that flag.
class HappensBefore {
public:
  using Clock = std::array<uint64_t, kPipes>; // an epoch per pipe
  explicit HappensBefore(bool auto_sync) : auto_sync_(auto_sync) { epochs_.fill(1); }

  /// S dispatches an instruction that will start later: remembers what S knows. The ticket is given back to exactly one of the calls below.
  uint64_t issue();
  /// An instruction of `pipe` starts (ticket 0: dispatched just now).
  void start(Pipe pipe, uint64_t ticket) {
    if (ticket != 0) return start_late(pipe, ticket);
    scalar_epoch_ = epoch(Pipe::S);
    if (barriers_ != latest_barriers_) barriers_ = latest_barriers_;
    if (heard_from_scalar_[unsigned(pipe)] != scalar_changes_) hear_from_scalar(pipe);
  }
  void set_flag(unsigned event, unsigned id, uint64_t ticket);
  void wait_flag(unsigned event, unsigned id, uint64_t ticket);
  void barrier(Pipe pipe, uint64_t ticket);
  /// S has waited for earlier accesses: all of them, or those to one memory.
  void data_barrier(DataBarrier kind);

  /// Does the pipe complete its instructions in order?
  bool in_order(Pipe pipe) const { return pipe == Pipe::S || (pipe == Pipe::V && auto_sync_); }
  uint64_t epoch(Pipe pipe) const { return epochs_[unsigned(pipe)]; }
  /// Has that epoch of `other` completed before what started last on `pipe`?
  bool known(Pipe other, uint64_t epoch, Pipe pipe) const { return known_[unsigned(pipe)][unsigned(other)] >= epoch; }
  /// Have data barriers completed the accesses of that epoch to global memory, or to memory on the chip, before what started last?
  bool completed_in(bool global, Pipe other, uint64_t epoch) const { return barriers_ && (*barriers_)[global][unsigned(other)] >= epoch; }
  void add_global_barriers(Clock &clock) const {
    if (barriers_) join(clock, (*barriers_)[true]);
  }
  /// The same for an access that conflicts with the instruction of `pipe` that started last: counts what the pipe and the device compiler
  /// order.
  bool ordered(Pipe other, uint64_t epoch, Pipe pipe) {
    return (other == pipe && in_order(pipe)) || known(other, epoch, pipe) || order_by_compiler(other, epoch, pipe);
  }
  /// As if a flag had been set by `source` and waited for by `destination` directly before the instruction of it that started last.
  void synchronise(Pipe source, Pipe destination);

  static void join(Clock &into, const Clock &from);
  /// What `pipe` knows now, its own accesses included: what a flag for another core carries.
  Clock release(Pipe pipe, uint64_t ticket);
  /// S has waited for another core, which knew `clock` of this one.
  void acquire(const Clock &clock) { learn(Pipe::S, clock); }

private:
  /// By memory (global or not), epochs whose accesses to it have completed.
  using Barriers = std::shared_ptr<const std::array<Clock, 2>>;
  struct Dispatch {
    Clock known;
    uint64_t scalar_epoch;
    Barriers barriers;
  };
  void start_late(Pipe pipe, uint64_t ticket);
  void hear_from_scalar(Pipe pipe);
  void learn(Pipe pipe, const Clock &clock);
  Clock released(Pipe pipe) const;
  Clock &flag(unsigned event, unsigned id);
  bool order_by_compiler(Pipe other, uint64_t epoch, Pipe pipe);

  bool auto_sync_;
  Clock epochs_ = {};
  std::array<Clock, kPipes> known_ = {};
  uint64_t scalar_changes_ = 0; // of what S knows, by flags; the last such change that each pipe has heard of:
  Clock heard_from_scalar_ = {};
  std::vector<Clock> flags_;                                   // those in use
  std::array<uint16_t, kEvents * kEventIds> flag_number_ = {}; // 1 + index into flags_
  Barriers latest_barriers_, barriers_;                        // of S, and when the instruction that started last was dispatched
  uint64_t scalar_epoch_ = 0;                                  // epoch of S when the instruction that started last was dispatched
  std::vector<Dispatch> dispatched_;                           // by ticket - 1
  std::vector<uint64_t> free_tickets_;
};

} // namespace asc
