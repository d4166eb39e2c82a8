// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds accesses of the same bytes, at least one of them a write, that nothing orders: between pipes (S301), within a pipe (S302), and
// between blocks on global memory (S303); and what goes wrong in the data cache of the scalar unit (data_caches.h).
#pragma once

#include "diagnostics/checks.h"
#include "sim/observer.h"

namespace asc {

/// Happens-before over the pipes of each block; the result does not depend on the order in which the simulator happens to run them. Blocks
/// are not ordered with each other in any way.
std::unique_ptr<sim::Observer> make_race_checker(Checks checks = Checks::all());

} // namespace asc
