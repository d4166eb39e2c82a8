// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of a simulation. Checkers, profile and trace listen to them; the simulator knows no observer by name.
#pragma once

#include "apis/api.h"
#include "isa/program.h"

#include <memory>
#include <mutex>
#include <optional>

namespace asc::sim {

/// A place that a finding talks about: an access or a synchronisation call.
struct FindingSite {
  /// Bytes of one tensor: the first range, and how many there are.
  struct Bytes {
    bool write;
    std::string tensor;
    Memory memory;
    int64_t begin, end, total;
  };

  uint32_t pc;
  Pipe pipe;
  uint32_t block = 0;
  std::string what; // "writes x_local, UB bytes 0..16383"
  std::optional<Bytes> bytes = {};
};
struct Finding {
  std::string code;               // "S301"
  std::string message;            // "race: add reads x_local while data_copy may still be writing it"
  std::vector<FindingSite> sites; // [0] is where the report points
  std::string help;               // the missing call
  bool fatal = false;             // stops the launch: out of bounds, deadlock, time limit
  bool warning = false;           // the launch is good, and hardly what was meant
};

/// Collects the findings of all blocks of a launch (report.h): `add(Finding)`, and `wanted(...)` to skip the work for one that is known
/// already.
class Report;

/// The static surroundings of a block.
struct BlockInfo {
  const Program *program;
  uint32_t block, blocks;                 // number of the core in the launch, and how many AI Cores there are
  std::span<const uint64_t> window_bytes; // size of each GM window (kernel arguments that are arrays)
  const std::vector<bool> *constant = {}; // by window: no block writes these bytes; null: that is not known
  bool cores_talk = false;                // one core may wait for another; then all run on one thread
};

/// One instruction, at the moment it executes.
struct Execution {
  uint32_t pc;
  Pipe pipe;
  const Call *call;                 // null for GetValue / SetValue
  std::span<const Access> accesses; // bounds already checked
  uint64_t start, end;              // cycles
  uint64_t ticket;                  // see BlockObserver::issue
  uint64_t value = 0;               // SetValue: what is stored
  uint64_t repeats = 0;             // all of the block with this number have the same accesses, but for the place in GM; 0: not known
};

/// Listens to one block. Calls come in the order in which things take effect; the block runs on one thread at a time.
class BlockObserver {
public:
  virtual ~BlockObserver() = default;
  /// Whether it wants to hear of more than execute() and end().
  virtual bool follows_order() const { return true; }
  /// S dispatched an instruction to a pipe that is blocked; it takes effect later. Returns a ticket handed back at execution (0 otherwise:
  /// the instruction takes effect at once).
  virtual uint64_t issue(uint32_t pc, Pipe pipe) {
    (void)pc, (void)pipe;
    return 0;
  }
  virtual void execute(const Execution &) {}
  virtual void set_flag(uint32_t pc, unsigned event, unsigned id, uint64_t ticket, uint64_t time) {
    (void)pc, (void)event, (void)id, (void)ticket, (void)time;
  }
  /// The flag was found set and is cleared.
  virtual void wait_flag(uint32_t pc, unsigned event, unsigned id, uint64_t ticket, uint64_t start, uint64_t end) {
    (void)pc, (void)event, (void)id, (void)ticket, (void)start, (void)end;
  }
  virtual void barrier(uint32_t pc, Pipe pipe, uint64_t ticket, uint64_t start, uint64_t end) {
    (void)pc, (void)pipe, (void)ticket, (void)start, (void)end;
  }
  /// S has waited for the end of the instruction of `pipe` that was executed last.
  virtual void scalar_waits(uint32_t pc, Pipe pipe, uint64_t start, uint64_t end) { (void)pc, (void)pipe, (void)start, (void)end; }
  /// S has waited for all earlier accesses, of all pipes and of its own, or for those to one memory (data_sync_barrier).
  virtual void data_barrier(uint32_t pc, DataBarrier kind, uint64_t start, uint64_t end) { (void)pc, (void)kind, (void)start, (void)end; }
  /// What comes later on other cores, behind an acquire of `variable`, happens after what the pipe has done. `readers` of them are to come
  /// (0: any number).
  virtual void release(uint32_t pc, Pipe pipe, uint64_t variable, uint32_t readers, uint64_t ticket, uint64_t time) {
    (void)pc, (void)pipe, (void)variable, (void)readers, (void)ticket, (void)time;
  }
  virtual void acquire(uint32_t pc, uint64_t variable, uint64_t time) { (void)pc, (void)variable, (void)time; }
  /// The block came to its end (not called after a fatal finding).
  virtual void end(uint64_t time) { (void)time; }
};

/// Listens to a launch; makes one BlockObserver per block (called from the thread that runs the block).
class Observer {
public:
  virtual ~Observer() = default;
  virtual std::unique_ptr<BlockObserver> block(const BlockInfo &, Report &) = 0;
  /// After the last block; findings between blocks are added here.
  virtual void finish(Report &) {}
};

} // namespace asc::sim
