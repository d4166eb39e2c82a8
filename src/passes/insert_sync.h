// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders all accesses to memory that need an order: flags between pipes, barriers within one.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace asc {

/// Counts the flags and barriers that are there, and inserts what is missing; with `auto_sync` the device compiler's share is left to it.
/// What is inserted has the attribute kWhy. Expects device functions to be inlined. Returns a line for each flag and barrier, in program
/// order; number `without` is left out.
std::vector<std::string> insert_sync(mlir::ModuleOp module, std::optional<unsigned> without = {});

} // namespace asc
