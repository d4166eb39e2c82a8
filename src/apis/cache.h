// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data cache of the scalar unit: what kernels say about it.
#pragma once

#include "apis/api.h"

namespace asc {

inline constexpr unsigned kCacheLine = 64; // bytes

/// What a call does with the lines that the cache has of global memory.
struct CacheAction {
  enum Kind : uint8_t { None, Clean, CleanAll, Load } kind = None; // Clean: written back if it has been written to, and given up
  Address at;                                                      // Clean, Load: in the line
};
CacheAction cache_action(const Call &call);

/// Number of the line that an address of global memory is in; the next line has the next number.
constexpr uint64_t cache_line(Address address) { return address.word / kCacheLine; }

} // namespace asc
