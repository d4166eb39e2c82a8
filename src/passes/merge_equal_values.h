// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common subexpressions are computed once.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace asc {

void merge_equal_values(mlir::ModuleOp module);

} // namespace asc
