// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and places for the texts of findings: what the user calls an instruction, a tensor and its bytes.
#pragma once

#include "isa/program.h"
#include "sim/observer.h"

namespace asc {

/// The API or instruction at `pc`: "data_copy", "get_value".
std::string call_name(const Program &program, uint32_t pc);

/// What the user calls argument `arg` of the instruction at `pc` (0 of get_value, set_value and view: the tensor): its Python name, else
/// that of what it is a part of, else the name in the row, or "the tensor".
std::string operand_name(const Program &program, uint32_t pc, unsigned arg);

/// The instruction that made tensor argument `arg` (Local, Global, AllocTensor, ...); kNoRegister when it depends on the path of the
/// program.
uint32_t tensor_origin(const Program &program, uint32_t pc, unsigned arg);

/// "UB bytes 0..16383"; when they are the first range of `total` bytes it says so.
std::string byte_range(Memory memory, uint64_t begin, uint64_t end, uint64_t total);

/// The site of an access to operand `arg`: "writes x_local, UB bytes 0..16383"; `where` comes before the bytes.
sim::FindingSite access_site(const Program &program, uint32_t pc, Pipe pipe, uint32_t core, unsigned arg, bool write, Memory memory,
                             uint64_t begin, uint64_t end, uint64_t total, std::string_view where = {});

/// What the reports call a core of a launch: "block 3", and where both kinds of core are at work "AIV block 3".
std::string core_name(KernelType type, uint32_t number);

/// "1 byte", "2 bytes".
std::string plural(int64_t n, std::string_view what);

} // namespace asc
