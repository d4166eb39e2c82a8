// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See threads.h.
#include "sim/threads.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>

namespace asc::sim {

namespace {
class Threads {
public:
  void share(unsigned count, const std::function<void()> &task) {
    std::lock_guard lock(mutex_);
    for (unsigned i = 0; i < count; ++i) tasks_.push_back(task);
    // A thread that is idle or will be takes a task; more threads than tasks are of no use.
    for (; threads_ < tasks_.size() && threads_ < kMost; ++threads_) std::thread([this] { work(); }).detach();
    ready_.notify_all();
  }

private:
  static constexpr unsigned kMost = 256;
  [[noreturn]] void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return !tasks_.empty(); });
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> tasks_;
  size_t threads_ = 0;
};

// Never destroyed: its threads wait until the process ends. A forked child has none of them, so it begins with a new one.
Threads *threads = nullptr;
std::mutex threads_mutex;
// Before there is a thread that a fork could surprise half-way.
[[maybe_unused]] const int registered =
    pthread_atfork([] { threads_mutex.lock(); }, [] { threads_mutex.unlock(); }, [] { threads = nullptr, threads_mutex.unlock(); });

Threads &kept_threads() {
  std::lock_guard lock(threads_mutex);
  if (!threads) threads = new Threads;
  return *threads;
}
} // namespace

void share_work(unsigned count, const std::function<void()> &task) {
  if (count > 0) kept_threads().share(count, task);
}

unsigned host_threads() {
  static const unsigned count = [] {
    cpu_set_t set;
    const int usable = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return usable > 0 ? unsigned(usable) : std::max(1u, std::thread::hardware_concurrency());
  }();
  return count;
}

} // namespace asc::sim
