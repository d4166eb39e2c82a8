// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds reads of on-chip bytes that nothing has written in this block (M301). Global memory belongs to the caller and counts as written.
#pragma once

#include "sim/observer.h"

namespace asc {

std::unique_ptr<sim::Observer> make_uninitialised_checker();

} // namespace asc
