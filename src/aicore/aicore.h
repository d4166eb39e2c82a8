// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ASC-IR to the AI Core program that the simulator runs.
#pragma once

#include "isa/program.h"

#include "mlir/IR/BuiltinOps.h"

namespace asc {

/// Lowers the kernel of the module; device functions are inlined. Throws InternalError for IR that the front end never makes.
Program to_program(mlir::ModuleOp module, std::string_view target);

} // namespace asc
