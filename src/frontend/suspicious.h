// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings about code that is legal and surely not meant. One function each; none of them may be wrong about a kernel that is right.
#pragma once

#include "frontend/compilation.h"

namespace asc {

/// An expression statement without a call computes something for nobody; so do the pure functions.
void warn_about_unused_value(Compilation &c, PyObject *expression);
void warn_about_unused_result(Compilation &c, nb::handle callee, PyObject *call);
/// Statements behind a return, break or continue.
void warn_about_unreached(Compilation &c, PyObject *leaves, PyObject *unreached);
/// assert (condition, "message") asks whether the tuple is empty.
void warn_about_asserted_tuple(Compilation &c, PyObject *test);
/// for i in range(8, 0); the iterable is a range
void warn_about_empty_range(Compilation &c, PyObject *iterable);
/// while True without a way out.
void warn_about_endless_loop(Compilation &c, PyObject *loop);
/// `is` compares objects, not the numbers that they will be when the kernel runs.
void warn_about_identity(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs);
/// An unsigned number is never below 0. For kernels only: a device function may serve signed numbers as well.
void warn_about_unsigned(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs);

} // namespace asc
