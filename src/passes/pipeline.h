// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's passes, in order.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace asc {

/// Makes the IR of the front end ready for emission; results and the order of everything that has an effect stay the same.
void run_passes(mlir::ModuleOp module);

} // namespace asc
