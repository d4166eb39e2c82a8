// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of kernels that call breakpoint(): the simulator stops, and Python's debugger sees the functions of the kernel as its own.
#pragma once

#include "runtime/compile.h"

#include <nanobind/nanobind.h>

#include <span>

namespace asc {

/// Runs the debug form of a kernel. At a breakpoint each function that runs becomes a Python frame (python/pyasc/debugger.py) on this
/// thread, which steps the simulator as long as somebody traces it. `holders` keep the bytes of the windows. Throws python_error for
/// whatever leaves the debugger: the launch is over then.
sim::LaunchResult launch_for_debugger(const CompiledKernel &kernel, std::span<const uint64_t> args, std::span<const sim::Window> windows,
                                      std::span<PyObject *const> holders, const sim::LaunchOptions &options);

/// Adds the classes that the frames use.
void bind_debugger(nanobind::module_ &m);

} // namespace asc
