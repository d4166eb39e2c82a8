// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/pipeline.h"
#include "passes/merge_equal_values.h"
#include "passes/simplify.h"

namespace asc {

void run_passes(mlir::ModuleOp module) {
  simplify(module);
  merge_equal_values(module);
}

} // namespace asc
