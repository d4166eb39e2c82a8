// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ASC-IR to Ascend C text that a person can read and CANN's compiler takes.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace asc {

struct AscendCOptions {
  bool line_directives = true; // `#line` to the Python source; paths are relative to the kernel's file
};

/// Text of the kernel of the module and of the device functions that it calls. Throws InternalError for IR that the front end never makes.
std::string to_ascendc(mlir::ModuleOp module, const AscendCOptions &options);

} // namespace asc
