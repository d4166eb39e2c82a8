// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to bytes of the unified buffer that the kernel watches: check_local_memory_ia (M401).
#pragma once

#include "sim/observer.h"

namespace asc {

std::unique_ptr<sim::Observer> make_watch_checker();

} // namespace asc
