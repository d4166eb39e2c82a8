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
    {"M301", "uninitialised read",
     "An instruction reads on-chip bytes that nothing has written since the block began. On-chip memory is undefined at the start of every block and is not "
     "shared between blocks, so the result is chance. Usual causes: a data_copy or duplicate that covers fewer elements than the instruction reads, a mask "
     "that left lanes unwritten, a tensor at the wrong address. Global memory counts as written: it belongs to the caller."},

    // ---- P: platform and set-up

    // ---- S: synchronisation
    {"S301", "race between pipes",
     "Two pipes of a core touch the same bytes, at least one of them writes, and nothing makes the second wait for the first: pipes run at the same time. Set a "
     "flag on the first pipe after its access and wait for it on the second pipe before its access: asc.set_flag(asc.HardEvent.MTE2_V, id) and "
     "asc.wait_flag(asc.HardEvent.MTE2_V, id) let V wait for MTE2. Data that is read needs such a flag, and so does a buffer that is written again: in a loop "
     "the next data_copy into a buffer has to wait (V_MTE2) for the add that still reads it. Such a loop sets the flag once before it begins and waits for it "
     "once after its end. With auto_sync the device compiler orders the scalar unit with V, MTE2 and MTE3; all other pairs are the kernel's duty."},
    {"S302", "race within a pipe",
     "Two instructions of one pipe touch the same bytes and at least one of them writes. A pipe starts its instructions in order but may complete them in "
     "another: the second can overtake the first. Put asc.pipe_barrier(asc.PipeID.PIPE_MTE2) (or the pipe in question) between them. On V the device compiler does it "
     "when auto_sync is on; on MTE2 and MTE3 it never does."},
    {"S303", "race between blocks",
     "Two blocks of a launch touch the same bytes of global memory and at least one of them writes. Blocks run on different cores, in any order and at the same "
     "time, so the result is chance, even when both write the same values. Give each block its own part of the array, for example by asc.get_block_idx()."},
    {"S304", "blocks share a cache line",
     "The scalar unit writes global memory through a data cache whose lines of 64 bytes are stored as a whole. When another block writes other bytes of the same "
     "line, the stored line puts the old values back and that write is lost. Give each block whole lines, or collect values in a local tensor and write them "
     "with data_copy."},

    // ---- T: types and shapes
    {"T000", "internal", "This is a fault of pyasc, not of your kernel; please report it with the kernel that shows it."},
};

std::span<const Code> codes() { return kCodes; }

} // namespace asc
