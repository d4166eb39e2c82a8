// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block on one core: registers, on-chip memory, pipes with their queues and clocks, event flags. A machine can stop anywhere and go on
// later.
#pragma once

#include "apis/moment.h"
#include "sim/cross_core.h"
#include "sim/data_cache.h"
#include "sim/describe.h"
#include "sim/executable.h"
#include "sim/framework.h"
#include "sim/known_calls.h"
#include "sim/last_uses.h"
#include "sim/memory.h"
#include "sim/report.h"

#include <map>
#include <string>
#include <utility>

namespace asc::sim {

/// What the blocks of a launch share.
struct LaunchContext {
  const Executable &executable;
  std::span<const uint64_t> args;
  std::span<const Window> windows;
  std::vector<uint64_t> window_bytes;
  const LaunchOptions &options;
  Report &report;
  double write_miss = 0; // share of the written bytes that L2 cannot keep
  bool fits_l2 = true;   // what was read once is in L2
  bool stream_stores = false;
  std::vector<bool> constant = {}; // by window: no block writes these bytes
  Stops stops = Stops::Never;      // changes between the parts of a stepped launch
  CrossCore *cross = nullptr;      // of programs whose cores set flags for each other
};

/// What an instruction asks of a pipe.
enum class Action : uint8_t { Run, Set, Wait, Barrier, CrossSet };

/// An action that waits in a pipe's queue, with everything that S knew when it issued it.
struct Pending {
  const Step *step;
  Action action;
  uint64_t issued;
  uint8_t event = 0, id = 0;  // of flags; CrossSet: id
  std::unique_ptr<Call> call; // of API instructions
  CoreState core = {};
  std::vector<uint64_t> tickets; // one per observer
};

/// The chance of the adversarial mode: the same seed gives the same run.
struct Adversary {
  bool on = false;
  uint64_t state = 0;
  /// A number below `n`.
  uint64_t below(uint64_t n) {
    uint64_t x = state += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return (x ^ x >> 31) % n;
  }
};

/// Clock and queue of a pipe. An instruction joins the queue when one before it waits for a flag.
struct PipeState {
  uint64_t free = 0;      // the next instruction may start
  uint64_t data_free = 0; // transfers: the data path may take the next one
  uint64_t done = 0;      // all earlier instructions are complete
  PipeTime time;
  std::deque<Pending> queue;
};

class Machine {
public:
  enum class State : uint8_t {
    Ready,
    Stopped,
    Waiting,
    Halted,
    Faulted
  }; // Stopped: Ready, and a debugger looks at it; Waiting: for others

  Machine();
  /// Takes the work of a core: fresh registers, memory, pipes and flags. `active`: cores at work in its wave.
  void start(const LaunchContext &launch, uint32_t core, unsigned active);
  /// Runs until the block stops or S has come to cycle `until`.
  void run(uint64_t until);
  State state() const { return state_; }
  bool ended() const { return state_ > State::Waiting; }
  /// Whether run() gets any further: also when what a waiting core waits for has come.
  bool runnable() const {
    if (state_ != State::Waiting) return !ended();
    return awaited_ == kMemoryChange ? launch_->cross->writes() != seen_ : launch_->cross->count(place_.number, awaited_) != 0;
  }
  uint64_t now() const { return now_; }
  uint32_t number() const { return place_.number; }
  /// What a waiting core waits for: a cross-core flag, or a change of global memory.
  static constexpr unsigned kMemoryChange = kCrossFlags;
  unsigned awaited() const { return awaited_; }
  std::string awaited_text() const {
    return awaited_ == kMemoryChange ? "a word in global memory (" + call_name(program(), pc_of(*next_)) + ")"
                                     : "cross-core flag " + std::to_string(awaited_);
  }
  /// What a core that waits for a change of global memory misses; "" where that cannot be told.
  std::string missing();
  FindingSite waits_at() const { return site(*next_, Pipe::S, "waits for " + awaited_text()); }
  /// Adversarial mode: lets a pipe take an instruction that waits; false when none can.
  bool give_way();
  /// The block took more simulated time than allowed.
  void fail_cycle_limit();
  /// What the block has printed.
  std::string take_printed() { return std::exchange(printed_, {}); }
  /// What the block has written to files, by name.
  struct File {
    std::string bytes;
    FindingSite site;
  };
  using Files = std::map<std::string, File>;
  bool has_files() const { return !files_.empty(); }
  Files take_files() { return std::exchange(files_, {}); }
  /// Of a stopped block: the moment, and the functions that run, outermost first: each as the place of its last statement.
  const Step &stopped_at() const { return next_[-1]; }
  std::span<const uint32_t> functions() const { return functions_; }
  /// Bytes for a debugger, who may write them.
  Bytes bytes_for_debugger(Address address, uint64_t length);
  /// Adds the block's figures to the launch's. The time of the block is `now()`.
  void account(LaunchResult &result) const;
  /// Lets go of the launch.
  void release();

  // ---- what handlers use
  uint64_t reg(uint32_t i) const { return registers_[i]; }
  void set_reg(uint32_t i, uint64_t v) { registers_[i] = v; }
  /// S is busy for some cycles more than the one of the issue.
  void spend(uint64_t cycles) { now_ += cycles; }
  /// A finding at a scalar instruction; `message` is made only if it is wanted.
  template <class Message> void warn(const Step &s, std::string_view code, Message &&message, std::string_view help);
  const Step *halt(const Step &s);
  const Step *api(const Step &s);
  const Step *poll(const Step &s);
  const Step *set_flag(const Step &s);
  const Step *wait_flag(const Step &s);
  const Step *barrier(const Step &s);
  const Step *data_barrier(const Step &s);
  const Step *set_pointer(const Step &s);
  const Step *get_pointer(const Step &s);
  const Step *cross_core_set_flag(const Step &s);
  const Step *cross_core_wait_flag(const Step &s);
  const Step *local(const Step &s);
  const Step *global(const Step &s);
  const Step *resize(const Step &s);
  const Step *view(const Step &s);
  const Step *offset(const Step &s);
  const Step *get_value(const Step &s);
  const Step *set_value(const Step &s);
  // framework.cpp
  const Step *construct(const Step &s);
  const Step *pipe_init(const Step &s);
  const Step *pipe_reset(const Step &s);
  const Step *pipe_destroy(const Step &s);
  const Step *init_queue(const Step &s);
  const Step *init_memory(const Step &s);
  const Step *share_pool(const Step &s);
  const Step *reset_pool(const Step &s);
  const Step *alloc_tensor(const Step &s);
  const Step *enque(const Step &s);
  const Step *deque(const Step &s);
  const Step *deque_in_place(const Step &s);
  const Step *free_tensor(const Step &s);
  const Step *free_events(const Step &s);
  const Step *queue_state(const Step &s);
  const Step *list_init(const Step &s);
  const Step *list_size(const Step &s);
  const Step *list_dim(const Step &s);
  const Step *list_shape(const Step &s);
  const Step *list_data(const Step &s);
  const Step *list_tensor(const Step &s);
  template <class Fn> const Step *of_tensor_in_list(const Step &s, bool named, Fn &&fn);
  const Step *user_tag(const Step &s);
  const Step *stack_buffer(const Step &s);
  const Step *get_buffer(const Step &s);
  const Step *alloc_event(const Step &s);
  const Step *fetch_event(const Step &s);
  const Step *release_event(const Step &s);
  const Step *allocate(const Step &s);
  const Step *current_address(const Step &s);
  // matmul.cpp
  const Step *matmul(const Step &s);
  const Step *matmul_iterate(const Step &s);
  // arrays.cpp
  const Step *new_array(const Step &s);
  const Step *fill_array(const Step &s);
  const Step *element(const Step &s);
  const Step *set_element(const Step &s);
  // text.cpp
  const Step *print(const Step &s);
  const Step *assertion(const Step &s);
  const Step *to_file(const Step &s);
  const Step *trap(const Step &s);
  const Step *statement(const Step &s);

  /// Adversarial mode: the bytes of an access.
  struct Reach {
    Memory memory;
    uint32_t window;
    int64_t low, high;
    bool write;
  };

private:
  struct Flag {
    bool set = false;
    uint32_t pc = 0; // of the set_flag
    uint64_t time = 0;
  };
  using Tickets = std::span<const uint64_t>;
  static constexpr size_t kQueueDepth = 1024; // more than a pipe holds; then S stands still
  static constexpr unsigned kCacheLines = DataCache::kLines;

  uint32_t pc_of(const Step &s) const { return uint32_t(&s - launch_->executable.steps.data()); }
  const Program &program() const { return launch_->executable.program; }
  std::string own_name() const { return core_name(program().type, place_.number); }
  PipeState &pipe(Pipe p) { return pipes_[unsigned(p)]; }
  FindingSite site(const Step &s, Pipe pipe, std::string what = {}) const { return {pc_of(s), pipe, place_.number, std::move(what)}; }
  /// What a handler or a check returns when the block cannot go on.
  struct Stop {
    operator const Step *() const { return nullptr; }
    operator bool() const { return false; }
  };
  Stop fault(Finding finding);
  template <class Event> void notify(Tickets tickets, Event &&event);
  Pending *defer(Pipe p, const Step &s, Action action);

  // memory
  const std::byte *bytes_at(Address address, uint64_t bytes);
  void check_offsets(const Step &s, Pipe p, const Call &call, const Access &access);
  void keep_offsets(Access &access);
  bool reach(const Step &s, Pipe p, const Access &access);
  Stop out_of_bounds(const Step &s, Pipe p, const Access &access);
  uint64_t size_of_memory(Address address) const;
  std::byte *host(Address address) const;
  bool leave_in_array(const ApiSite &site);
  void find_lent(Exec &exec);
  std::string operand_name(const Step &s, unsigned arg) const { return asc::operand_name(program(), pc_of(s), arg); }
  std::optional<Address> moved(const Step &s, Address address, uint32_t index, DType index_type, int64_t &bytes);
  const Step *scalar_access(const Step &s, uint32_t tensor, uint32_t index, bool write);
  unsigned scalar_cycles(Address address);
  void wait_for_uses(const Access &access);
  void note_uses(Pipe p);
  bool in_data_cache(Address address) const { return launch_->options.data_cache && address.memory() == Memory::GM; }
  auto place_of_line() const {
    return [this](uint64_t number) {
      const Address start(number * kCacheLine);
      const uint64_t size = size_of_memory(start);
      return DataCache::Place{host(start), unsigned(std::min<uint64_t>(kCacheLine, size - uint64_t(start.offset())))};
    };
  }
  void act_on_data_cache(const Call &call);

  // pipes
  bool left_out(Pipe p) const;
  void read_operands(const ApiSite &site);
  const Step *park(const Step &s, unsigned awaited);
  Exec look_at_words();
  const Step *wait_for_end(const Step &s, Pipe p, KnownCalls::Entry *known);
  bool check_rules(const Step &s, Pipe p);
  bool execute(const Step &s, const Call &call, CoreState &core, Pipe p, uint64_t issued, Tickets tickets,
               KnownCalls::Entry *known = nullptr);
  void tell_of_writes(std::span<const Access> accesses);
  std::pair<uint64_t, uint64_t> clock(const ApiSite &site, const Call &call, Pipe p, uint64_t issued, KnownCalls::Entry *known);
  DmaTime transfer_time();
  bool event_id(const Step &s, unsigned &id);
  bool cross_flag(const Step &s, unsigned &flag);
  void cross_set(const Step &s, unsigned flag, uint64_t issued, Tickets tickets);
  bool on_core(Pipe p) const;
  bool on_core(unsigned event) const;
  Stop foreign_event(const Step &s, unsigned event);
  /// Issues what sets or waits for a flag; false when the block cannot go on.
  bool set(const Step &s, unsigned event, unsigned id);
  bool wait(const Step &s, unsigned event, unsigned id);
  bool wait_for_all(const Step &s);
  void raise(const Step &s, unsigned event, unsigned id, uint64_t issued, Tickets tickets);
  void lower(const Step &s, unsigned event, unsigned id, uint64_t issued, Tickets tickets);
  void pass_barrier(const Step &s, Pipe p, uint64_t issued, Tickets tickets);
  void drain(Pipe p);
  void perform(const Pending &pending, Pipe p);
  bool at_once(Pipe p) { return pipe(p).queue.empty() && !adversary_.on; }
  // adversary.cpp
  bool step(Pipe p, unsigned depth = 0);
  bool complete(Pipe p);
  size_t choose(Pipe p);
  void let_pass(const Pending &set, unsigned depth);
  bool stores_late() const { return adversary_.on && !program().auto_sync; }
  bool store_next();
  void store_all();
  bool demand(unsigned event, unsigned id, unsigned depth = 0);
  void exhaust();
  void note_reach(Pipe p);
  void complete_before(const Access &access);
  bool complete_accesses(Pipe p);
  bool any_queued() const;
  struct FlagWait {
    const Step *step;
    Pipe pipe;
    unsigned event, id;
  };
  Stop deadlock(const Step *scalar_stop, std::optional<FlagWait> scalar_wait = {});
  void report_leftover_flags();
  Flag &flag(unsigned event, unsigned id) { return flags_[event * kEventIds + id]; }

  // framework.cpp
  std::string object_name(uint32_t number) const;
  FindingSite history(const QueueBuffer &buffer) const;
  bool settle(const Step &s);
  void report_not_freed(uint32_t number, const QueueBuffer &buffer);
  bool place(const Step &s, uint64_t count, uint64_t bytes);
  bool take_id(const Step &s, unsigned event, int8_t &id);
  bool wait_free(const Step &s, const Object &object, QueueBuffer &buffer);
  ObjectState *queue_of(const Step &s);
  QueueBuffer *buffer_of(const Step &s, ObjectState &queue);

  // matmul.cpp
  MatmulState &matmul_of(const Step &s);
  Stop matmul_fault(const Step &s, std::string_view code, std::string message, std::string help);
  bool init_matmul(const Step &s, MatmulState &m);
  bool check_matmul(const Step &s, const MatmulState &m);
  bool read_parts(const Step &s, const MatmulState &m, BlockGrid::Block at, int64_t rows, int64_t columns, bool with_bias);
  bool inside(const Step &s, const MatmulState::Tensor &t, const Access &access);
  void compute(MatmulState &m, BlockGrid::Block at, int64_t rows, int64_t columns, bool with_bias, bool add);
  bool saturates() const;
  void served(const Step &s, uint64_t cube, bool atomic = false);
  bool store_mode(const Step &s, int64_t atomic);
  bool store_block(const Step &s, MatmulState &m, const MatmulState::Tensor &c, int64_t atomic, bool sequential);
  bool iterate_all(const Step &s, MatmulState &m, const MatmulState::Tensor &c, int64_t atomic, bool sequential);

  // arrays.cpp
  std::optional<uint32_t> array_word(const Step &s, const ScalarArray &array, uint32_t index);

  // text.cpp
  void say(std::string_view text);
  struct Values;
  Values values_of(const Step &s) const;
  std::string formatted(const Step &s, Values &values) const;

  const LaunchContext *launch_ = nullptr;
  const Step *next_ = nullptr;
  std::vector<uint64_t> registers_;
  ArrayMemory arrays_;
  LocalMemory ub_;
  Core place_ = {};
  CoreState core_;
  std::array<uint64_t, kPointers> pointers_ = {};
  Traffic traffic_ = {};
  State state_ = State::Halted;
  Adversary adversary_;
  struct Store {
    Address address;
    uint64_t value;
    unsigned size;
  };
  std::deque<Store> stores_;                       // of S, not done yet; adversarial mode only
  std::array<std::vector<Reach>, kPipes> reached_; // by what S has not waited for
  std::vector<size_t> choices_;                    // used by choose
  const Step *blocked_ = nullptr;                  // a waiting core goes on here
  unsigned awaited_ = 0;
  uint64_t seen_ = 0, progress_ = 0; // of poll(): writes to global memory, Exec::progress
  uint64_t now_ = 0, stalled_ = 0, instructions_ = 0;
  std::array<PipeState, kPipes> pipes_;
  std::array<Flag, kEvents * kEventIds> flags_;
  Framework framework_;
  std::vector<std::unique_ptr<BlockObserver>> observers_; // first those that follow the order of instructions
  size_t followers_ = 0;
  Call call_;
  Accesses accesses_;
  std::vector<std::byte> offsets_; // of an access, where the instruction overwrites them
  KnownCalls known_calls_;
  bool looked_at_ = false;                       // memory, by Row::access
  std::vector<LineSet> in_l2_;                   // per window: what this block has moved
  std::array<uint64_t, kCacheLines> cache_ = {}; // lines that the scalar data cache has: what an access costs
  DataCache data_cache_;                         // and what is in them, where that is not what is in memory
  bool cache_used_ = false, flags_used_ = false;
  LastUses last_uses_;
  uint64_t read_bytes_ = 0, written_bytes_ = 0, transfers_ = 0;
  std::vector<uint32_t> functions_; // that run, in debug form: pc of the last statement of each
  std::string printed_;
  bool printed_full_ = false;
  Files files_;
};

template <class Message> void Machine::warn(const Step &s, std::string_view code, Message &&message, std::string_view help) {
  if (!launch_->report.wanted(code, place_.number, pc_of(s))) return;
  launch_->report.add({std::string(code), message(), {site(s, Pipe::S)}, std::string(help)});
}

/// The handler of an instruction.
Handler handler_of(const Instr &instr);

} // namespace asc::sim
