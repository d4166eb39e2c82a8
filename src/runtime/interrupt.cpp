// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIGINT handler of a running simulation.
#include "runtime/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <utility>

namespace asc {

static thread_local std::shared_ptr<std::atomic<bool>> of_this_thread;

void interrupt_by(const Interrupt &interrupt) { of_this_thread = interrupt.flag; }

static std::atomic<bool> interrupted;
static struct sigaction chained; // the handler that was there before ours

static void on_interrupt(int signal, siginfo_t *info, void *context) {
  interrupted.store(true, std::memory_order_relaxed);
  if (chained.sa_flags & SA_SIGINFO)
    chained.sa_sigaction(signal, info, context);
  else if (chained.sa_handler != SIG_DFL && chained.sa_handler != SIG_IGN)
    chained.sa_handler(signal);
}

/// Whether this is the main thread. In the child of a fork it is the one that forked, so what was found out before counts no more.
static bool is_main_thread() {
  static unsigned generation = 1;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++generation; });
  (void)registered;
  static thread_local unsigned asked = 0;
  static thread_local bool answer = false;
  if (std::exchange(asked, generation) != generation) answer = getpid() == gettid();
  return answer;
}

InterruptScope::InterruptScope() {
  // Python's handlers run on the main thread only; launches of other threads end with their program, as any thread's work does.
  if (!is_main_thread()) return;
  struct sigaction action = {};
  action.sa_sigaction = on_interrupt;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  interrupted.store(false, std::memory_order_relaxed);
  if (sigaction(SIGINT, &action, &previous_) != 0) return;
  bool ours = previous_.sa_flags & SA_SIGINFO && previous_.sa_sigaction == on_interrupt; // a launch from within a signal handler
  if (!ours) chained = previous_;
  installed_ = true;
}

InterruptScope::~InterruptScope() {
  if (installed_) sigaction(SIGINT, &previous_, nullptr);
}

const std::atomic<bool> *InterruptScope::flag() const { return installed_ ? &interrupted : of_this_thread.get(); }

} // namespace asc
