// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/simplify.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace asc {

void simplify(mlir::ModuleOp module) {
  mlir::MLIRContext *context = module.getContext();
  mlir::RewritePatternSet patterns(context);
  mlir::scf::ForOp::getCanonicalizationPatterns(patterns, context);
  mlir::scf::IfOp::getCanonicalizationPatterns(patterns, context);
  mlir::scf::WhileOp::getCanonicalizationPatterns(patterns, context);
  mlir::GreedyRewriteConfig config;
  config.useTopDownTraversal = true;
  config.enableRegionSimplification = mlir::GreedySimplifyRegionLevel::Disabled;
  // Not to converge means that a later round would find more to simplify; the IR is right after each.
  (void)mlir::applyPatternsAndFoldGreedily(module, std::move(patterns), config);
}

} // namespace asc
