// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What check_local_memory_ia asks for: bytes of the unified buffer that some kinds of access are to keep away from (07-sync section 9).
#pragma once

#include "apis/api.h"

namespace asc {

inline constexpr unsigned kWatchWindows = 4;

struct WatchWindow {
  unsigned number = 0;
  uint64_t begin = 0, end = 0;                           // bytes
  bool scalar[2] = {}, vector[2] = {}, transfer[2] = {}; // reads, writes

  constexpr bool watches(Pipe pipe, bool write) const {
    return pipe == Pipe::S ? scalar[write] : pipe == Pipe::V ? vector[write] : transfer[write];
  }
};
/// Nothing for other calls. A window that is not enabled watches nothing.
std::optional<WatchWindow> watch_window(const Call &call);

} // namespace asc
