// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the option `check` says in words, for launches and for `.kernel` files.
#pragma once

#include "diagnostics/checks.h"

#include <string>
#include <vector>

namespace asc {

struct ChosenChecks {
  Checks checks = Checks::none();
  bool adversarial = false;
  bool outputs = false; // that outputs are written as a whole; only `.kernel` files look for it
};

/// Words are names of checks, -NAME for all but that one, `all`, `adversarial`, and `none` by itself; with `outputs` also that one.
/// Throws DiagnosticError with the code; `what` names the option.
ChosenChecks choose_checks(const std::vector<std::string> &words, bool outputs, const std::string &what, const char *code);

} // namespace asc
