// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the simulator found, told in Python lines: instructions become places in the source, with the calls that led there.
#pragma once

#include "diagnostics/diagnostic.h"
#include "sim/observer.h"

namespace asc {

std::vector<Diagnostic> to_diagnostics(const Program &program, const std::vector<sim::Finding> &findings);

} // namespace asc
