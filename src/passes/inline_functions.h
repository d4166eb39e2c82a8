// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions become part of the kernels that call them.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace asc {

/// For passes that must see the whole kernel at once. Ops keep their Python places and know the calls they came by.
void inline_functions(mlir::ModuleOp module);

} // namespace asc
