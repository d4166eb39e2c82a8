// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch: arrays become windows, the simulator runs without the GIL, findings become errors.
#pragma once

#include "runtime/lookup.h"

namespace asc {

/// Runs a kernel on `cores` blocks. What it prints goes to sys.stdout when it has run. Throws DiagnosticError before it runs,
/// LaunchFindings after, and python_error for Ctrl-C. With DRY_RUN set in the environment it does nothing.
void launch(const FunctionState &f, const KernelOptions &options, uint32_t cores, const CompiledKernel &kernel,
            const LaunchArguments &call);

/// None, or (bits of the checks, adversarial).
std::optional<CheckMode> check_mode(PyObject *mode);
/// What launches do whose kernel does not say; nothing: pyasc.checks is asked, once.
void set_default_check(std::optional<CheckMode> mode);
/// Overrules all kernels: these checks are made, and adversarial mode is on where a kernel or this asks for it. A seed overrules, too.
void set_forced_check(std::optional<CheckMode> mode, std::optional<uint64_t> seed);

/// Python's print: whoever replaces sys.stdout gets the text.
void write_to_stdout(const std::string &text);

/// The result of this thread's last launch of a function; null before one, and when many other functions were launched since.
const sim::LaunchResult *last_launch(const FunctionState &f);

} // namespace asc
