// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a `.kernel` file prints: what it holds, what a run took, and diagnostics without source lines, which another machine does not have.
#pragma once

#include "kernel_file/run.h"

namespace asc::kernel_file {

std::string to_text(const Diagnostic &diagnostic);

std::string info_text(const Loaded &loaded);
std::string info_json(const Loaded &loaded);

std::string profile_text(const Response &response);
std::string profile_json(const Response &response);

} // namespace asc::kernel_file
