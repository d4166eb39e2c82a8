// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C while a simulation runs: the signal sets a flag that the simulator polls, and Python still sees the signal.
#pragma once

#include <atomic>
#include <memory>

#include <csignal>

namespace asc {

/// Stops launches of other threads. Copies are the same; a thread keeps one to its end, later than Python may be asked for anything.
struct Interrupt {
  std::shared_ptr<std::atomic<bool>> flag = std::make_shared<std::atomic<bool>>(false);
  void set(bool on) const { flag->store(on, std::memory_order_relaxed); }
};

/// Ties the launches of this thread to an Interrupt: while it is set they stop. Not of the main thread, which SIGINT stops.
void interrupt_by(const Interrupt &interrupt);

/// While it lives, and when made on the main thread, SIGINT sets `flag` before it reaches the handler that was installed. On another thread
/// `flag` is the one that interrupt_by() gave.
class InterruptScope {
public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;
  const std::atomic<bool> *flag() const;

private:
  bool installed_ = false;
  struct sigaction previous_ = {};
};

} // namespace asc
