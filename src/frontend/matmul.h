// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop that mm.iterate() is, and what registers a Matmul.
#pragma once

#include "frontend/functions.h"

namespace asc {

/// mm.iterate(...), before a with statement goes through it.
struct MatmulLoop {
  nb::object matmul, partial_sum; // null: not given
  PyObject *node;
};
/// Computes the next block: whether there was one.
mlir::Value iterate_once(Compilation &c, const MatmulLoop &loop);

nb::object register_matmul(Compilation &c, nb::handle, Bound arguments);
std::span<const Class> matmul_classes();

} // namespace asc
