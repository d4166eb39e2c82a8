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
  mlir::Operation *loop = nullptr;           // around which ops[2] sets the flag before and ops[3] waits for it after
  llvm::SmallVector<unsigned, 2> waits = {}; // events of the analysis
  bool is_barrier() const { return from == to; }
};

/// Two things that may happen in the wrong order: accesses that conflict, or (no conflict) the wait for a flag and setting it again.
struct Hazard {
  mlir::Operation *earlier, *later;
  Pipe from, to;
  std::optional<Conflict> conflict;
};

/// For each set_flag, the waits that its pipe may not have heard of when it sets the flag.
class SetsAndWaits {
public:
  /// Are the waits of `a` over, as far as there were any, whenever `b` sets its flag?
  bool in_turn(const Sync &a, const Sync &b) const;

private:
  friend class SyncOrder;
  llvm::DenseMap<mlir::Operation *, llvm::BitVector> unheard_;
};

/// A forward analysis over the structured control flow of a kernel. Its state: for every pipe, the accesses of which it knows that all
/// their executions so far are complete; for every flag that is up, what the pipe that set it knew. On paths without the access, everybody
/// knows. What holds after a branch holds in both of its ways; a loop is gone through until nothing changes.
class SyncOrder {
public:
  SyncOrder(KernelOp kernel, const KernelAccesses &accesses);

  /// What the first op lacks that is not in order with earlier ones; nothing if all are.
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
  using Events = llvm::BitVector;

  /// Flags are told apart by number: kernel's own by event and id, inserted ones each for itself.
  static constexpr unsigned kUnknownId = kEventIds, kPerEvent = kEventIds + 1, kInserted = kEvents * kPerEvent;
  static bool is_unknown(unsigned flag) { return flag < kInserted && flag % kPerEvent == kUnknownId; }

  /// What is known when an access is over is kept like a flag, for S: its pipe up to there, and what that knew.
  static constexpr unsigned kAccesses = 1u << 31;

  /// Accesses of the kernel come first; the waits of inserted flags are events too, so that it is known whether a flag may be set again.
  struct Event {
    mlir::Operation *op;
    Pipe pipe;
    Events earlier; // that conflict
    std::map<unsigned, Conflict> conflicts;
    llvm::SmallVector<unsigned, 2> by_compiler; // accesses that the device compiler makes S wait for before this one
    bool leaves_knowledge = false;              // it is one of those
  };
  /// What the flags of the tensors in a queue carry; not known when their number depends on the path.
  struct Queue {
    bool is_known = true;
    std::vector<Events> list;
    bool operator==(const Queue &) const = default;
  };
  struct State {
    std::array<Events, kPipes> known;
    std::map<unsigned, Events> flags;
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
  void add_event(mlir::Operation *op, Pipe pipe);

  void run();
  void block(mlir::Block &block, State &state);
  void act(mlir::Operation *op, const Action &action, State &state);
  void execute(unsigned event, State &state);
  void set(mlir::Operation *op, const Action &action, State &state);
  void wait(const Action &action, State &state);
  void barrier(Pipe pipe, State &state);
  void enque(const Action &action, State &state);
  void deque(const Action &action, State &state);
  void found(unsigned earlier, mlir::Operation *later, Pipe pipe, std::optional<Conflict> conflict);
  Events complete(Pipe pipe, const State &state) const;
  static void learn(Pipe pipe, const Events &events, State &state);
  Events carried_by(unsigned flag, const State &state) const;
  static void join(State &into, const State &from);
  static void join(Queue &into, const Queue &from);

  KernelOp kernel_;
  bool auto_sync_;
  std::vector<Event> events_;
  llvm::DenseMap<mlir::Operation *, Action> actions_;
  std::vector<Sync> syncs_;
  std::vector<bool> ignored_;
  std::array<Events, kPipes> of_pipe_; // events by pipe
  Events waits_;                       // those that are waits
  std::array<uint8_t, kEvents> used_ = {};
  llvm::DenseMap<mlir::Value, unsigned> queues_;

  // Results of a run.
  bool stop_at_hazard_ = true;
  std::vector<Hazard> hazards_;
  SetsAndWaits unheard_;
};

} // namespace asc
