// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The adversarial mode of a block: every instruction of a pipe waits in its queue until a flag, a barrier or the end of the kernel asks for
// it, the pipes go on in an order that the seed decides, and a pipe takes instructions that nothing orders in any order. Where the device
// compiler does not order the scalar unit, its stores wait, too. Every run is one that the device may make; what a race leaves to chance
// comes out differently.
#include "sim/machine.h"

#include <algorithm>
#include <numeric>

namespace asc::sim {

/// Takes an instruction at the head of a queue, or one behind it that may overtake; false when the head waits for a flag that is not set.
bool Machine::step(Pipe p, unsigned depth) {
  if (p == Pipe::S) return store_next();
  auto &queue = pipe(p).queue;
  if (queue.empty()) return false;
  if (queue.front().action == Action::Set) let_pass(queue.front(), depth);
  if (queue.empty()) return state_ == State::Ready;
  if (queue.front().action == Action::Wait && !flag(queue.front().event, queue.front().id).set) return false;
  const auto chosen = queue.begin() + std::ptrdiff_t(choose(p));
  const Pending taken = std::move(*chosen);
  queue.erase(chosen);
  perform(taken, p);
  return state_ == State::Ready;
}

/// The head of a queue, or an instruction that nothing orders after those before it. A set holds up nothing that comes after it.
size_t Machine::choose(Pipe p) {
  if (p == Pipe::V && program().auto_sync) return 0;
  const auto &queue = pipe(p).queue;
  choices_.assign(1, 0);
  for (size_t i = 0; i < queue.size(); ++i) {
    const Action action = queue[i].action;
    if (action == Action::Wait || action == Action::Barrier) break;
    if (i > 0 && action == Action::Run) choices_.push_back(i);
  }
  return choices_[adversary_.below(choices_.size())];
}

/// A flag that is up is not set again before the wait that was issued for it has passed (assumption "set_flag of a flag that is up").
void Machine::let_pass(const Pending &set, unsigned depth) {
  const unsigned event = set.event, id = set.id;
  const uint64_t issued = set.issued;
  const Pipe dst = kEventInfo[event].dst;
  const auto awaited = [&] {
    const auto &queue = pipe(dst).queue;
    return std::any_of(queue.begin(), queue.end(), [&](const Pending &pending) {
      return pending.action == Action::Wait && pending.event == event && pending.id == id && pending.issued < issued;
    });
  };
  while (depth <= kPipes && flag(event, id).set && awaited()) {
    const Pending &head = pipe(dst).queue.front();
    if (head.action == Action::Wait && !flag(head.event, head.id).set && !demand(head.event, head.id, depth + 1)) return;
    if (!step(dst, depth + 1)) return;
  }
}

// ---------------------------------------------------------------- stores of the scalar unit

bool Machine::store_next() {
  if (stores_.empty()) return false;
  const Store &next = stores_.front();
  if (const uint64_t low = uint64_t(next.address.offset()); ub_.lent() && next.address.memory() == Memory::UB)
    ub_.fetch(low, low + next.size);
  std::memcpy(host(next.address), &next.value, next.size);
  if (launch_->cross && next.address.memory() == Memory::GM) launch_->cross->written(now_);
  stores_.pop_front();
  return true;
}

void Machine::store_all() {
  while (store_next()) {
  }
}

// ---------------------------------------------------------------- what asks for instructions

/// Lets the pipes do what has to come before a flag is set, and no more; false when it is not set by anything that they have.
bool Machine::demand(unsigned event, unsigned id, unsigned depth) {
  const Pipe src = kEventInfo[event].src;
  while (!flag(event, id).set) {
    const auto &queue = pipe(src).queue;
    if (queue.empty() || depth > kPipes) return false;
    const Pending &head = queue.front();
    if (head.action == Action::Wait && !flag(head.event, head.id).set && !demand(head.event, head.id, depth + 1)) return false;
    if (!step(src, depth + 1)) return false;
  }
  return true;
}

/// Lets a pipe take the head of its queue, and others do what has to come before; false when it cannot, or has none.
bool Machine::complete(Pipe p) {
  if (pipe(p).queue.empty()) return false;
  const Pending &head = pipe(p).queue.front();
  if (head.action == Action::Wait && !flag(head.event, head.id).set && !demand(head.event, head.id)) return false;
  return step(p);
}

/// Lets the pipes do all that they can. One goes on only while all before it in an order by chance, which changes now and then, are
/// blocked: so it is late whatever the others do (Burckhardt et al., A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs).
void Machine::exhaust() {
  std::array<unsigned, kPipes> order;
  std::iota(order.begin(), order.end(), 0u);
  const auto shuffle = [&] {
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[adversary_.below(i)]);
  };
  shuffle();
  while (state_ == State::Ready && std::any_of(order.begin(), order.end(), [&](unsigned p) { return step(Pipe(p)); }))
    if (adversary_.below(16) == 0) shuffle();
}

/// Lets a pipe do all accesses that it has been given; false when it cannot.
bool Machine::complete_accesses(Pipe p) {
  const auto &queue = pipe(p).queue;
  while (std::any_of(queue.begin(), queue.end(), [](const Pending &pending) { return pending.action == Action::Run; }))
    if (!complete(p)) return false;
  return true;
}

bool Machine::give_way() {
  const State before = std::exchange(state_, State::Ready);
  bool any = false;
  for (unsigned i = 0, first = unsigned(adversary_.below(kPipes)); i < kPipes && !any; ++i) any = step(Pipe((first + i) % kPipes));
  if (state_ == State::Ready) state_ = before;
  return any;
}

// ---------------------------------------------------------------- what the device compiler orders

static Machine::Reach reach_of(const Access &access) {
  const auto [low, high] = access.extent();
  return {access.address.memory(), access.address.window(), access.address.offset() + low, access.address.offset() + high, access.write};
}

static bool conflict(const Machine::Reach &a, const Machine::Reach &b) {
  return (a.write || b.write) && a.memory == b.memory && a.window == b.window && a.low < b.high && b.low < a.high;
}

/// What an instruction of another pipe has just touched.
void Machine::note_reach(Pipe p) {
  constexpr size_t kMost = 256;
  auto &all = reached_[unsigned(p)];
  if (all.size() >= kMost) all.erase(all.begin(), all.begin() + kMost / 2);
  for (const Access &access : accesses_.span())
    if (!access.empty()) all.push_back(reach_of(access));
}

/// The device compiler makes S wait for what V, MTE2 and MTE3 do to the bytes of an access (07-sync section 3, assumption "order by the
/// device compiler").
void Machine::complete_before(const Access &access) {
  if (!program().auto_sync || access.empty()) return;
  const Reach own = reach_of(access);
  const auto meets = [&](const Pending &pending) {
    if (pending.action != Action::Run || !pending.step->site->row->access) return false;
    Accesses accesses; // offsets need not be there yet: all that they may lead to
    pending.step->site->row->access(*pending.call, pending.core, accesses);
    return std::any_of(accesses.span().begin(), accesses.span().end(),
                       [&](const Access &other) { return !other.empty() && conflict(reach_of(other), own); });
  };
  for (const Pipe p : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) {
    const auto &queue = pipe(p).queue;
    auto &reached = reached_[unsigned(p)];
    if (std::none_of(reached.begin(), reached.end(), [&](const Reach &other) { return conflict(other, own); }) &&
        std::none_of(queue.begin(), queue.end(), meets))
      continue;
    while (!queue.empty())
      if (!complete(p)) return;
    reached.clear();
  }
}

} // namespace asc::sim
