// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's passes, in order.
#pragma once

#include "apis/types.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace asc {

struct PassOptions {
  std::optional<bool> insert_sync;       // nothing: in kernels with a LocalTensorAuto
  std::optional<unsigned> without_sync;  // an index into the list of inserted synchronisation: that one is left out
  std::optional<KernelType> kernel_type; // nothing: what the kernel needs
  bool print_ir = false;                 // to stderr, before every pass
};

/// Makes the IR of the front end ready for emission; results and the order of everything that has an effect stay the same. Returns a line
/// for each synchronisation that was inserted. Throws DiagnosticError.
std::vector<std::string> run_passes(mlir::ModuleOp module, const PassOptions &options);

} // namespace asc
