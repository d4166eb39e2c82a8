// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `@asc.jit` makes and what its brackets return, as Python types: argument types to compiled kernel in one look-up, then the launch.
#pragma once

#include "runtime/cache.h"
#include "runtime/compile.h"
#include "runtime/fingerprint.h"

#include <Python.h>

namespace asc {

/// What a kernel was asked for besides the function: part of it changes the program (CompileOptions), the rest the launch.
struct KernelOptions {
  CompileOptions compile;
  bool check = true;
  bool always_compile = false;
  uint64_t max_cycles = 0; // 0: the simulator's own limit
  unsigned threads = 0;    // 0: as many as the host has
};

/// How often launches and compiles of a function found their kernel, and why the last one did or did not.
struct CacheInfo {
  uint64_t memory_hits = 0, disk_hits = 0, compiles = 0;
  std::string last;
  std::string key; // of the last look-up
};

/// The chip that launches without options run on; set by set_platform.
const std::string &current_target();
void set_current_target(std::string name);

/// Creates the types Kernel and Launcher in the module. False with a Python error.
bool add_kernel_types(PyObject *module);

} // namespace asc
