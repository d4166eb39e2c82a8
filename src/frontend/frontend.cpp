// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry: one compilation from a Python function to a module.
#include "frontend/frontend.h"
#include "frontend/translator.h"

namespace asc {

mlir::OwningOpRef<mlir::ModuleOp> build_module(mlir::MLIRContext &context, nanobind::handle function, nanobind::handle source,
                                               const std::vector<ArgSpec> &arguments, const FrontendOptions &options,
                                               std::vector<Diagnostic> &warnings, DebugTable &debug) {
  Compilation c(context, options, warnings, debug);
  try {
    try {
      Translator(c).kernel(function, source, arguments);
    } catch (nb::python_error &error) {
      throw c.failed_in_python(error, c.node);
    }
  } catch (const DiagnosticError &) {
    if (c.cause) PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(c.cause.ptr())), c.cause.ptr());
    throw;
  }
  return std::move(c.module);
}

} // namespace asc
