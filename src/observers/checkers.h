// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checkers that `check=True` means. Bounds, rules, flags and deadlocks are found by the simulator itself.
#pragma once

#include "sim/observer.h"

#include <vector>

namespace asc {

/// New checkers for one launch.
std::vector<std::unique_ptr<sim::Observer>> make_checkers(const Program &program);

} // namespace asc
