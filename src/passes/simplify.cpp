// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/simplify.h"

#include "dialect/constants.h"
#include "dialect/dialect.h"
#include "dialect/scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace asc {

/// Inner operations first, each for itself: a driver that takes the whole kernel looks at all that surrounds a change again, which is
/// quadratic in the depth of nesting.
static void simplify(mlir::Region &region, const mlir::FrozenRewritePatternSet &patterns) {
  mlir::GreedyRewriteConfig config;
  config.enableRegionSimplification = mlir::GreedySimplifyRegionLevel::Disabled;
  config.strictMode = mlir::GreedyRewriteStrictness::ExistingAndNewOps;
  config.scope = &region;
  for (mlir::Block &block : region)
    for (mlir::Operation *op = block.empty() ? nullptr : &block.front(), *next; op; op = next) {
      next = op->getNextNode();
      for (mlir::Region &inner : op->getRegions()) simplify(inner, patterns);
      // Not to converge means that a later round would find more to simplify; the IR is right after each.
      if (llvm::isa<mlir::scf::ForOp, mlir::scf::IfOp, mlir::scf::WhileOp>(op)) (void)mlir::applyOpPatternsAndFold(op, patterns, config);
    }
}

/// How many checked conversions a value is computed from.
static unsigned checks_behind(mlir::Operation *op) {
  constexpr size_t kMost = 64;
  llvm::SmallSetVector<mlir::Operation *, 8> behind;
  if (op) behind.insert(op);
  unsigned checks = 0;
  for (size_t i = 0; i < behind.size() && i < kMost; ++i) {
    auto convert = llvm::dyn_cast<ConvertOp>(behind[i]);
    checks += convert && convert.getChecked();
    for (mlir::Value operand : behind[i]->getOperands())
      if (mlir::Operation *made = operand.getDefiningOp(); made && made->getNumRegions() == 0) behind.insert(made);
  }
  return checks;
}

/// Whether MLIR knows the result whatever an operand is, as that of x & 0, and a check in that operand would be lost.
static bool loses_check(mlir::Operation *op) {
  const unsigned checks = op->getNumResults() == 1 ? checks_behind(op) : 0;
  if (checks == 0) return false;
  llvm::SmallVector<mlir::Attribute> constants;
  for (mlir::Value operand : op->getOperands()) constants.push_back(constant_attribute(operand));
  llvm::SmallVector<mlir::OpFoldResult> results;
  if (mlir::failed(op->fold(constants, results)) || results.empty()) return false;
  auto value = llvm::dyn_cast<mlir::Value>(results[0]);
  return checks_behind(value ? value.getDefiningOp() : nullptr) < checks;
}

/// Operations on constants give what the scalar unit computes. MLIR knows more about integers, such as x + 0, but computes constants, NaN
/// and overflow in its own way.
static void fold(mlir::Operation *op, mlir::OperationFolder &folder, bool checks) {
  if (mlir::TypedAttr constant = folded(op)) {
    mlir::OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(builder.create<mlir::arith::ConstantOp>(op->getLoc(), constant));
    return;
  }
  const std::optional<ScalarCall> call = scalar_call(op);
  const auto is_constant = [](mlir::Value operand) { return constant_attribute(operand) != nullptr; };
  if (call && (info(call->type).is_float || llvm::all_of(op->getOperands(), is_constant))) return;
  if (!checks || !loses_check(op)) (void)folder.tryToFold(op);
}

/// Constants folded, operations without a use removed: once forwards, once backwards.
static void fold(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> ops;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ops.push_back(op); });
  mlir::OperationFolder folder(module.getContext());
  const bool checks =
      llvm::any_of(ops, [](mlir::Operation *op) { return llvm::isa<ConvertOp>(op) && llvm::cast<ConvertOp>(op).getChecked(); });
  for (mlir::Operation *op : ops) fold(op, folder, checks);
  module.walk<mlir::WalkOrder::PostOrder, mlir::ReverseIterator>([](mlir::Operation *op) {
    if (mlir::isOpTriviallyDead(op)) op->erase();
  });
}

void simplify(mlir::ModuleOp module) {
  fold(module);
  mlir::MLIRContext *context = module.getContext();
  mlir::RewritePatternSet patterns(context);
  mlir::scf::ForOp::getCanonicalizationPatterns(patterns, context);
  mlir::scf::IfOp::getCanonicalizationPatterns(patterns, context);
  mlir::scf::WhileOp::getCanonicalizationPatterns(patterns, context);
  simplify(module.getBodyRegion(), std::move(patterns));
  fold(module);
}

} // namespace asc
