// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan_memory.h"

#include "dialect/constants.h"
#include "dialect/dialect.h"
#include "dialect/location.h"
#include "passes/program_order.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <algorithm>

namespace asc {
namespace {

using mlir::Operation;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

constexpr int64_t kRoom = info(Memory::UB).bytes, kAlignment = info(Memory::UB).alignment;

int64_t rounded(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

DiagnosticError error(Operation *at, std::string code, std::string message, std::string help, std::vector<Note> notes = {}) {
  Diagnostic d;
  d.code = std::move(code), d.message = std::move(message), d.help = std::move(help), d.notes = std::move(notes);
  d.span = span_of(at->getLoc());
  return DiagnosticError(std::move(d));
}

std::string title(Operation *tensor) {
  const std::string_view variable = variable_of(tensor->getLoc());
  return variable.empty() ? "a tensor" : "'" + std::string(variable) + "'";
}

/// A tensor of constant size: its bytes, and when it is alive, in program order, both ends included.
struct Tensor {
  Operation *op;
  int64_t bytes, address = 0;
  unsigned first, last;

  bool lives_with(const Tensor &other) const { return first <= other.last && other.first <= last; }
};

class Planner {
public:
  Planner(KernelOp kernel, bool reuse) : kernel_(kernel), reuse_(reuse), order_(kernel) {}

  void run() {
    bool any = false;
    kernel_.walk([&](LocalTensorOp op) { add_fixed(op); });
    kernel_.walk([&](AutoTensorOp op) {
      const std::optional<int64_t> size = constant_of(op.getSize());
      Tensor tensor = life_of(op);
      any = true;
      if (!size) return;
      tensor.bytes = rounded(*size * size_of(element_dtype(op.getType())));
      tensors_.push_back(tensor);
    });
    if (!any) return;
    refuse_unknown_places();
    scratch_ = bytes_of_scratch();
    room_ = kRoom - scratch_ - bytes_of_pipe();
    place_all();
    if (pipe_) return use_buffer_of_pipe();
    const int64_t end = end_of({&fixed_, &tensors_});
    for (const Tensor &tensor : tensors_) {
      mlir::OpBuilder ops(tensor.op);
      replace(llvm::cast<AutoTensorOp>(tensor.op), ops.create<arith::ConstantIntOp>(ops.getUnknownLoc(), tensor.address, 32));
    }
    place_at_run_time(kernel_.getBody().front(), {}, rounded(end));
    mark_areas();
  }

private:
  static int64_t end_of(std::initializer_list<const std::vector<Tensor> *> lists) {
    int64_t end = 0;
    for (const std::vector<Tensor> *list : lists)
      for (const Tensor &tensor : *list) end = std::max(end, tensor.address + tensor.bytes);
    return end;
  }

  // -------------------------------------------------------------- other owners of memory

  void refuse_unknown_places() {
    const auto refuse = [](Operation *op, std::string what, std::string help) {
      throw error(op, "T322", std::move(what) + ", so the compiler cannot keep the LocalTensorAuto of the kernel apart from it",
                  std::move(help));
    };
    kernel_.walk([&](Operation *op) {
      if (auto pipe = llvm::dyn_cast<PipeOp>(op)) pipe_ = pipe;
      if (auto tensor = llvm::dyn_cast<LocalTensorOp>(op); tensor && in_buffer(tensor) && !constant_of(tensor.getAddress()))
        refuse(op, "the address of this LocalTensor is known at run time only",
               "give it an address that is known while compiling, or make it a LocalTensorAuto too");
      if (llvm::isa<AllocateOp>(op))
        refuse(op, "a LocalMemAllocator finds the place of this tensor at run time", "make it a LocalTensorAuto too");
      if (llvm::isa<PipeInitOp, PipeResetOp, PipeDestroyOp>(op))
        refuse(op, "the TPipe gives its memory to others from here on", "use a TBuf instead of LocalTensorAuto");
    });
    if (!pipe_) return;
    kernel_.walk([&](AutoTensorOp op) {
      Operation *here = pipe_->getBlock()->findAncestorOpInBlock(*op);
      if (!here || !pipe_->isBeforeInBlock(here))
        throw error(op, "T322", "this LocalTensorAuto lies in the memory of the TPipe, which is made later", "make the TPipe first",
                    {{"the TPipe", span_of(pipe_.getLoc())}});
      if (!constant_of(op.getSize()))
        throw error(op, "T322", "the size of this LocalTensorAuto is known at run time only, and the TPipe gives memory before that",
                    "give it a size that is known while compiling, or use a TBuf", {{"the TPipe", span_of(pipe_.getLoc())}});
    });
  }

  /// What the queues and TBufs of the TPipe are known to need.
  int64_t bytes_of_pipe() {
    int64_t bytes = 0;
    const auto add = [&](mlir::Type owner, Position position, Value number, Value each) {
      if (!llvm::isa<PipeType>(owner) || memory_of(position) != Memory::UB) return;
      bytes += (number ? constant_of(number).value_or(0) : 1) * rounded(constant_of(each).value_or(0));
    };
    kernel_.walk([&](InitQueueOp op) { add(op.getOwner().getType(), op.getQueue().getType().position(), op.getNumber(), op.getBytes()); });
    kernel_.walk([&](InitBufOp op) { add(op.getOwner().getType(), Position(op.getBuf().getType().getPosition()), {}, op.getBytes()); });
    kernel_.walk([&](InitPoolOp op) {
      if (!op.getShared()) add(op.getOwner().getType(), Position(op.getPool().getType().getPosition()), {}, op.getBytes());
    });
    return std::min(bytes, kRoom);
  }

  /// What instructions of the kernel take at the end of UB.
  int64_t bytes_of_scratch() {
    int64_t bytes = 0;
    kernel_.walk([&](Operation *op) {
      if (ApiOp::is(op)) bytes = std::max<int64_t>(bytes, ApiOp(op).row().scratch);
    });
    return bytes;
  }

  /// All tensors lie in one TBuf.
  void use_buffer_of_pipe() {
    mlir::OpBuilder ops(pipe_.getContext());
    const auto constant = [&](int64_t value) -> Value { return ops.create<arith::ConstantIntOp>(ops.getUnknownLoc(), value, 32); };
    ops.setInsertionPointAfter(pipe_);
    auto type = BufType::get(pipe_.getContext(), unsigned(Position::VECCALC));
    auto buf = ops.create<BufOp>(mlir::NameLoc::get(ops.getStringAttr("auto_tensors"), pipe_.getLoc()), type);
    ops.create<InitBufOp>(pipe_.getLoc(), pipe_.getPipe(), buf.getObject(), constant(end_of({&tensors_})));
    for (const Tensor &tensor : tensors_) {
      auto op = llvm::cast<AutoTensorOp>(tensor.op);
      ops.setInsertionPoint(op);
      auto placed = ops.create<GetBufOp>(op.getLoc(), op.getType(), buf.getObject(), op.getSize(), constant(tensor.address));
      op.replaceAllUsesWith(placed.getTensor());
      op.erase();
    }
  }

  // -------------------------------------------------------------- lives

  static bool in_buffer(LocalTensorOp op) { return memory_of(Position(op.getType().getPosition())) == Memory::UB; }

  /// LocalTensors have their place for the whole kernel.
  void add_fixed(LocalTensorOp op) {
    const std::optional<int64_t> address = constant_of(op.getAddress()), size = constant_of(op.getSize());
    if (!in_buffer(op) || !address) return;
    // Of unknown size: it may reach to the end of the memory.
    const int64_t bytes = size ? rounded(*size * size_of(element_dtype(op.getType()))) : std::max(kRoom - *address, int64_t(0));
    fixed_.push_back({op, bytes, *address, 0, UINT_MAX});
  }

  /// From the first to the last access, under whatever name. What a loop does to a tensor made before it may come again in any of its
  /// rounds; a tensor that goes from round to round is alive in all of them.
  Tensor life_of(AutoTensorOp op) {
    Tensor life{op, 0, 0, UINT_MAX, 0};
    llvm::SmallVector<Value> names = {op.getTensor()};
    llvm::DenseSet<Value> seen;
    const auto add = [&](Value value) {
      if (seen.insert(value).second) names.push_back(value);
    };
    const auto alive_in = [&](Operation *user) {
      life.first = std::min(life.first, order_.first(user));
      life.last = std::max(life.last, order_.last(user));
    };
    const auto touched_by = [&](Operation *user) {
      Operation *access = user;
      for (Operation *up = user->getParentOp(); !up->isProperAncestor(op); up = up->getParentOp())
        if (is_loop(up)) access = up;
      alive_in(access);
    };
    while (!names.empty()) {
      Value name = names.pop_back_val();
      for (mlir::OpOperand &use : name.getUses()) {
        Operation *user = use.getOwner(), *parent = user->getParentOp();
        const unsigned number = use.getOperandNumber();
        if (llvm::isa<ViewOp, ReinterpretCastOp, ResizeOp, ShiftOp, arith::SelectOp>(user)) {
          add(user->getResult(0));
        } else if (auto loop = llvm::dyn_cast<scf::ForOp>(user)) {
          add(loop.getRegionIterArg(number - loop.getNumControlOperands()));
          add(loop.getResult(number - loop.getNumControlOperands()));
        } else if (auto loop = llvm::dyn_cast<scf::WhileOp>(user)) {
          add(loop.getBeforeArguments()[number]);
        } else if (llvm::isa<scf::ConditionOp>(user)) {
          auto loop = llvm::cast<scf::WhileOp>(parent);
          add(loop.getAfterArguments()[number - 1]);
          add(loop.getResult(number - 1));
        } else if (llvm::isa<scf::YieldOp>(user)) {
          if (auto loop = llvm::dyn_cast<scf::ForOp>(parent))
            add(loop.getRegionIterArg(number)), add(loop.getResult(number)), alive_in(loop);
          else if (auto loop = llvm::dyn_cast<scf::WhileOp>(parent))
            add(loop.getBeforeArguments()[number]), alive_in(loop);
          else
            add(parent->getResult(number));
        } else if (llvm::isa<LocalAddressOp>(user)) { // who knows what is done with the address
          alive_in(user->getParentOfType<KernelOp>());
        } else if (!llvm::isa<SizeOp, StatementOp>(user)) {
          touched_by(user);
          if (ApiOp::is(user) && ApiOp(user).row().remembers) // until the last one that may read it
            kernel_.walk([&](Operation *reader) {
              if (ApiOp::is(reader) && ApiOp(reader).row().recalls && ApiOp(reader).row().recalls(ApiOp(reader).call())) touched_by(reader);
            });
        }
        const bool leaves = llvm::isa<scf::YieldOp, scf::ConditionOp>(user) && parent->isProperAncestor(op);
        if (leaves && !constant_of(op.getSize()))
          throw error(op, "T323",
                      "the size of the LocalTensorAuto " + title(op) +
                          " is known at run time only, so it cannot leave the branch or loop that it is made in",
                      "make it before the branch or loop, or give it a size that is known while compiling");
      }
    }
    if (life.first > life.last) alive_in(op); // never used
    return life;
  }

  // -------------------------------------------------------------- places of tensors of constant size

  /// One after the other if that fits, because tensors that share bytes wait for each other; else, large ones first, each where the first
  /// gap is between those that live at the same time.
  void place_all() {
    const Tensor *failed = place(/*share=*/false);
    if (failed && reuse_) {
      std::sort(tensors_.begin(), tensors_.end(), [&](const Tensor &a, const Tensor &b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : order_.first(a.op) < order_.first(b.op);
      });
      failed = place(/*share=*/true);
    }
    if (failed) refuse(*failed);
  }

  /// The first tensor that does not fit; null if all do.
  const Tensor *place(bool share) {
    for (auto next = tensors_.begin(); next != tensors_.end(); ++next) {
      llvm::SmallVector<const Tensor *> busy;
      for (const Tensor &tensor : fixed_) busy.push_back(&tensor);
      for (auto placed = tensors_.begin(); placed != next; ++placed)
        if (!share || placed->lives_with(*next)) busy.push_back(&*placed);
      std::sort(busy.begin(), busy.end(), [](const Tensor *a, const Tensor *b) { return a->address < b->address; });
      next->address = 0;
      for (const Tensor *tensor : busy)
        if (next->address + next->bytes > tensor->address) next->address = std::max(next->address, tensor->address + tensor->bytes);
      if (next->address + next->bytes > room_) return &*next;
    }
    return nullptr;
  }

  /// Shows the moment in the life of `tensor` at which the most bytes are alive.
  [[noreturn]] void refuse(const Tensor &tensor) const {
    const auto alive_at = [&](unsigned moment) {
      std::vector<const Tensor *> alive;
      for (const auto *list : {&fixed_, &tensors_})
        for (const Tensor &other : *list)
          if (!reuse_ || (other.first <= moment && moment <= other.last)) alive.push_back(&other);
      return alive;
    };
    const auto bytes_of = [](const std::vector<const Tensor *> &list) {
      int64_t bytes = 0;
      for (const Tensor *tensor : list) bytes += tensor->bytes;
      return bytes;
    };
    std::vector<const Tensor *> most;
    for (const Tensor &other : tensors_) { // the number of live bytes grows only where a life begins
      const unsigned moment = std::max(other.first, tensor.first);
      if (moment > std::min(other.last, tensor.last)) continue;
      if (std::vector<const Tensor *> alive = alive_at(moment); bytes_of(alive) > bytes_of(most)) most = std::move(alive);
    }
    std::sort(most.begin(), most.end(), [&](const Tensor *a, const Tensor *b) { return order_.first(a->op) < order_.first(b->op); });
    std::vector<Note> notes;
    for (const Tensor *other : most)
      notes.push_back({title(other->op) + ": " + std::to_string(other->bytes) + " bytes", span_of(other->op->getLoc())});
    const int64_t pipe = kRoom - scratch_ - room_;
    const std::string taken = (pipe ? "the TPipe hands out " + std::to_string(pipe) + " of them, " : "") +
                              (scratch_ ? std::to_string(scratch_) + " are scratch memory of an instruction, " : "");
    const std::string together = std::to_string(most.size()) + (most.size() == 1 ? " tensor" : " tensors");
    throw error(tensor.op, "T321",
                "there is no room for the LocalTensorAuto " + title(tensor.op) + ": UB has " + std::to_string(kRoom) + " bytes, " + taken +
                    "and " + together + (reuse_ ? " in use at the same time need " : " of the kernel need ") +
                    std::to_string(bytes_of(most)),
                reuse_ ? "use smaller tiles, or fewer tensors at the same time; the notes list them"
                       : "use smaller tiles, or leave out insert_sync=False: then tensors that are never in use together share bytes",
                std::move(notes));
  }

  // -------------------------------------------------------------- places of tensors of run-time size

  static LocalTensorOp replace(AutoTensorOp op, Value address) {
    mlir::OpBuilder ops(op);
    auto tensor = ops.create<LocalTensorOp>(op.getLoc(), op.getType(), address, op.getSize());
    op.replaceAllUsesWith(tensor.getTensor());
    op.erase();
    return tensor;
  }

  /// Each tensor lies behind `previous`, the last one made before it on every path to it; the first one at `start`.
  void place_at_run_time(mlir::Block &block, LocalTensorOp previous, int64_t start) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      for (mlir::Region &region : op.getRegions())
        for (mlir::Block &inner : region) place_at_run_time(inner, previous, start);
      auto tensor = llvm::dyn_cast<AutoTensorOp>(op);
      if (!tensor) continue;
      mlir::OpBuilder ops(tensor);
      Value address = previous ? end_of(previous, ops) : ops.create<arith::ConstantIntOp>(ops.getUnknownLoc(), start, 64).getResult();
      LocalTensorOp placed = replace(tensor, address);
      behind_[placed] = previous;
      chain_.push_back(placed);
      previous = placed;
    }
  }

  static Value end_of(LocalTensorOp tensor, mlir::OpBuilder &ops) {
    mlir::Location loc = ops.getUnknownLoc();
    const auto constant = [&](int64_t value) -> Value { return ops.create<arith::ConstantIntOp>(loc, value, 64); };
    Value size = tensor.getSize();
    if (DType dtype = dtype_of(size.getType()); dtype != DType::Int64)
      size = ops.create<ConvertOp>(loc, ops.getI64Type(), size, uint32_t(dtype), uint32_t(DType::Int64));
    constexpr auto nsw = arith::IntegerOverflowFlags::nsw;
    Value bytes = ops.create<arith::MulIOp>(loc, size, constant(size_of(element_dtype(tensor.getType()))), nsw);
    Value end = ops.create<arith::AddIOp>(loc, tensor.getAddress(), bytes, nsw);
    Value up = ops.create<arith::AddIOp>(loc, end, constant(kAlignment - 1), nsw);
    return ops.create<arith::AndIOp>(loc, up, constant(-kAlignment));
  }

  /// Can the two share bytes? Not if one lies behind the other and they stay where they are in all rounds of all loops around both.
  bool may_meet(LocalTensorOp a, LocalTensorOp b) const {
    LocalTensorOp up = b;
    while (up && up != a) up = behind_.lookup(up);
    if (!up) return true;
    for (Operation *loop = a->getParentOp(); loop != kernel_; loop = loop->getParentOp()) {
      if (!is_loop(loop) || !loop->isAncestor(b)) continue;
      for (LocalTensorOp tensor = b; tensor && loop->isAncestor(tensor); tensor = behind_.lookup(tensor))
        if (loop->isAncestor(tensor.getSize().getParentRegion()->getParentOp())) return true;
    }
    return false;
  }

  void mark_areas() {
    llvm::EquivalenceClasses<unsigned> areas;
    for (unsigned i = 0; i < chain_.size(); ++i) {
      areas.insert(i);
      for (unsigned k = 0; k < i; ++k)
        if (may_meet(chain_[k], chain_[i])) areas.unionSets(k, i);
    }
    for (auto [i, tensor] : llvm::enumerate(chain_))
      tensor->setAttr(kArea, mlir::IntegerAttr::get(mlir::IntegerType::get(tensor.getContext(), 32), areas.getLeaderValue(unsigned(i))));
  }

  KernelOp kernel_;
  const bool reuse_;
  ProgramOrder order_;
  std::vector<Tensor> fixed_, tensors_;
  PipeOp pipe_;
  int64_t room_ = kRoom, scratch_ = 0;
  llvm::SmallVector<LocalTensorOp> chain_; // tensors of run-time size, in program order
  llvm::DenseMap<LocalTensorOp, LocalTensorOp> behind_;
};

} // namespace

void plan_memory(mlir::ModuleOp module, bool reuse) {
  for (KernelOp kernel : module.getOps<KernelOp>()) Planner(kernel, reuse).run();
}

} // namespace asc
