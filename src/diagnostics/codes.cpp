// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error index. Every code that is not a rule of an API row stands here once, sorted by code.
#include "diagnostics/diagnostic.h"

namespace asc {

static constexpr Code kCodes[] = {
    // ---- C: compile cache and program files
    {"C101", "program file damaged", "The file is not a program, was cut short or was changed: its length or digest does not match its content. Nothing of it is used."},
    {"C102", "program of another version", "A program names APIs by their number in the table of the version that made it. Another version cannot run it."},
    {"C103", "meaningless program", "The content of the program contradicts itself: a register, jump, API or place that does not exist, or an unknown chip."},
    {"C104", "listing not readable", "A line of an instruction listing does not have the form that the disassembler writes."},

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
