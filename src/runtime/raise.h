// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From C++ errors and warnings to Python's: classes are chosen by code in pyasc.errors, warnings go through the warnings module.
#pragma once

#include "diagnostics/diagnostic.h"

#include <nanobind/nanobind.h>

namespace asc {

/// What the simulator found in a launch that ran: another Python class than mistakes found before.
class LaunchFindings : public DiagnosticError {
  using DiagnosticError::DiagnosticError;
};

/// Sets the Python error that belongs to the C++ exception being handled. Call it in a catch (...) block, with the GIL held.
void set_python_error_from_current_exception() noexcept;
void set_python_error(const DiagnosticError &error) noexcept;
void set_python_error(const InternalError &error) noexcept;

/// Issues Python warnings that point at the lines of the diagnostics. Throws nanobind::python_error when the user made warnings errors.
void warn(const std::vector<Diagnostic> &warnings);

/// A diagnostic without a place in a source file, ready to throw.
DiagnosticError error(std::string_view code, std::string message, std::string help = {});

} // namespace asc
