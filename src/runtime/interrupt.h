// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C while a simulation runs: the signal sets a flag that the simulator polls, and Python still sees the signal.
#pragma once

#include <atomic>

#include <csignal>

namespace asc {

/// While it lives, and when made on the main thread, SIGINT sets `flag` before it reaches the handler that was installed.
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
