// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of API rows: which documented form the arguments fit, their conversion into the slots of the form, and the rules on what is known.
#pragma once

#include "frontend/functions.h"

namespace asc {

/// The Python object asc.add: one row.
struct Api {
  const Row *row;
};

nb::object call_api(Compilation &c, const Row &row, const Arguments &arguments);

/// The Python signature of a form: "add(dst, src0, src1, count, is_set_mask=True)".
std::string signature_of(const Row &row, unsigned form);

} // namespace asc
