// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For every pair of accesses that may run in the wrong order, a flag or a barrier; then every one is tried for removal, so that each of
// those that stay is needed.
#include "passes/insert_sync.h"

#include "apis/queue.h"
#include "dialect/dialect.h"
#include "dialect/location.h"
#include "passes/accesses.h"
#include "passes/sync_order.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace asc {
namespace {

using mlir::Block;
using mlir::Operation;
namespace scf = mlir::scf;

/// Ids of an event that the pass may use. Without a TPipe, 6 and 7 are best left alone (07-sync section 2); with one, ids are taken from
/// it, and queues need the others.
constexpr unsigned kUsableIds = 6, kIdsOfPipe = 2;

// ---------------------------------------------------------------- where

/// Where the synchronisation of two accesses goes: a flag is set after `after` and waited for before `before`, which are in the lowest
/// blocks that order the two. Where the second comes in a later round of `loop`, the flag is set once more before the loop begins; where it
/// is set once more than it is waited for, there is a wait after the loop.
struct Spot {
  Operation *after, *before;
  Operation *loop = nullptr;
  bool carried = false, left_over = false;
};

Spot spot_between(Operation *earlier, Operation *later) {
  Block *block = earlier->getBlock();
  while (!block->findAncestorOpInBlock(*later)) block = block->getParentOp()->getBlock();
  Operation *after = block->findAncestorOpInBlock(*earlier), *before = block->findAncestorOpInBlock(*later);
  if (auto loop = llvm::dyn_cast<scf::WhileOp>(after); loop && after == before && earlier != later) {
    // One is in the test, one in the body. The test comes first, and runs once more often than the body.
    const bool test_first = loop.getBefore().isAncestor(earlier->getParentRegion());
    Block *first = test_first ? loop.getBeforeBody() : loop.getAfterBody(),
          *second = test_first ? loop.getAfterBody() : loop.getBeforeBody();
    return {first->findAncestorOpInBlock(*earlier), second->findAncestorOpInBlock(*later), loop, !test_first, test_first};
  }
  if (after != before && after->isBeforeInBlock(before)) return {after, before};
  Operation *loop = block->getParentOp();
  while (!is_loop(loop)) loop = loop->getParentOp();
  return {after, before, loop, true, true};
}

// ---------------------------------------------------------------- why

std::string place_text(Operation *op) {
  const Span span = span_of(op->getLoc());
  if (span.line == 0) return {};
  return " (" + llvm::sys::path::filename(span.file).str() + ":" + std::to_string(span.line) + ")";
}

std::string access_text(Operation *op, const Footprint &footprint) {
  const std::string call = op->getName().stripDialect().str() + place_text(op);
  const char *verb = !footprint.write ? " reads " : footprint.read ? " updates " : " writes ";
  if (!footprint.tensor) return call + verb + "its scratch memory";
  const std::string_view name = name_of(footprint.tensor);
  return call + verb + (name.empty() ? "a tensor" : std::string(name));
}

std::string round_text(const Spot &spot) { return spot.carried ? " in a later round of the loop" + place_text(spot.loop) : std::string(); }

// ---------------------------------------------------------------- the pass

unsigned event_of(const Sync &sync) {
  if (const std::optional<uint8_t> event = event_between(sync.from, sync.to)) return *event;
  throw InternalError("no event from " + std::string(name(sync.from)) + " to " + std::string(name(sync.to)));
}

class Inserter {
public:
  explicit Inserter(KernelOp kernel) : kernel_(kernel), accesses_(kernel), order_(kernel, accesses_), undecided_(constant(0)) {
    kernel.walk([&](PipeOp pipe) { pipe_ = pipe; });
  }

  std::vector<std::string> run(std::optional<unsigned> without) {
    insert_missing();
    remove_needless(0);
    while (const std::optional<unsigned> failed = choose_ids()) {
      replace_by_barrier(*failed);
      remove_needless(0);
    }
    wait_for_transfers();
    return finish(without);
  }

private:
  void insert_missing() {
    for (;;) {
      const std::vector<Hazard> missing = order_.hazards();
      if (missing.empty()) return;
      insert(missing);
    }
  }

  /// Of two ops in blocks around one that comes after both: the one in the inner block is later.
  static bool is_later(Operation *a, Operation *b) {
    if (a->getBlock() == b->getBlock()) return b->isBeforeInBlock(a);
    return b->getBlock()->findAncestorOpInBlock(*a) != nullptr;
  }

  /// Orders the first of the accesses that lack an order. Of those that it waits for on the same pipe, the last one is enough.
  void insert(const std::vector<Hazard> &missing) {
    const Hazard *chosen = &missing[0];
    if (!chosen->conflict && order_.widen(chosen->later)) return;
    Spot spot = spot_between(chosen->earlier, chosen->later);
    for (const Hazard &other : missing) {
      if (other.later != chosen->later || other.from != chosen->from || spot.loop) continue;
      const Spot candidate = spot_between(other.earlier, other.later);
      if (candidate.loop || !is_later(candidate.after, spot.after)) continue;
      chosen = &other, spot = candidate;
    }
    insert(*chosen, spot);
  }

  void insert(const Hazard &hazard, const Spot &spot) {
    std::string why;
    if (hazard.conflict)
      why = access_text(hazard.earlier, *hazard.conflict->earlier) + ", " + access_text(hazard.later, *hazard.conflict->later);
    else
      why = "wait_flag" + place_text(hazard.earlier) + " lowers a flag, set_flag" + place_text(hazard.later) + " sets it again";
    Sync sync{hazard.from, hazard.to, {}, why + round_text(spot), spot.carried && spot.left_over ? spot.loop : nullptr};
    mlir::OpBuilder ops(spot.before);
    if (sync.is_barrier()) {
      sync.ops.push_back(ops.create<PipeBarrierOp>(spot.before->getLoc(), uint32_t(sync.to)));
    } else {
      const uint32_t event = event_of(sync);
      const auto set = [&](Operation *at) { sync.ops.push_back(ops.create<SetFlagOp>(at->getLoc(), event, undecided_)); };
      const auto wait = [&](Operation *at) { sync.ops.push_back(ops.create<WaitFlagOp>(at->getLoc(), event, undecided_)); };
      wait(hazard.later);
      ops.setInsertionPointAfter(spot.after);
      set(hazard.earlier);
      if (spot.carried) ops.setInsertionPoint(spot.loop), set(spot.loop);
      if (spot.left_over) ops.setInsertionPointAfter(spot.loop), wait(spot.loop);
    }
    order_.add(std::move(sync));
  }

  /// Last first; each is needed at the time of its trial, and what is removed afterwards makes it only more so.
  void remove_needless(unsigned first) {
    for (unsigned i = unsigned(order_.syncs().size()); i-- > first;) {
      if (order_.syncs()[i].ops.empty()) continue;
      order_.ignore(i, true);
      if (order_.hazards().empty())
        order_.remove(i);
      else
        order_.ignore(i, false);
    }
  }

  // -------------------------------------------------------------- ids

  mlir::Value constant(unsigned number) {
    mlir::OpBuilder ops = mlir::OpBuilder::atBlockBegin(&kernel_.getBody().front());
    return ops.create<mlir::arith::ConstantIntOp>(ops.getUnknownLoc(), number, 32);
  }

  mlir::Value id(unsigned event, unsigned number) {
    mlir::Value &value = ids_[{pipe_ ? event : 0, number}]; // constants are the same for all events
    if (value) return value;
    if (!pipe_) return value = constant(number);
    mlir::OpBuilder ops(pipe_.getContext());
    ops.setInsertionPointAfter(pipe_);
    const mlir::Location named = mlir::NameLoc::get(ops.getStringAttr("sync_id"), pipe_.getLoc());
    value = ops.create<AllocEventIdOp>(named, ops.getI32Type(), pipe_.getPipe(), event);
    ops.setInsertionPoint(pipe_->getBlock()->getTerminator());
    ops.create<ReleaseEventIdOp>(pipe_.getLoc(), pipe_.getPipe(), event, value);
    return value;
  }

  /// Whether the flag may have that id: it is not the kernel's own, or the TPipe is there to give it.
  bool is_usable(const Sync &sync, unsigned event, unsigned number) {
    if (!pipe_) return number < kUsableIds && !order_.used_by_kernel(event, number);
    const auto after_pipe = [&](Operation *op) {
      Operation *here = pipe_->getBlock()->findAncestorOpInBlock(*op);
      return here && pipe_->isBeforeInBlock(here);
    };
    return number < kIdsOfPipe && llvm::all_of(sync.ops, after_pipe);
  }

  /// Gives each flag the lowest id that no other one uses in the meantime. Returns one for which there is none.
  std::optional<unsigned> choose_ids() {
    const ProgramOrder program(kernel_);
    const SetsAndWaits known = order_.sets_and_waits();
    const auto apart = [&](const Sync &a, const Sync &b) {
      const auto span = [&](const Sync &sync) {
        std::pair<unsigned, unsigned> span(UINT_MAX, 0);
        for (Operation *op : sync.ops) span = {std::min(span.first, program.first(op)), std::max(span.second, program.first(op))};
        return span;
      };
      const auto [a_first, a_last] = span(a);
      const auto [b_first, b_last] = span(b);
      return (a_last < b_first || b_last < a_first) && known.in_turn(a, b) && known.in_turn(b, a);
    };
    std::vector<unsigned> by_position;
    for (unsigned i = 0; i < order_.syncs().size(); ++i)
      if (const Sync &sync = order_.syncs()[i]; !sync.ops.empty() && !sync.is_barrier()) by_position.push_back(i);
    const auto start = [&](unsigned i) {
      unsigned first = UINT_MAX;
      for (Operation *op : order_.syncs()[i].ops) first = std::min(first, program.first(op));
      return first;
    };
    std::sort(by_position.begin(), by_position.end(), [&](unsigned a, unsigned b) { return start(a) < start(b); });
    std::map<std::pair<unsigned, unsigned>, std::vector<unsigned>> users; // (event, id)
    for (unsigned i : by_position) {
      const Sync &sync = order_.syncs()[i];
      const unsigned event = event_of(sync);
      const auto is_free = [&](unsigned number) {
        const auto is_apart = [&](unsigned other) { return apart(order_.syncs()[other], sync); };
        return is_usable(sync, event, number) && llvm::all_of(users[{event, number}], is_apart);
      };
      unsigned number = 0;
      while (number < kEventIds && !is_free(number)) ++number;
      if (number == kEventIds) return i;
      users[{event, number}].push_back(i);
    }
    for (const auto &[flag, list] : users)
      for (unsigned i : list)
        for (Operation *op : order_.syncs()[i].ops) op->setOperand(0, id(flag.first, flag.second));
    return std::nullopt;
  }

  void replace_by_barrier(unsigned number) {
    const Sync &sync = order_.syncs()[number];
    Operation *wait = sync.ops[0];
    mlir::OpBuilder ops(wait);
    Sync barrier{Pipe::ALL, Pipe::ALL, {}, sync.why};
    barrier.ops.push_back(ops.create<PipeBarrierOp>(wait->getLoc(), uint32_t(Pipe::ALL)));
    order_.remove(number);
    order_.add(std::move(barrier));
  }

  // -------------------------------------------------------------- the result

  /// The cube core reads and writes global memory for S, and no flag of S says when.
  void wait_for_transfers() {
    kernel_.walk([&](Operation *op) {
      if (!llvm::isa<MatmulIterateOp, MatmulGetOp, MatmulIterateAllOp>(op)) return;
      Sync sync{Pipe::ALL, Pipe::ALL, {}, "the cube core reads and writes global memory" + place_text(op)};
      sync.ops.push_back(mlir::OpBuilder(op).create<PipeBarrierOp>(op->getLoc(), uint32_t(Pipe::ALL)));
      order_.add(std::move(sync));
    });
  }

  std::vector<std::string> finish(std::optional<unsigned> without) {
    const ProgramOrder program(kernel_);
    std::vector<const Sync *> list;
    for (const Sync &sync : order_.syncs())
      if (!sync.ops.empty()) list.push_back(&sync);
    std::sort(list.begin(), list.end(), [&](const Sync *a, const Sync *b) { return program.first(a->ops[0]) < program.first(b->ops[0]); });
    if (without && *without >= list.size()) {
      Diagnostic d;
      d.code = "K142";
      d.message = "option 'without_sync': got " + std::to_string(*without) + ", and " + std::to_string(list.size()) +
                  (list.size() == 1 ? " flag or barrier was inserted" : " flags and barriers were inserted");
      d.help = "kernel.compile(...).inserted_sync lists them; the first is number 0";
      throw DiagnosticError(std::move(d));
    }
    std::vector<std::string> lines;
    for (const Sync *sync : list) {
      for (Operation *op : sync->ops) op->setAttr(kWhy, mlir::StringAttr::get(op->getContext(), sync->why));
      lines.push_back(title(*sync) + ": " + sync->why);
      if (without && *without + 1 == lines.size())
        for (Operation *op : sync->ops) op->erase();
    }
    undecided_.getDefiningOp()->erase();
    return lines;
  }

  std::string title(const Sync &sync) {
    if (sync.is_barrier()) return "pipe_barrier(" + std::string(name(sync.to)) + ")";
    const auto id = llvm::find_if(ids_, [&](const auto &entry) { return entry.second == sync.ops[0]->getOperand(0); });
    const std::string event(kEventInfo[event_of(sync)].name);
    return "set_flag/wait_flag(" + event + ", " + (pipe_ ? "id of the TPipe" : std::to_string(id->first.second)) + ")";
  }

  KernelOp kernel_;
  KernelAccesses accesses_;
  SyncOrder order_;
  PipeOp pipe_;
  mlir::Value undecided_;                                    // stands for ids until they are chosen
  std::map<std::pair<unsigned, unsigned>, mlir::Value> ids_; // by event and number
};

} // namespace

std::vector<std::string> insert_sync(mlir::ModuleOp module, std::optional<unsigned> without) {
  std::vector<std::string> lines;
  for (KernelOp kernel : module.getOps<KernelOp>())
    for (std::string &line : Inserter(kernel).run(without)) lines.push_back(std::move(line));
  return lines;
}

} // namespace asc
