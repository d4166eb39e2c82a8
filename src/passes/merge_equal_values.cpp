// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/merge_equal_values.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

namespace asc {

void merge_equal_values(mlir::ModuleOp module) {
  mlir::IRRewriter rewriter(module.getContext());
  mlir::DominanceInfo dominance(module);
  mlir::eliminateCommonSubExpressions(rewriter, dominance, module);
}

} // namespace asc
