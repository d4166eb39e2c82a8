// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what the simulator's memory, where all see every store at once, hides: the data cache of the scalar unit knows nothing of stores
// by other cores and pipes, nor they of its own (01-memory section 4.3).
#pragma once

#include "diagnostics/checks.h"
#include "sim/observer.h"

namespace asc {

/// A read of bytes that were stored after their line came into the cache (S401), of bytes that only a cache has (S402), and lines that are
/// written back over what others have stored in them: by the core itself (S403), or by other cores where one may wait for another (S304;
/// else GlobalRanges finds these).
std::unique_ptr<sim::Observer> make_data_cache_checker(Checks checks);

} // namespace asc
