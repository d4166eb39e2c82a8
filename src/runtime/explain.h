// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why two keys differ, in words.
#pragma once

#include "runtime/fingerprint.h"

namespace asc {

/// What differs, a line each, in the order of `now`: "global SIZE of module m was 4, is 8".
std::vector<std::string> differences(const std::vector<Part> &before, const std::vector<Part> &now);

} // namespace asc
