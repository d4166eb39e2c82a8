// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses of a kernel flags and barriers put in order, on all paths (07-sync sections 2 and 3).
#pragma once

#include "passes/accesses.h"

#include "llvm/ADT/BitVector.h"

#include <map>

namespace asc {

/// A synchronisation that was inserted: all set_flag and wait_flag of one flag, first of them the wait in the middle, or a barrier.
struct Sync {
  Pipe from, to;
  llvm::SmallVector<mlir::Operation *, 4> ops; // empty: removed
  std::string why;
  mlir::Operation *loop = nullptr; // around which ops[2] sets the flag before and ops[3] waits for it after
  bool is_barrier() const { return from == to; }
};

/// Two things that may happen in the wrong order: accesses that conflict, or (no conflict) the wait for a flag and setting it again.
struct Hazard {
  mlir::Operation *earlier, *later;
  Pipe from, to;
  std::optional<Conflict> conflict;
};

/// For each set_flag, the wait_flags that its pipe may not have heard of when it sets the flag.
class SetsAndWaits {
public:
  /// Are the waits of `a` over, as far as there were any, whenever `b` sets its flag?
  bool in_turn(const Sync &a, const Sync &b) const;

private:
  friend class SyncOrder;
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> unheard_; // set, wait
};

/// A forward analysis over the structured control flow of a kernel. Its state: for every access, which pipes know that all its executions
/// so far are complete; for every flag that is up, what the pipe that set it knew. On paths without the access, everybody knows. What holds
/// after a branch holds in both of its ways; a loop is gone through until nothing changes.
class SyncOrder {
public:
  SyncOrder(KernelOp kernel, const KernelAccesses &accesses);

  /// What is not in order, in the order in which it was found: program order within a round, later rounds after that.
  std::vector<Hazard> hazards();
  SetsAndWaits sets_and_waits();

  const std::vector<Sync> &syncs() const { return syncs_; }
  void add(Sync sync);
  void ignore(unsigned sync, bool ignored);
  void remove(unsigned sync); // its ops are erased
  /// If the op sets an inserted flag before a loop: lets it be set before the next loop around that one, and waited for after that. Between
  /// the rounds of the outer loop the flag stays up.
  bool widen(mlir::Operation *set);
  /// Whether a flag of the kernel itself has, or may have, that id.
  bool used_by_kernel(unsigned event, unsigned id) const { return used_[event] >> id & 1; }

private:
  using Pipes = uint16_t; // a bit per pipe
  static constexpr Pipes kAll = 0xFFFF;
  static Pipes bit(Pipe pipe) { return Pipes(1u << unsigned(pipe)); }

  /// Flags are told apart by number: kernel's own by event and id, inserted ones each for itself.
  static constexpr unsigned kUnknownId = kEventIds, kPerEvent = kEventIds + 1, kInserted = kEvents * kPerEvent;
  static bool is_unknown(unsigned flag) { return flag < kInserted && flag % kPerEvent == kUnknownId; }

  /// Events of the analysis: accesses of the kernel come first; the waits of inserted flags are events too, so that it is known whether a
  /// flag may be set again.
  struct Event {
    mlir::Operation *op;
    Pipe pipe;
    llvm::SmallVector<std::pair<unsigned, Conflict>, 4> conflicts;   // with earlier events
    llvm::SmallVector<std::pair<unsigned, Conflict>, 4> by_compiler; // those that the device compiler orders
  };
  /// What the flags of the tensors in a queue carry; not known when their number depends on the path.
  struct Queue {
    bool is_known = true;
    std::vector<llvm::BitVector> list;
    bool operator==(const Queue &) const = default;
  };
  struct State {
    std::vector<Pipes> known;
    llvm::BitVector executed; // on all paths
    std::map<unsigned, llvm::BitVector> flags;
    std::map<unsigned, Queue> queues;
    bool operator==(const State &) const = default;
  };
  enum class Kind : uint8_t { Access, Set, Wait, Barrier, Enque, Deque };
  struct Action {
    Kind kind;
    Pipe pipe;          // that acts
    unsigned event = 0; // Access; Wait of an inserted flag
    unsigned flag = 0;  // Set, Wait; number of the queue
    int sync = -1;      // inserted
  };

  void find_conflicts(const KernelAccesses &accesses);
  template <class QueueOp> void add_queue(QueueOp op, Kind kind);
  bool is_ordered_by_pipe(Pipe earlier, Pipe later) const;
  bool is_ordered_by_compiler(Pipe earlier, Pipe later) const;
  void learn_from_compiler(const Event &event, State &state) const;
  void run();
  void block(mlir::Block &block, State &state);
  void act(mlir::Operation *op, const Action &action, State &state);
  void execute(unsigned event, State &state);
  void set(mlir::Operation *op, const Action &action, State &state);
  void wait(const Action &action, State &state);
  void barrier(Pipe pipe, State &state);
  void enque(const Action &action, State &state);
  void deque(const Action &action, State &state);
  llvm::BitVector complete(Pipe pipe, const State &state) const;
  static void learn(Pipe pipe, const llvm::BitVector &events, State &state);
  llvm::BitVector carried_by(unsigned flag, const State &state) const;
  static void join(State &into, const State &from);
  static void join(Queue &into, const Queue &from);

  KernelOp kernel_;
  bool auto_sync_;
  std::vector<Event> events_;
  llvm::DenseMap<mlir::Operation *, Action> actions_;
  std::vector<Sync> syncs_;
  std::vector<bool> ignored_;
  std::vector<std::pair<unsigned, int>> waits_; // events that are waits, with their sync
  std::array<uint8_t, kEvents> used_ = {};
  llvm::DenseMap<mlir::Value, unsigned> queues_;

  // Results of a run.
  std::vector<Hazard> hazards_;
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> found_;
  SetsAndWaits unheard_;
};

} // namespace asc
