// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a function, its options and the arguments of a call to the compiled kernel: one look-up in memory, else the disk cache, else the
// compiler.
#pragma once

#include "diagnostics/checks.h"
#include "runtime/arguments.h"
#include "runtime/compile.h"
#include "runtime/fingerprint.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace asc {

/// How a launch is checked.
struct CheckMode {
  Checks checks = Checks::all();
  bool adversarial = false; // the simulator delays what nothing orders, by the chance of the seed
};

/// What a kernel was asked for besides the function: part of it changes the program (CompileOptions), the rest the launch.
struct KernelOptions {
  CompileOptions compile;
  bool dump_by_environment = true; // ASCENDC_DUMP decides about compile.dump
  std::optional<CheckMode> check;  // nothing: default_check()
  uint64_t seed = 0;
  bool data_cache = false; // the simulator has the scalar unit's cache as the device has it
  bool always_compile = false;
  uint64_t max_cycles = 0; // 0: the simulator's own limit
  unsigned threads = 0;    // 0: as many as the host has
};

/// The chip that kernels are compiled for and run on; set by set_platform.
const std::string &current_target();
void set_current_target(std::string name);

/// How often launches and compiles of a function found their kernel, and why the last one did or did not.
struct CacheInfo {
  uint64_t memory_hits = 0, disk_hits = 0, compiles = 0;
  std::string last;
  std::string key; // of the last look-up
};

/// What a key is made of: what the function reads, and the compiler, options and arguments.
struct KeyParts {
  std::shared_ptr<const std::vector<Part>> environment;
  std::vector<Part> call;
};

/// What tells one compiled kernel of a function from another: the option bits, the environment, and a word or more per argument.
using Signature = llvm::SmallVector<uint64_t, 48>;

/// Shared by a kernel and the kernels that `options()` makes from it. All access is under the GIL.
struct FunctionState {
  static constexpr size_t kEntries = 128; // compiled kernels kept per function

  struct Entry {
    Signature signature;
    std::shared_ptr<const CompiledKernel> kernel;
    std::vector<Ref> held; // static arguments that count by identity
    std::shared_ptr<const KeyParts> parts;
  };

  Ref function;
  std::string name;
  std::vector<Parameter> parameters;
  std::string problem, problem_help; // why it cannot be launched: parameters that no launch can serve
  std::optional<Environment> environment;
  std::vector<Entry> entries; // most recently used first
  CacheInfo info;
  std::shared_ptr<const KeyParts> last_parts; // of the last look-up
  uint64_t number = 0;                        // unique in the process

  /// Names the function across processes.
  std::string title() const;
  int traverse(visitproc visit, void *arg) const;
};

/// The arguments of one call.
struct LaunchArguments {
  llvm::SmallVector<PyObject *, 24> objects; // in parameter order, borrowed from the caller
  llvm::SmallVector<Bound, 24> bound;
  StructWords words;
  ListedTensors tensors;
  Signature signature;
  std::vector<Ref> held;
  bool unseen = false; // a static argument may change without a trace
};

/// Puts arguments in parameter order and fills in defaults. Keywords that are no parameters go to `extra`, a dictionary (upstream's options
/// may be given in the call). Throws DiagnosticError (K11..).
void arrange(const FunctionState &f, PyObject *const *args, size_t count, PyObject *keywords, LaunchArguments &call, Ref &extra);

/// Binds the arranged arguments and finds the kernel for them. Throws DiagnosticError, or python_error for a warning that the user made an
/// error.
std::shared_ptr<const CompiledKernel> find(FunctionState &f, const KernelOptions &options, LaunchArguments &call);

/// Has a Python callable called with every kernel that is compiled or loaded from disk; None: nothing.
void set_compile_log(PyObject *callable);

/// The last look-up in words: found or compiled, and in what its key differs from the nearest other entry, in memory or on disk.
std::string explain(const FunctionState &f);

} // namespace asc
