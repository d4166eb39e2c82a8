// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The adversarial mode of a block: every instruction of a pipe waits in its queue until a flag, a barrier or the end of the kernel asks for
// it, the pipes go on in an order that the seed decides, and a pipe takes instructions that nothing orders in any order. Every run is one
// that the device may make; what a race leaves to chance comes out differently.
#include "sim/machine.h"

#include <algorithm>
#include <numeric>

namespace asc::sim {

/// Takes an instruction at the head of a queue, or one behind it that may overtake; false when the head waits for a flag that is not set.
bool Machine::step(Pipe p) {
  auto &queue = pipe(p).queue;
  if (queue.empty()) return false;
  if (queue.front().action == Action::Wait && !flag(queue.front().event, queue.front().id).set) return false;
  size_t free_to_go = 1;
  if (queue.front().action == Action::Run && !(p == Pipe::V && program().auto_sync))
    while (free_to_go < queue.size() && queue[free_to_go].action == Action::Run) ++free_to_go;
  const auto chosen = queue.begin() + std::ptrdiff_t(adversary_.below(free_to_go));
  const Pending taken = std::move(*chosen);
  queue.erase(chosen);
  perform(taken, p);
  return state_ == State::Ready;
}

/// Lets the pipes do what has to come before a flag is set, and no more; false when it is not set by anything that they have.
bool Machine::demand(unsigned event, unsigned id, unsigned depth) {
  const Pipe src = kEventInfo[event].src;
  while (!flag(event, id).set) {
    const auto &queue = pipe(src).queue;
    if (queue.empty() || depth > kPipes) return false;
    const Pending &head = queue.front();
    if (head.action == Action::Wait && !flag(head.event, head.id).set && !demand(head.event, head.id, depth + 1)) return false;
    if (!step(src)) return false;
  }
  return true;
}

/// Lets the pipes do all that they can, each as far as it comes, in an order by chance.
void Machine::exhaust() {
  std::array<unsigned, kPipes> order;
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[adversary_.below(i)]);
  for (bool any = true; any && state_ == State::Ready;) {
    any = false;
    for (const unsigned p : order)
      while (step(Pipe(p))) any = true;
  }
}

bool Machine::give_way() {
  const State before = std::exchange(state_, State::Ready);
  bool any = false;
  for (unsigned i = 0, first = unsigned(adversary_.below(kPipes)); i < kPipes && !any; ++i) any = step(Pipe((first + i) % kPipes));
  if (state_ == State::Ready) state_ = before;
  return any;
}

/// The device compiler makes S wait for what V, MTE2 and MTE3 do to the bytes of an access (07-sync section 3).
void Machine::complete_before(const Access &access) {
  if (!program().auto_sync || access.empty()) return;
  const auto meets = [&](const Pending &pending) {
    if (pending.action != Action::Run || !pending.step->site->row->access) return false;
    Accesses accesses = accesses_;
    accesses.size = 0;
    pending.step->site->row->access(*pending.call, pending.core, accesses);
    return std::any_of(accesses.span().begin(), accesses.span().end(), [&](const Access &other) {
      if (other.empty() || !(other.write || access.write) || other.address.memory() != access.address.memory() ||
          other.address.window() != access.address.window())
        return false;
      const auto [low, high] = access.extent();
      const auto [other_low, other_high] = other.extent();
      return access.address.offset() + low < other.address.offset() + other_high &&
             other.address.offset() + other_low < access.address.offset() + high;
    });
  };
  for (const Pipe p : {Pipe::V, Pipe::MTE2, Pipe::MTE3})
    while (std::any_of(pipe(p).queue.begin(), pipe(p).queue.end(), meets)) {
      const Pending &head = pipe(p).queue.front();
      if (head.action == Action::Wait && !flag(head.event, head.id).set && !demand(head.event, head.id)) return;
      if (!step(p)) return;
    }
}

} // namespace asc::sim
