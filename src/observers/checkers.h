// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that observe a launch. All others are made by the simulator itself.
#pragma once

#include "diagnostics/checks.h"
#include "sim/observer.h"

#include <vector>

namespace asc {

/// The checks that may find something in launches of the program: nearly always all but some that few programs need.
Checks useful_checks(const Program &program);

/// New observers for one launch, none for checks that are off.
std::vector<std::unique_ptr<sim::Observer>> make_checkers(Checks checks = Checks::all());

} // namespace asc
