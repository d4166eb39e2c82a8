// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/sync_order.h"

#include "apis/queue.h"
#include "diagnostics/diagnostic.h"
#include "dialect/constants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace asc {

using mlir::Operation;
namespace scf = mlir::scf;

// ---------------------------------------------------------------- what there is

SyncOrder::SyncOrder(KernelOp kernel, const KernelAccesses &accesses) : kernel_(kernel), auto_sync_(!kernel.getNoAutoSync()) {
  find_conflicts(accesses);
  kernel.walk([&](Operation *op) {
    const auto flag = [&](auto flag, Kind kind) {
      const int64_t id = constant_of(flag.getId()).value_or(-1);
      const bool known = id >= 0 && id < int64_t(kEventIds);
      used_[flag.getEvent()] |= known ? 1u << id : 0xFFu;
      const EventInfo &event = kEventInfo[flag.getEvent()];
      const unsigned number = flag.getEvent() * kPerEvent + (known ? unsigned(id) : kUnknownId);
      actions_[op] = {kind, kind == Kind::Set ? event.src : event.dst, 0, number};
    };
    if (auto set = llvm::dyn_cast<SetFlagOp>(op)) flag(set, Kind::Set);
    if (auto wait = llvm::dyn_cast<WaitFlagOp>(op)) flag(wait, Kind::Wait);
    if (auto barrier = llvm::dyn_cast<PipeBarrierOp>(op)) actions_[op] = {Kind::Barrier, Pipe(barrier.getPipe())};
    // What comes later is dispatched when S has gone on, so it comes after everything, as behind a barrier of all pipes.
    if (auto barrier = llvm::dyn_cast<DataSyncBarrierOp>(op); barrier && DataBarrier(barrier.getKind()) == DataBarrier::All)
      actions_[op] = {Kind::Barrier, Pipe::ALL};
    if (auto enque = llvm::dyn_cast<EnqueOp>(op)) add_queue(enque, Kind::Enque);
    if (auto deque = llvm::dyn_cast<DequeOp>(op)) add_queue(deque, Kind::Deque);
    if (auto deque = llvm::dyn_cast<DequeInPlaceOp>(op)) add_queue(deque, Kind::Deque);
  });
}

/// enque sets a flag and deque waits for it, first in, first out.
template <class QueueOp> void SyncOrder::add_queue(QueueOp op, Kind kind) {
  const QueueType queue = op.getQueue().getType();
  QueueEnds ends{Position(queue.getSrc()), Position(queue.getDst())};
  if constexpr (requires { op.getSrc(); })
    if (op.getSrc() && op.getDst()) ends = {Position(*op.getSrc()), Position(*op.getDst())};
  const std::optional<QueueEvents> events = queue_events(ends);
  if (!events) return;
  const EventInfo &event = kEventInfo[events->ready];
  const unsigned number = queues_.try_emplace(op.getQueue(), unsigned(queues_.size())).first->second;
  actions_[op] = {kind, kind == Kind::Enque ? event.src : event.dst, 0, number};
}

void SyncOrder::add_event(Operation *op, Pipe pipe) {
  const unsigned number = unsigned(events_.size());
  events_.push_back({op, pipe, Events(number + 1), {}, {}});
  for (Events &events : of_pipe_) events.resize(number + 1);
  waits_.resize(number + 1);
  of_pipe_[unsigned(pipe)].set(number);
}

void SyncOrder::find_conflicts(const KernelAccesses &accesses) {
  const std::vector<Site> &sites = accesses.sites();
  for (unsigned number = 0; number < sites.size(); ++number) {
    add_event(sites[number].op, sites[number].pipe);
    actions_[sites[number].op] = {Kind::Access, sites[number].pipe, number};
  }
  for (unsigned later = 0; later < sites.size(); ++later) {
    Event &event = events_[later];
    event.earlier.resize(unsigned(sites.size()));
    for (unsigned earlier = 0; earlier < sites.size(); ++earlier) {
      if (is_ordered_by_pipe(sites[earlier].pipe, event.pipe)) continue;
      const bool by_compiler = is_ordered_by_compiler(sites[earlier].pipe, event.pipe);
      if (by_compiler && event.pipe != Pipe::S) continue;
      const std::optional<Conflict> conflict = accesses.conflict(sites[earlier], sites[later]);
      if (!conflict) continue;
      if (!by_compiler) {
        event.earlier.set(earlier);
        event.conflicts[earlier] = *conflict;
      } else if (conflict->certain) {
        event.by_compiler.push_back(earlier);
        events_[earlier].leaves_knowledge = true;
      }
    }
  }
}

bool SyncOrder::is_ordered_by_pipe(Pipe earlier, Pipe later) const {
  return earlier == later && (earlier == Pipe::S || (earlier == Pipe::V && auto_sync_));
}
bool SyncOrder::is_ordered_by_compiler(Pipe earlier, Pipe later) const {
  return auto_sync_ && earlier != later && (earlier == Pipe::S || later == Pipe::S);
}

void SyncOrder::add(Sync sync) {
  const unsigned number = unsigned(syncs_.size());
  for (Operation *op : sync.ops) {
    Action action{Kind::Barrier, sync.to, 0, kInserted + number, int(number)};
    if (llvm::isa<SetFlagOp>(op)) action.kind = Kind::Set, action.pipe = sync.from;
    if (llvm::isa<WaitFlagOp>(op)) {
      action.kind = Kind::Wait, action.event = unsigned(events_.size());
      add_event(op, sync.to);
      waits_.set(action.event);
      sync.waits.push_back(action.event);
    }
    actions_[op] = action;
  }
  syncs_.push_back(std::move(sync));
  ignored_.push_back(false);
}

bool SyncOrder::widen(Operation *set) {
  const int number = actions_.find(set)->second.sync;
  Sync &sync = syncs_[unsigned(number)];
  if (!sync.loop || sync.ops[2] != set) return false;
  Operation *outer = sync.loop->getParentOp();
  while (outer != kernel_ && !is_loop(outer)) outer = outer->getParentOp();
  if (outer == kernel_) return false;
  sync.ops[2]->moveBefore(outer);
  sync.ops[3]->moveAfter(outer);
  sync.loop = outer;
  return true;
}

void SyncOrder::ignore(unsigned sync, bool ignored) { ignored_[sync] = ignored; }

void SyncOrder::remove(unsigned sync) {
  ignored_[sync] = true;
  for (Operation *op : syncs_[sync].ops) {
    actions_.erase(op);
    op->erase();
  }
  syncs_[sync].ops.clear();
}

// ---------------------------------------------------------------- the analysis

bool SetsAndWaits::in_turn(const Sync &a, const Sync &b) const {
  for (Operation *set : b.ops)
    if (auto unheard = unheard_.find(set); unheard != unheard_.end())
      for (unsigned wait : a.waits)
        if (unheard->second.test(wait)) return false;
  return true;
}

/// Whether the loop has a round for certain.
static bool runs(scf::ForOp loop) {
  const std::optional<int64_t> low = constant_of(loop.getLowerBound()), high = constant_of(loop.getUpperBound());
  return low && high && *low < *high;
}

std::vector<Hazard> SyncOrder::hazards() {
  stop_at_hazard_ = true;
  run();
  return std::move(hazards_);
}
SetsAndWaits SyncOrder::sets_and_waits() {
  stop_at_hazard_ = false;
  run();
  return std::move(unheard_);
}

void SyncOrder::run() {
  hazards_.clear(), unheard_ = {};
  const unsigned size = unsigned(events_.size());
  State state;
  state.known.fill(Events(size, true));
  block(kernel_.getBody().front(), state);
}

void SyncOrder::join(State &into, const State &from) {
  const Events known_before = into.known[unsigned(Pipe::S)];
  for (unsigned pipe = 0; pipe < kPipes; ++pipe) into.known[pipe] &= from.known[pipe];
  // A flag that is up on one path only is not waited for after the other one; without an access, S knows what it knows.
  for (auto &[flag, carried] : into.flags)
    if (flag >= kAccesses && !from.flags.contains(flag)) carried &= from.known[unsigned(Pipe::S)];
  for (const auto &[flag, carried] : from.flags) {
    auto [entry, is_new] = into.flags.try_emplace(flag, carried);
    if (!is_new)
      entry->second &= carried;
    else if (flag >= kAccesses)
      entry->second &= known_before;
  }
  for (auto &[number, queue] : into.queues) join(queue, from.queues.contains(number) ? from.queues.at(number) : Queue());
  for (const auto &[number, queue] : from.queues)
    if (!into.queues.contains(number)) join(into.queues[number], queue);
}

/// How many tensors are in a queue must be the same on all paths.
void SyncOrder::join(Queue &into, const Queue &from) {
  into.is_known &= from.is_known && into.list.size() == from.list.size();
  if (!into.is_known) return into.list.clear();
  for (unsigned i = 0; i < into.list.size(); ++i) into.list[i] &= from.list[i];
}

void SyncOrder::block(mlir::Block &ops, State &state) {
  for (Operation &op : ops) {
    if (stop_at_hazard_ && !hazards_.empty()) return;
    if (auto action = actions_.find(&op); action != actions_.end()) {
      act(&op, action->second, state);
    } else if (auto conditional = llvm::dyn_cast<scf::IfOp>(op)) {
      State other = state;
      block(*conditional.thenBlock(), state);
      if (conditional.elseBlock()) block(*conditional.elseBlock(), other);
      join(state, other);
    } else if (is_loop(&op)) {
      auto counted = llvm::dyn_cast<scf::ForOp>(op);
      auto tested = llvm::dyn_cast<scf::WhileOp>(op);
      State start = state;
      for (;;) {
        State end = start;
        if (tested) {
          block(*tested.getBeforeBody(), end);
          state = end;
          block(*tested.getAfterBody(), end);
        } else {
          block(*counted.getBody(), end);
        }
        State next = start;
        join(next, end);
        if (next == start) {
          if (counted) state = runs(counted) ? std::move(end) : std::move(next);
          break;
        }
        start = std::move(next);
      }
    }
  }
}

void SyncOrder::act(Operation *op, const Action &action, State &state) {
  if (action.sync >= 0 && ignored_[unsigned(action.sync)]) return;
  switch (action.kind) {
  case Kind::Access: return execute(action.event, state);
  case Kind::Set: return set(op, action, state);
  case Kind::Wait: return wait(action, state);
  case Kind::Barrier: return barrier(action.pipe, state);
  case Kind::Enque: return enque(action, state);
  case Kind::Deque: return deque(action, state);
  }
}

void SyncOrder::found(unsigned earlier, Operation *later, Pipe pipe, std::optional<Conflict> conflict) {
  if (!stop_at_hazard_) throw InternalError("synchronisation is missing after it was inserted");
  hazards_.push_back({events_[earlier].op, later, events_[earlier].pipe, pipe, conflict});
}

void SyncOrder::execute(unsigned number, State &state) {
  const Event &event = events_[number];
  const Events &known = state.known[unsigned(event.pipe)];
  if (event.earlier.test(known))
    for (unsigned earlier : event.earlier.set_bits())
      if (!known.test(earlier)) found(earlier, event.op, event.pipe, event.conflicts.at(earlier));
  // The device compiler makes S wait for the pipe of an access that S conflicts with, unless S has waited since: S knows that access, and
  // what its pipe had done before. More is not certain.
  for (unsigned earlier : event.by_compiler)
    if (auto left = state.flags.find(kAccesses + earlier); left != state.flags.end()) learn(Pipe::S, left->second, state);

  for (Events &pipe : state.known) pipe.reset(number);
  for (auto &[flag, carried] : state.flags) carried.reset(number);
  for (auto &[queue, tensors] : state.queues)
    for (Events &carried : tensors.list) carried.reset(number);
  if (event.pipe == Pipe::S) state.known[unsigned(Pipe::S)].set(number);
  if (event.leaves_knowledge) state.flags[kAccesses + number] = complete(event.pipe, state);
}

/// Everything of the pipe so far, and all that the pipe knows of, is complete when it sets a flag.
SyncOrder::Events SyncOrder::complete(Pipe pipe, const State &state) const {
  Events events = state.known[unsigned(pipe)];
  events |= of_pipe_[unsigned(pipe)];
  return events;
}

/// What S has waited for is over when it hands on the next instruction, to whatever pipe.
void SyncOrder::learn(Pipe pipe, const Events &events, State &state) {
  if (pipe != Pipe::S) return void(state.known[unsigned(pipe)] |= events);
  for (Events &known : state.known) known |= events;
}

void SyncOrder::set(Operation *op, const Action &action, State &state) {
  Events carried = complete(action.pipe, state);
  if (action.sync >= 0) {
    // An inserted flag is not set before the wait for it is over.
    for (unsigned wait : syncs_[unsigned(action.sync)].waits)
      if (!carried.test(wait)) found(wait, op, action.pipe, {});
    if (!stop_at_hazard_) {
      Events unheard = waits_;
      unheard.reset(carried);
      unheard_.unheard_[op] |= unheard;
    }
  }
  // Which flag an id known at run time means is not known: it may be this one or an earlier one of the event.
  const auto [flag, is_new] = state.flags.try_emplace(action.flag, carried);
  if (is_new) return;
  if (is_unknown(action.flag))
    flag->second &= carried;
  else
    flag->second = std::move(carried);
}

/// What a wait for the flag learns for certain. A flag that was not set before, in program order, tells nothing.
SyncOrder::Events SyncOrder::carried_by(unsigned flag, const State &state) const {
  std::optional<Events> carried;
  const auto add = [&](unsigned number) {
    const auto found = state.flags.find(number);
    if (found == state.flags.end()) return;
    if (carried)
      *carried &= found->second;
    else
      carried = found->second;
  };
  add(flag);
  if (flag < kInserted) {
    const unsigned first = flag / kPerEvent * kPerEvent;
    if (is_unknown(flag))
      for (unsigned id = 0; id < kEventIds; ++id) add(first + id);
    else
      add(first + kUnknownId);
  }
  return carried ? *carried : Events(unsigned(events_.size()));
}

void SyncOrder::wait(const Action &action, State &state) {
  learn(action.pipe, carried_by(action.flag, state), state);
  if (!is_unknown(action.flag)) state.flags.erase(action.flag);
  if (action.sync >= 0) execute(action.event, state);
}

void SyncOrder::enque(const Action &action, State &state) {
  Queue &queue = state.queues[action.flag];
  if (queue.is_known) queue.list.push_back(complete(action.pipe, state));
}

void SyncOrder::deque(const Action &action, State &state) {
  Queue &queue = state.queues[action.flag];
  if (queue.list.empty()) queue.is_known = false;
  if (!queue.is_known) return queue.list.clear();
  learn(action.pipe, queue.list.front(), state);
  queue.list.erase(queue.list.begin());
}

void SyncOrder::barrier(Pipe pipe, State &state) {
  if (pipe != Pipe::ALL) return learn(pipe, of_pipe_[unsigned(pipe)], state);
  for (Events &known : state.known) known.set();
}

} // namespace asc
