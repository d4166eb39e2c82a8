// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `@asc.jit` makes and what its brackets return, as Python types: Kernel and Launcher.
#pragma once

#include <Python.h>

namespace asc {

/// Adds the types to the module. False with a Python error.
bool add_kernel_types(PyObject *module);

} // namespace asc
