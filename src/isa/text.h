// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs as text: a listing for people that is complete, so that it can be read back.
#pragma once

#include "isa/program.h"

#include <functional>
#include <string>
#include <string_view>

namespace asc {

/// The text of a Python line; "" when it is not known.
using SourceLine = std::function<std::string(std::string_view file, uint32_t line)>;

/// One line per parameter, constant, place and instruction. With `source`, comments show the Python lines before their instructions.
std::string print(const Program &program, const SourceLine &source = {});

/// Reads what print wrote; strings are numbered anew. Throws DiagnosticError: C104 for a line that cannot be read, else as validate.
Program parse(std::string_view text);

} // namespace asc
