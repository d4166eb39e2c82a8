// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs as bytes: one self-checking file, read without trust.
#pragma once

#include "isa/program.h"

#include <string_view>

namespace asc {

std::string encode(const Program &program);

/// Writes length and digest into the header of a file of at least header size; encode does it.
void seal(std::string &file);

/// Throws DiagnosticError: C101 not a program file or a damaged one, C102 made by another version, C103 meaningless content.
Program decode(std::string_view bytes);

/// Checks every index, register, opcode, type, row, form, jump target, string and site. Throws DiagnosticError (C102 for another table of
/// APIs, C103).
void validate(const Program &program);

} // namespace asc
