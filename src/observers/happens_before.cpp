// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See happens_before.h.
#include "observers/happens_before.h"

#include <algorithm>

namespace asc {

void HappensBefore::join(Clock &into, const Clock &from) {
  for (unsigned q = 0; q < kPipes; ++q) into[q] = std::max(into[q], from[q]);
}

void HappensBefore::learn(Pipe pipe, const Clock &clock) {
  join(known_[unsigned(pipe)], clock);
  scalar_changes_ += pipe == Pipe::S;
}

/// What a flag set by `pipe` carries.
HappensBefore::Clock HappensBefore::released(Pipe pipe) const {
  Clock clock = known_[unsigned(pipe)];
  clock[unsigned(pipe)] = epoch(pipe);
  return clock;
}

HappensBefore::Clock &HappensBefore::flag(unsigned event, unsigned id) {
  uint16_t &number = flag_number_[event * kEventIds + id];
  if (number == 0) {
    flags_.emplace_back();
    number = uint16_t(flags_.size());
  }
  return flags_[number - 1];
}

uint64_t HappensBefore::issue() {
  if (free_tickets_.empty()) {
    dispatched_.emplace_back();
    free_tickets_.push_back(dispatched_.size());
  }
  const uint64_t ticket = free_tickets_.back();
  free_tickets_.pop_back();
  // A new epoch tells the accesses that S makes before the dispatch from those that it makes before the start.
  dispatched_[ticket - 1] = {known_[unsigned(Pipe::S)], epochs_[unsigned(Pipe::S)]++, latest_barriers_};
  return ticket;
}

void HappensBefore::hear_from_scalar(Pipe pipe) {
  if (pipe != Pipe::S) join(known_[unsigned(pipe)], known_[unsigned(Pipe::S)]);
  heard_from_scalar_[unsigned(pipe)] = scalar_changes_;
}

void HappensBefore::start_late(Pipe pipe, uint64_t ticket) {
  const Dispatch &dispatch = dispatched_[ticket - 1];
  scalar_epoch_ = dispatch.scalar_epoch;
  barriers_ = dispatch.barriers;
  join(known_[unsigned(pipe)], dispatch.known);
  free_tickets_.push_back(ticket);
}

void HappensBefore::set_flag(unsigned event, unsigned id, uint64_t ticket) {
  const Pipe source = kEventInfo[event].src;
  start(source, ticket);
  Clock &clock = flag(event, id); // filled in place: there are many flags
  clock = known_[unsigned(source)];
  clock[unsigned(source)] = epochs_[unsigned(source)]++;
}

HappensBefore::Clock HappensBefore::release(Pipe pipe, uint64_t ticket) {
  start(pipe, ticket);
  const Clock clock = released(pipe);
  ++epochs_[unsigned(pipe)];
  return clock;
}

void HappensBefore::wait_flag(unsigned event, unsigned id, uint64_t ticket) {
  const Pipe destination = kEventInfo[event].dst;
  start(destination, ticket);
  learn(destination, flag(event, id));
}

void HappensBefore::barrier(Pipe pipe, uint64_t ticket) {
  if (pipe == Pipe::ALL) {
    known_.fill(epochs_);
    for (uint64_t &epoch : epochs_) ++epoch;
    return;
  }
  start(pipe, ticket);
  known_[unsigned(pipe)][unsigned(pipe)] = epochs_[unsigned(pipe)]++;
}

void HappensBefore::data_barrier(DataBarrier kind) {
  if (kind == DataBarrier::All) {
    learn(Pipe::S, epochs_);
  } else {
    auto barriers = std::make_shared<std::array<Clock, 2>>(latest_barriers_ ? *latest_barriers_ : std::array<Clock, 2>());
    (*barriers)[kind == DataBarrier::Global] = epochs_;
    latest_barriers_ = std::move(barriers);
  }
  for (uint64_t &epoch : epochs_) ++epoch;
}

/// Does the device compiler order them? Then it has done so now.
bool HappensBefore::order_by_compiler(Pipe other, uint64_t epoch, Pipe pipe) {
  const Pipe partner = other == Pipe::S ? pipe : other;
  if (!auto_sync_ || (other != Pipe::S && pipe != Pipe::S)) return false;
  if (partner != Pipe::V && partner != Pipe::MTE2 && partner != Pipe::MTE3) return false;
  // S may have made that access after it had dispatched this instruction: then nothing can order them that way round.
  if (other == Pipe::S && epoch > scalar_epoch_) return false;
  synchronise(other, pipe);
  return true;
}

void HappensBefore::synchronise(Pipe source, Pipe destination) {
  Clock clock = released(source);
  if (source == Pipe::S) clock[unsigned(Pipe::S)] = scalar_epoch_;
  learn(destination, clock);
  if (clock[unsigned(source)] == epoch(source)) ++epochs_[unsigned(source)];
}

} // namespace asc
