// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The front end: a Python function (its ast nodes and the live objects around it) becomes ASC-IR.
#pragma once

#include "apis/types.h"
#include "diagnostics/diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <nanobind/nanobind.h>

#include <vector>

namespace asc {

/// What a kernel parameter is: an array in global memory, a run-time number or structure, or a Python object known while compiling.
struct ArgSpec {
  enum class Kind : uint8_t { Static, Address, Scalar, Struct };
  Kind kind = Kind::Static;
  DType dtype = DType::Void;
  nanobind::object value = {}; // Static; the class of a Struct
};

struct FrontendOptions {
  bool python_arithmetic = false;  // `/` of two run-time ints is a true division instead of a truncating one
  bool auto_sync = true;           // the device compiler inserts synchronisation
  bool dump = true;                // text that the kernel prints
  bool time_stamps = false;        // print_time_stamp
  bool all_errors = false;         // instead of the first one
  uint64_t step_limit = 1'000'000; // statements evaluated while compiling, unrolled ones counted each time
};

struct DebugTable;

/// Translates the kernel `function` (a plain Python function) and every device function that it calls. `source` comes from
/// pyasc._source.load(function); `arguments` has one entry per parameter. Throws DiagnosticError with spans; when a Python exception was
/// behind it, that exception is set as the current Python error, so that it can become the cause. KeyboardInterrupt and other exceptions
/// that are no mistake of the kernel pass through as nanobind::python_error. `debug` learns whether the kernel calls breakpoint(), and is
/// filled when the debug form is wanted.
mlir::OwningOpRef<mlir::ModuleOp> build_module(mlir::MLIRContext &context, nanobind::handle function, nanobind::handle source,
                                               const std::vector<ArgSpec> &arguments, const FrontendOptions &options,
                                               std::vector<Diagnostic> &warnings, DebugTable &debug);

} // namespace asc
