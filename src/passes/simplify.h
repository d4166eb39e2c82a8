// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds constants, drops unused values, and drops what the front end's loops and conditionals carry for nothing.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace asc {

/// Arithmetic is folded, never rewritten: regrouping a sum could overflow where the kernel's own order does not.
void simplify(mlir::ModuleOp module);

} // namespace asc
