// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch: which blocks run where, in which order, and what their times add up to.
#include "sim/simulator.h"

#include "diagnostics/diagnostic.h"
#include "sim/float_environment.h"
#include "sim/machine.h"
#include "sim/threads.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <pthread.h>

namespace asc::sim {

namespace {

// ---------------------------------------------------------------- machines, kept between launches

class Machines {
public:
  std::unique_ptr<Machine> take() {
    {
      std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto machine = std::move(free_.back());
        free_.pop_back();
        return machine;
      }
    }
    return std::make_unique<Machine>();
  }
  void give(std::unique_ptr<Machine> machine) {
    machine->release();
    std::lock_guard lock(mutex_);
    if (free_.size() < kKept) free_.push_back(std::move(machine));
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

private:
  static constexpr size_t kKept = 64;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Machine>> free_;
};
Machines &machines() {
  static Machines &all = *new Machines; // launches may still run when the process ends
  // Threads of launches do not live on in the child of a fork: none of them may hold the lock then.
  static const int registered = pthread_atfork([] { all.lock(); }, [] { all.unlock(); }, [] { all.unlock(); });
  (void)registered;
  return all;
}

struct Lease {
  std::unique_ptr<Machine> machine = machines().take();
  Lease() = default;
  Lease(Lease &&) = default;
  ~Lease() {
    if (machine) machines().give(std::move(machine));
  }
  Machine *operator->() const { return machine.get(); }
};

// ---------------------------------------------------------------- the launch

constexpr uint64_t kSlice = 1 << 14;   // cycles between looks at Ctrl-C
constexpr uint64_t kQuantum = 1 << 10; // cycles that a block may run ahead of blocks it may talk to
constexpr uint64_t kStreamBytes = 8 << 20;

/// How the arrays of the launch are used.
struct Arrays {
  bool independent = true;    // no block can see what another one writes
  std::vector<bool> constant; // by window: no block writes these bytes
  uint64_t bytes = 0, written = 0;

  Arrays(const Program &program, std::span<const uint64_t> args, std::span<const Window> windows) {
    struct Use {
      bool reads = false, writes = false;
    };
    std::vector<Use> uses(windows.size());
    constant.assign(windows.size(), true);
    for (size_t i = 0; i < args.size(); ++i) {
      if (program.params[i].kind != ParamKind::Address) continue;
      Use &use = uses[Address(args[i]).window()];
      use.reads |= program.params[i].reads, use.writes |= program.params[i].writes;
    }
    for (size_t i = 0; i < uses.size(); ++i) {
      bytes += windows[i].bytes;
      if (!uses[i].writes) continue;
      written += windows[i].bytes;
      independent &= !uses[i].reads;
      constant[i] = false;
      // Two arrays may be views of one.
      for (size_t k = 0; k < uses.size(); ++k) {
        if (k == i || windows[i].data >= windows[k].data + windows[k].bytes || windows[k].data >= windows[i].data + windows[i].bytes)
          continue;
        independent &= !(uses[k].reads || uses[k].writes);
        constant[k] = false;
      }
    }
  }
};

class Run {
public:
  Run(const LaunchContext &context)
      : context_(context), cores_(context.executable.chip->vector_cores), cycles_(context.options.blocks),
        printed_(context.options.blocks) {}

  /// Blocks that keep to themselves, on several threads. Every thread takes the next block; the launching one does, too.
  void parallel(unsigned threads) {
    if (threads <= 1) return work();
    struct Shared {
      std::mutex mutex;
      std::condition_variable idle;
      Run *run;
      unsigned working = 0;
    };
    auto shared = std::make_shared<Shared>();
    shared->run = this;
    share_work(threads - 1, [shared] {
      Run *run;
      {
        std::lock_guard lock(shared->mutex);
        if (!(run = shared->run)) return; // all done already
        ++shared->working;
      }
      run->work();
      std::lock_guard lock(shared->mutex);
      if (--shared->working == 0) shared->idle.notify_one();
    });
    work();
    std::unique_lock lock(shared->mutex);
    shared->run = nullptr;
    shared->idle.wait(lock, [&] { return shared->working == 0; });
  }

  /// Blocks that may talk through global memory: one thread, the block with the smallest clock runs, for a quantum. Wave by wave. Comes
  /// back before the end when it is interrupted, and for a debugger; called again, it goes on.
  void in_turns() {
    guarded([&] {
      interrupted_ = held_ended_ = false;
      if (context_.stops != Stops::Statements) held_ = nullptr;
      for (; first_ < blocks() && !stopped(first_); first_ += cores_) {
        if (wave_.empty()) begin_wave();
        while (Machine *next = next_in_turn()) {
          advance(*next, next->now() + kQuantum);
          const bool stops = next->state() == Machine::State::Stopped, ends = next->state() > Machine::State::Stopped;
          held_ended_ = ends && next == held_;
          if (stops) held_ = next;
          if (held_ended_) held_ = nullptr;
          if (interrupted_ || held_ended_ || stops) return;
        }
        end_wave();
      }
    });
  }
  /// The block that has stopped; null when there is none.
  Machine *held() const { return held_; }
  bool held_ended() const { return held_ended_; }
  bool interrupted() const { return interrupted_; }

  void result(LaunchResult &out) {
    end_wave();
    if (failure_) std::rethrow_exception(failure_);
    out = std::move(total_);
    out.interrupted = interrupted_;
    for (uint32_t block = 0; block < blocks() && block <= context_.report.stopped_at(); ++block) out.printed += printed_[block];
    // A core runs its blocks one after the other; cores start one after the other.
    const Hardware &chip = *context_.executable.chip;
    const uint64_t in_core = uint64_t(std::llround(chip.cycles(kLaunchCost.in_core)));
    uint64_t slowest = 0;
    for (unsigned core = 0; core < std::min<uint64_t>(cores_, blocks()); ++core) {
      uint64_t time = skew(core);
      for (uint64_t block = core; block < blocks(); block += cores_) time += in_core + cycles_[block];
      slowest = std::max(slowest, time);
    }
    out.cycles = slowest + uint64_t(std::llround(chip.cycles(kLaunchCost.outside)));
    out.microseconds = double(out.cycles) / chip.mhz;
  }

private:
  void begin_wave() {
    wave_.resize(active(first_));
    for (unsigned core = 0; core < wave_.size(); ++core) wave_[core]->start(context_, first_ + core, active(first_));
  }
  void end_wave() {
    for (Lease &machine : wave_) finish(*machine.machine);
    wave_.clear();
    held_ = nullptr;
  }
  Machine *next_in_turn() {
    if (held_) return held_;
    Machine *next = nullptr;
    uint64_t earliest = std::numeric_limits<uint64_t>::max();
    for (unsigned core = 0; core < wave_.size(); ++core) {
      Machine &machine = *wave_[core].machine;
      if (machine.state() > Machine::State::Stopped) continue;
      const uint64_t clock = machine.now() + skew(core);
      if (clock < earliest) earliest = clock, next = &machine;
    }
    return next && !stopped(next->block()) ? next : nullptr;
  }

  uint32_t blocks() const { return context_.options.blocks; }
  uint64_t skew(unsigned core) const { return uint64_t(std::llround(context_.executable.chip->cycles(kLaunchCost.per_core * core))); }
  /// Cores at work in the wave of a block.
  unsigned active(uint32_t block) const { return std::min(cores_, blocks() - block / cores_ * cores_); }
  bool stopped(uint32_t block) const { return context_.report.stopped_at() <= block; }

  /// Runs a machine up to a cycle, or less: until the block ends or has to.
  void advance(Machine &machine, uint64_t until) {
    const uint64_t limit = context_.options.cycle_limit;
    machine.run(std::min(until, limit));
    if (machine.state() == Machine::State::Ready && machine.now() >= limit) machine.fail_cycle_limit();
    if (const auto *flag = context_.options.interrupt; flag && flag->load(std::memory_order_relaxed)) interrupted_ = true;
  }

  void finish(Machine &machine) {
    std::lock_guard lock(mutex_);
    cycles_[machine.block()] = machine.now();
    printed_[machine.block()] = machine.take_printed();
    machine.account(total_);
  }

  void work() {
    guarded([&] {
      const Lease machine;
      for (;;) {
        const uint32_t block = next_.fetch_add(1, std::memory_order_relaxed);
        if (block >= blocks() || stopped(block) || interrupted_ || failed_) return;
        machine->start(context_, block, active(block));
        while (machine->state() == Machine::State::Ready && !interrupted_ && !failed_ && !stopped(block))
          advance(*machine.machine, machine->now() + kSlice);
        finish(*machine.machine);
        machine->release();
      }
    });
  }

  template <class Body> void guarded(Body body) {
    const FloatEnvironment ieee;
    try {
      body();
    } catch (const std::exception &e) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::make_exception_ptr(InternalError(std::string("in the simulator: ") + e.what()));
      failed_ = true;
    }
  }

  const LaunchContext &context_;
  const unsigned cores_;
  std::vector<Lease> wave_; // in turns: the blocks first_ ..
  uint32_t first_ = 0;
  Machine *held_ = nullptr; // the block that holds the others
  bool held_ended_ = false;
  std::atomic<uint32_t> next_ = 0;
  std::atomic<bool> interrupted_ = false, failed_ = false;
  std::mutex mutex_;
  std::vector<uint64_t> cycles_;     // per block
  std::vector<std::string> printed_; // per block
  LaunchResult total_;
  std::exception_ptr failure_;
};

void require(bool condition, const char *what) {
  if (!condition) throw InternalError(std::string("launch: ") + what);
}

/// Everything that belongs to a launch.
struct Launch {
  const Arrays arrays;
  Report report;
  LaunchContext context;
  Run run;

  Launch(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows, const LaunchOptions &options)
      : arrays(program_of(executable), checked(executable, args, windows, options), windows),
        context{executable, args, windows, {}, options, report}, run(context) {
    for (const Window &window : windows) context.window_bytes.push_back(window.bytes);
    const uint64_t l2 = executable.chip->l2_bytes;
    context.fits_l2 = arrays.bytes <= l2;
    context.write_miss = arrays.written > l2 ? 1 - double(l2) / double(arrays.written) : 0;
    context.stream_stores = arrays.bytes > kStreamBytes;
    context.constant = arrays.constant;
  }

  LaunchResult result() {
    LaunchResult result;
    run.result(result);
    if (report.stopped_at() == UINT32_MAX && !result.interrupted)
      for (Observer *observer : context.options.observers) observer->finish(report);
    result.findings = report.take();
    return result;
  }

private:
  static std::span<const uint64_t> checked(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows,
                                           const LaunchOptions &options) {
    const Program &program = executable.program;
    require(args.size() == program.params.size(), "one word per parameter is needed");
    require(options.blocks >= 1 && options.blocks <= 65535, "1 to 65535 blocks");
    for (size_t i = 0; i < args.size(); ++i)
      require(program.params[i].kind != ParamKind::Address || Address(args[i]).window() < windows.size(), "an address without its window");
    return args;
  }
};

} // namespace

LaunchResult launch(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows,
                    const LaunchOptions &options) {
  Launch launch(executable, args, windows, options);
  if (launch.arrays.independent || options.blocks == 1)
    launch.run.parallel(std::min(options.threads ? options.threads : host_threads(), options.blocks));
  else
    launch.run.in_turns();
  return launch.result();
}

// ---------------------------------------------------------------- for debuggers

struct SteppedLaunch::State {
  LaunchOptions options;
  Launch launch;

  State(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows, const LaunchOptions &o)
      : options(o), launch(executable, args, windows, options) {}
  Machine &block() const {
    require(launch.run.held(), "no block has stopped");
    return *launch.run.held();
  }
};

SteppedLaunch::SteppedLaunch(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows,
                             const LaunchOptions &options)
    : state_(std::make_unique<State>(executable, args, windows, options)) {}
SteppedLaunch::~SteppedLaunch() = default;

SteppedLaunch::Pause SteppedLaunch::run(Stops stops, const std::atomic<bool> *interrupt) {
  Run &run = state_->launch.run;
  state_->launch.context.stops = stops;
  state_->options.interrupt = interrupt;
  run.in_turns();
  if (run.held() && run.held()->state() == Machine::State::Stopped) return Pause::Moment;
  return run.held_ended() ? Pause::BlockEnd : run.interrupted() ? Pause::Interrupt : Pause::End;
}

uint32_t SteppedLaunch::statement() const {
  return uint32_t(&state_->block().stopped_at() - state_->launch.context.executable.steps.data());
}
std::span<const uint32_t> SteppedLaunch::functions() const { return state_->block().functions(); }
uint64_t SteppedLaunch::reg(uint32_t i) const { return state_->block().reg(i); }
Bytes SteppedLaunch::bytes(uint64_t address, uint64_t length) { return state_->block().bytes_for_debugger(Address(address), length); }
std::string SteppedLaunch::take_printed() { return state_->block().take_printed(); }
LaunchResult SteppedLaunch::result() { return state_->launch.result(); }

} // namespace asc::sim
