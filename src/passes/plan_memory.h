// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives every LocalTensorAuto its place in the unified buffer.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace asc {

/// Discardable attribute of a local_tensor whose address is a run-time value: an i32. Tensors of different areas share no byte, and none
/// shares one with a tensor whose address is a constant.
inline constexpr llvm::StringLiteral kArea = "asc.area";

/// Every asc.auto_tensor becomes an asc.local_tensor. Tensors of constant size share bytes only if there is not room for all of them and
/// `reuse` allows it, and then only those that are never alive together; tensors of run-time size lie behind them, each behind those made
/// before. Expects device functions to be inlined. Throws DiagnosticError T321 when memory runs out.
void plan_memory(mlir::ModuleOp module, bool reuse);

} // namespace asc
