// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch: which blocks run where, in which order, and what their times add up to.
#include "sim/simulator.h"

#include "diagnostics/diagnostic.h"
#include "sim/float_environment.h"
#include "sim/machine.h"
#include "sim/threads.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
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
Machines &machines = *new Machines; // launches may still run when the process ends
// Threads of launches do not live on in the child of a fork: none of them may hold the lock then. Registered before there are any.
[[maybe_unused]] const int registered = pthread_atfork([] { machines.lock(); }, [] { machines.unlock(); }, [] { machines.unlock(); });

struct Lease {
  std::unique_ptr<Machine> machine = machines.take();
  Lease() = default;
  Lease(Lease &&) = default;
  ~Lease() {
    if (machine) machines.give(std::move(machine));
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
      const auto add = [&](uint32_t window) {
        uses[window].reads |= program.params[i].reads, uses[window].writes |= program.params[i].writes;
      };
      const uint32_t window = Address(args[i]).window();
      for (uint32_t tensor : windows[window].list) add(tensor);
      if (windows[window].list.empty()) add(window);
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
      : context_(context), type_(context.executable.program.type), cores_(context.options.blocks * asc::cores(info(type_))),
        width_(cores_at_once(*context.executable.chip, info(type_))), cycles_(cores_), printed_(cores_) {}

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
      for (; first_ < cores_ && !stopped(first_); first_ += width_) {
        if (wave_.empty()) begin_wave();
        while (Machine *next = next_in_turn()) {
          advance(*next, next->now() + (adversary_.on ? adversary_.below(kQuantum >> adversary_.below(11)) + 1 : kQuantum));
          if (adversary_.on && next->state() == Machine::State::Ready && adversary_.below(4) == 0) next->give_way();
          const bool stops = next->state() == Machine::State::Stopped;
          held_ended_ = next->ended() && next == held_;
          if (stops) held_ = next;
          if (held_ended_) held_ = nullptr;
          if (interrupted_ || held_ended_ || stops) return;
        }
        if (context_.cross && !any_stopped()) report_waiting();
        end_wave();
      }
      if (context_.cross && context_.options.checks.has(Check::Flags) && !any_stopped()) report_left_set();
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
    for (uint32_t core = 0; core < cores_ && core <= context_.report.stopped_at(); ++core) out.printed += printed_[core];
    write_files();
    // A core runs its blocks one after the other; cores start one after the other.
    const Hardware &chip = *context_.executable.chip;
    const uint64_t in_core = uint64_t(std::llround(chip.cycles(kLaunchCost.in_core)));
    uint64_t slowest = 0;
    for (unsigned core = 0; core < std::min(width_, cores_); ++core) {
      uint64_t time = skew(core);
      for (uint64_t number = core; number < cores_; number += width_) time += in_core + cycles_[number];
      slowest = std::max(slowest, time);
    }
    out.cycles = slowest + uint64_t(std::llround(chip.cycles(kLaunchCost.outside)));
    out.microseconds = double(out.cycles) / chip.mhz;
  }

private:
  static unsigned cores_at_once(const Hardware &chip, const KernelTypeInfo &type) {
    if (type.aics == 0) return chip.vector_cores;
    return chip.vector_cores / kVectorCoresPerCube * asc::cores(type);
  }
  /// AI Cores start one after the other.
  uint64_t skew(unsigned core) const {
    return uint64_t(std::llround(context_.executable.chip->cycles(kLaunchCost.per_core * (core / asc::cores(info(type_))))));
  }
  /// Cores at work in the wave of a core.
  unsigned active(uint32_t core) const { return std::min(width_, cores_ - core / width_ * width_); }
  bool stopped(uint32_t core) const { return context_.report.stopped_at() <= core; }
  bool any_stopped() const { return context_.report.stopped_at() != UINT32_MAX; }

  /// A file has what the last core has written to it.
  void write_files() {
    Machine::Files all;
    for (auto &[core, files] : files_)
      if (core <= context_.report.stopped_at())
        for (auto &[name, file] : files) all.insert_or_assign(name, std::move(file));
    for (const auto &[name, file] : all) {
      std::ofstream out(name, std::ios::binary);
      if (out.write(file.bytes.data(), std::streamsize(file.bytes.size())).flush()) continue;
      context_.report.add({"M208",
                           "to_file: the file '" + name + "' cannot be written: " + std::strerror(errno),
                           {file.site},
                           "name a file in a folder that exists and may be written",
                           /*fatal=*/true});
    }
  }

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
    if (held_ && held_->runnable()) return held_;
    Machine *next = adversary_.on ? any() : earliest();
    // What others wait for may not come after a fault.
    return next && !(context_.cross ? any_stopped() : stopped(next->number())) ? next : nullptr;
  }

  /// Adversarial mode: one of the cores that can go on; when all wait for each other, pipes of them have to do something first.
  Machine *any() {
    for (;;) {
      std::vector<Machine *> all;
      for (const Lease &core : wave_)
        if (core->runnable()) all.push_back(core.machine.get());
      if (!all.empty()) return all[adversary_.below(all.size())];
      const size_t first = adversary_.below(wave_.size());
      bool any = false;
      for (size_t i = 0; i < wave_.size() && !any; ++i) {
        Machine &core = *wave_[(first + i) % wave_.size()].machine;
        any = core.state() == Machine::State::Waiting && core.give_way();
      }
      if (!any) return nullptr;
    }
  }

  /// The core with the smallest clock of those that can go on; null when there is none.
  Machine *earliest() const {
    Machine *next = nullptr;
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (unsigned core = 0; core < wave_.size(); ++core)
      if (const uint64_t clock = wave_[core]->now() + skew(core); clock < least && wave_[core]->runnable())
        least = clock, next = wave_[core].machine.get();
    return next;
  }

  /// No core of the wave can go on: explains those that wait for a flag of other cores.
  void report_waiting() {
    const auto waits = [](const Lease &core) { return core->state() == Machine::State::Waiting; };
    const auto first = std::find_if(wave_.begin(), wave_.end(), waits);
    if (first == wave_.end()) return;
    const unsigned awaited = (*first)->awaited();
    const bool flag = awaited != Machine::kMemoryChange;
    const std::vector<uint32_t> missing = flag ? context_.cross->missing((*first)->number(), awaited) : std::vector<uint32_t>();
    Finding finding{"S202", "deadlock: " + core_name(type_, (*first)->number()) + " waits for " + (*first)->awaited_text(), {}, {}};
    constexpr unsigned kShown = 4;
    for (const Lease &core : wave_)
      if (waits(core) && finding.sites.size() < kShown) finding.sites.push_back(core->waits_at());
    const auto waiting = std::count_if(wave_.begin(), wave_.end(), waits);
    if (waiting > 1) finding.message += ", and " + plural(waiting - 1, "other core") + (waiting > 2 ? " wait" : " waits");
    std::string late, ended;
    unsigned many_late = 0;
    for (const uint32_t core : missing) {
      const bool in_wave = core - wave_[0]->number() < wave_.size();
      if (!in_wave) ++many_late;
      std::string &list = in_wave ? ended : late;
      if (std::count(list.begin(), list.end(), ',') < 3) list += (list.empty() ? "" : ", ") + core_name(type_, core);
    }
    if (!late.empty()) {
      finding.message += "; " + plural(many_late, "core") + (many_late > 1 ? " that have to set it start" : " that has to set it starts") +
                         " only when these have ended: " + late + (many_late > 4 ? ", ..." : "");
      finding.help = "launch at most " + std::to_string(width_ / asc::cores(info(type_))) +
                     " blocks: cores that wait for each other must run at the same time";
    } else if (!ended.empty()) {
      finding.message += "; not set by " + ended;
      finding.help = "every core that takes part sets the flag as often as the others wait for it, on every path through the kernel";
    } else {
      const std::string reason = (*first)->missing();
      finding.message += flag ? ", which nothing sets any more" : reason.empty() ? ", which nothing changes any more" : "; " + reason;
      finding.help =
          flag ? "set the flag as often as it is waited for"
               : "all blocks make the same calls with the same workspaces, whose words are 0 before the launch, and there are at most " +
                     std::to_string(width_ / asc::cores(info(type_))) + " blocks";
    }
    finding.fatal = true;
    context_.report.add(std::move(finding));
  }

  void report_left_set() {
    for (uint32_t core = 0; core < cores_; ++core)
      for (unsigned flag = 0; flag < kCrossFlags; ++flag)
        if (context_.cross->count(core, flag) != 0) {
          const CrossCore::Passed &set = context_.cross->next(core, flag);
          if (!context_.report.wanted("S106", set.core, set.pc)) continue;
          context_.report.add({"S106",
                               "cross-core flag " + std::to_string(flag) + " of " + core_name(type_, core) +
                                   " is still set at the end of the kernel; it would let the next kernel pass a wait",
                               {{set.pc, Pipe(context_.executable.steps[set.pc].aux), set.core,
                                 set.core == core ? "sets the flag" : "sets the flag, the last of those that set it together"}},
                               "wait for the flag as often as it is set"});
        }
  }

  /// Runs a machine up to a cycle, or less: until the block ends or has to.
  void advance(Machine &machine, uint64_t until) {
    const uint64_t limit = context_.options.cycle_limit;
    machine.run(std::min(until, limit));
    if (machine.state() == Machine::State::Ready && machine.now() >= limit) machine.fail_cycle_limit();
    if (const auto *flag = context_.options.interrupt; flag && flag->load(std::memory_order_relaxed)) interrupted_ = true;
  }

  void finish(Machine &machine) {
    std::lock_guard lock(mutex_);
    cycles_[machine.number()] = machine.now();
    printed_[machine.number()] = machine.take_printed();
    if (machine.has_files()) files_[machine.number()] = machine.take_files();
    machine.account(total_);
    if (std::vector<LaunchResult> *cores = context_.options.cores) {
      cores->resize(cores_);
      LaunchResult &own = (*cores)[machine.number()];
      own.cycles = machine.now();
      machine.account(own);
    }
  }

  void work() {
    guarded([&] {
      const Lease machine;
      for (;;) {
        const uint32_t core = next_.fetch_add(1, std::memory_order_relaxed);
        if (core >= cores_ || stopped(core) || interrupted_ || failed_) return;
        machine->start(context_, core, active(core));
        while (machine->state() == Machine::State::Ready && !interrupted_ && !failed_ && !stopped(core))
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
  Adversary adversary_{context_.options.adversarial, context_.options.seed};
  const KernelType type_;
  const uint32_t cores_;    // of the launch
  const uint32_t width_;    // that run at the same time
  std::vector<Lease> wave_; // in turns: the cores first_ ..
  uint32_t first_ = 0;
  Machine *held_ = nullptr; // the core that holds the others
  bool held_ended_ = false;
  std::atomic<uint32_t> next_ = 0;
  std::atomic<bool> interrupted_ = false, failed_ = false;
  std::mutex mutex_;
  std::vector<uint64_t> cycles_;             // per core
  std::vector<std::string> printed_;         // per core
  std::map<uint32_t, Machine::Files> files_; // per core that has written some
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
  std::optional<CrossCore> cross;
  LaunchContext context;
  Run run;

  Launch(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows, const LaunchOptions &options)
      : arrays(program_of(executable), checked(executable, args, windows, options), windows), report(options.checks, &executable.program),
        context{executable, args, windows, {}, options, report}, run(context) {
    for (const Window &window : windows) context.window_bytes.push_back(window.bytes);
    const uint64_t l2 = executable.chip->l2_bytes;
    context.fits_l2 = arrays.bytes <= l2;
    context.write_miss = arrays.written > l2 ? 1 - double(l2) / double(arrays.written) : 0;
    context.stream_stores = arrays.bytes > kStreamBytes;
    context.constant = arrays.constant;
    if (executable.cores_talk) context.cross = &cross.emplace(executable.program.type, options.blocks);
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
  const bool apart = launch.arrays.independent || options.blocks * asc::cores(info(program_of(executable).type)) == 1;
  if (apart && !launch.context.cross && !options.adversarial && !options.data_cache)
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
std::string SteppedLaunch::name() const { return core_name(state_->launch.context.executable.program.type, state_->block().number()); }
std::span<const uint32_t> SteppedLaunch::functions() const { return state_->block().functions(); }
uint64_t SteppedLaunch::reg(uint32_t i) const { return state_->block().reg(i); }
Bytes SteppedLaunch::bytes(uint64_t address, uint64_t length) { return state_->block().bytes_for_debugger(Address(address), length); }
std::string SteppedLaunch::take_printed() { return state_->block().take_printed(); }
LaunchResult SteppedLaunch::result() { return state_->launch.result(); }

} // namespace asc::sim
