// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a Python function and the kinds of its arguments to a runnable program with its texts.
#pragma once

#include "frontend/frontend.h"
#include "isa/program.h"
#include "sim/simulator.h"

#include <memory>
#include <optional>

namespace asc {

/// What changes the program, which is part of the cache key, and what is shown of its making.
struct CompileOptions {
  std::string target = "Ascend910B1";
  bool auto_sync = true;
  bool python_arithmetic = false; // `/` of two run-time ints is a true division
  bool dump = true;               // text that the kernel prints
  bool time_stamps = false;       // print_time_stamp
  std::optional<bool> insert_sync;
  std::optional<unsigned> without_sync;
  std::optional<KernelType> kernel_type; // nothing: what the kernel needs
  bool print_ir = false;                 // before every pass
  bool all_errors = false;               // tells all errors of the front end, instead of the first one

  bool operator==(const CompileOptions &) const = default;
};

/// A kernel for one combination of argument types and static values. Immutable; shared by threads, launchers and caches.
struct CompiledKernel {
  std::string key;                        // cache key, hexadecimal
  std::string ir;                         // ASC-IR after the passes
  std::string ascendc;                    // Ascend C text
  std::string binary;                     // encoded program
  std::vector<std::string> inserted_sync; // a line per flag or barrier that the compiler inserted
  std::vector<Diagnostic> warnings;
  std::shared_ptr<const DebugTable>
      debug;               // of a kernel that calls breakpoint(): the program is the debug form. The texts are as without it
  double milliseconds = 0; // what compiling took; of a disk hit: what it took when it was compiled
  std::shared_ptr<const sim::Executable> executable;
  Checks useful = Checks::all(); // checks that may find something in its launches

  void set_program(Program program);
  const Program &program() const { return sim::program_of(*executable); }
  std::string listing() const;
};

/// The instructions, with the Python lines as comments where their files are there.
std::string listing(const Program &program);

/// Compiles. Throws DiagnosticError. With PYASC_DUMP_PATH set, writes the texts into a folder below it, named after kernel and key.
std::shared_ptr<const CompiledKernel> compile_kernel(nanobind::handle function, const std::vector<ArgSpec> &arguments,
                                                     const CompileOptions &options, std::string key);

/// Writes ascir.mlir, ascendc.cpp, kernel.lst and kernel.bin.
void dump(const CompiledKernel &kernel, const std::string &folder);

} // namespace asc
