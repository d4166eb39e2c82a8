// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/pipeline.h"
#include "dialect/dialect.h"
#include "passes/inline_functions.h"
#include "passes/insert_sync.h"
#include "passes/merge_equal_values.h"
#include "passes/plan_memory.h"
#include "passes/simplify.h"

namespace asc {

std::vector<std::string> run_passes(mlir::ModuleOp module, const PassOptions &options) {
  const bool plans = module.walk([](AutoTensorOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  const bool inserts = options.insert_sync.value_or(plans);
  if (plans || inserts) inline_functions(module);
  simplify(module);
  merge_equal_values(module);
  if (plans) plan_memory(module, /*reuse=*/inserts);
  if (inserts) return insert_sync(module, options.without_sync);
  return {};
}

} // namespace asc
