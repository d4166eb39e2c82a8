// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops of a kernel do to memory, as far as it is known while compiling, and which of them can get into each other's way.
#pragma once

#include "dialect/dialect.h"
#include "passes/program_order.h"

namespace asc {

/// A number as a constant and a sum of values times factors; not `known` if these became too large.
struct Sum {
  bool known = true;
  int64_t constant = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> terms; // a value once, no factor 0

  void add(mlir::Value value, int64_t factor);
  void add(const Sum &other, int64_t factor);
};

/// Where one operand of an op lies. `array`: a memory of the core (its number), kFirstArray + the kernel parameter that it belongs to, or
/// kAnyArray: that of any parameter. Different parameters are different arrays. `owner`: the TBuf, or the alloc_tensor, deque or allocate
/// whose buffer it is; no two of them share bytes, or the queue keeps them in order.
struct Place {
  static constexpr unsigned kFirstArray = kMemories, kAnyArray = UINT_MAX;
  static constexpr int kAbsolute = -1, kAnywhere = -2;
  unsigned array = 0;
  mlir::Value owner;
  int area = kAnywhere;              // on chip: kAbsolute for constant addresses, or the tensor's area (plan_memory.h)
  std::optional<Sum> start;          // byte offset in the array; nothing: anywhere within
  int64_t room = INT64_MAX;          // bytes of the tensor from `start` on, at most
  int64_t low = 0, high = INT64_MAX; // bytes of the array that the whole tensor lies in
};

/// The bytes that an op touches through one operand.
struct Footprint {
  Place place;
  mlir::Value tensor; // null: scratch memory
  bool sole = true;   // the operand can be nowhere else
  bool read = false, write = false;
  int64_t low = 0, high = 0;                     // from place.start on; all bytes lie in [low, high)
  std::vector<std::pair<int64_t, int64_t>> runs; // [begin, end) in ascending order: exactly these; empty: all of [low, high)
};

/// An op that touches memory.
struct Site {
  mlir::Operation *op;
  Pipe pipe;
  std::vector<Footprint> footprints;
};

/// Two operands that may share a byte of which one is written. `certain`: they do, whenever the two are executed.
struct Conflict {
  const Footprint *earlier, *later;
  bool certain = false;
};

/// The sites of a kernel in program order, and their conflicts.
class KernelAccesses {
public:
  explicit KernelAccesses(KernelOp kernel);

  const std::vector<Site> &sites() const { return sites_; }
  /// Whether an execution of `later` may meet one of `earlier` that came before it: in the same round of all loops around both, or in an
  /// earlier round of one of them.
  std::optional<Conflict> conflict(const Site &earlier, const Site &later) const;
  /// All that a tensor or address may be part of.
  llvm::SmallVector<Place> places(mlir::Value tensor) const;

private:
  void add(mlir::Operation *op);
  void add_call(ApiOp call);
  void add_whole(Site &site, mlir::Value tensor);
  void add_remembered(Site &site);

  KernelOp kernel_;
  ProgramOrder order_;
  bool counter_mode_ = false;   // the kernel switches to it somewhere
  bool moving_buffers_ = false; // TBufs may get memory that others had
  std::vector<Site> sites_;
};

} // namespace asc
