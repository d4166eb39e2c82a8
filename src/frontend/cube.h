// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the cube core, whose calls are refused.
#pragma once

#include "frontend/functions.h"

namespace asc {

std::span<const Function> cube_functions(); // they are among the intrinsics, too

} // namespace asc
