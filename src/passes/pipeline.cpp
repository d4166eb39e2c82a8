// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/pipeline.h"
#include "dialect/dialect.h"
#include "passes/detect_kernel_type.h"
#include "passes/inline_functions.h"
#include "passes/insert_sync.h"
#include "passes/merge_equal_values.h"
#include "passes/plan_memory.h"
#include "passes/simplify.h"

#include "llvm/Support/raw_ostream.h"

namespace asc {

std::vector<std::string> run_passes(mlir::ModuleOp module, const PassOptions &options) {
  const bool plans = module.walk([](AutoTensorOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  const bool inserts = options.insert_sync.value_or(plans);
  const auto before = [&](llvm::StringRef pass) {
    if (options.print_ir) llvm::errs() << "// ---- IR before " << pass << "\n" << module << "\n";
  };
  if (plans || inserts) before("inline_functions"), inline_functions(module);
  before("simplify"), simplify(module);
  before("merge_equal_values"), merge_equal_values(module);
  before("detect_kernel_type"), detect_kernel_type(module, options.kernel_type);
  if (plans) before("plan_memory"), plan_memory(module, /*reuse=*/inserts);
  if (!inserts) return {};
  before("insert_sync");
  return insert_sync(module, options.without_sync);
}

} // namespace asc
