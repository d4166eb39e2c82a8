// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers one op per API row. Syntax, verifier and effects are shared and read the row.
#pragma once

#include "dialect/dialect.h"

namespace asc {

void register_api_ops(AscDialect &dialect);

} // namespace asc
