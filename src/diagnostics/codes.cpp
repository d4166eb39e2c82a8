// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error index. Every code that is not a rule of an API row stands here once, sorted by code.
#include "diagnostics/diagnostic.h"

namespace asc {

static constexpr Code kCodes[] = {
    // ---- C: compile cache and program files

    // ---- K: launch and host side

    // ---- L: the kernel language

    // ---- M: memory (bounds, uninitialised reads, overflow, limits)

    // ---- P: platform and set-up

    // ---- S: synchronisation

    // ---- T: types and shapes
    {"T000", "internal", "This is a fault of pyasc, not of your kernel; please report it with the kernel that shows it."},
};

std::span<const Code> codes() { return kCodes; }

} // namespace asc
