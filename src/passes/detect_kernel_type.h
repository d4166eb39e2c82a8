// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which cores a kernel runs on.
#pragma once

#include "apis/types.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace asc {

/// Notes in the kernel the type that it was given, or the smallest that has all it uses: what stands under asc.ascend_is_aic() is for the
/// cube core, everything else for the vector core; cross-core flags need a type with them. Throws DiagnosticError (T341, T342).
void detect_kernel_type(mlir::ModuleOp module, std::optional<KernelType> given);

} // namespace asc
