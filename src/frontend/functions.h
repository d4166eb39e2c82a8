// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the kernel language that are no API rows: methods of tensors and numbers, constructors, asc.number and the like. Each is a
// table entry with its signature as text.
#pragma once

#include "frontend/compilation.h"

#include <span>

namespace asc {

/// An argument of a call, with the node to point at.
struct Argument {
  nb::object value;
  PyObject *node = nullptr;
  PyObject *keyword = nullptr; // its name; null: positional
};
using Arguments = std::vector<Argument>;

/// The arguments in the order of the signature; a null value where the call leaves one out.
using Bound = std::span<const Argument>;

/// `signature`: parameter names separated by ", "; a trailing "=..." makes one optional and is shown to users.
struct Function {
  std::string_view name, signature, doc;
  nb::object (*call)(Compilation &c, nb::handle self, Bound arguments);
};

/// Arguments matched with a signature. Throws L401 with the signature when they do not fit.
std::vector<Argument> bind_arguments(const Compilation &c, std::string_view name, std::string_view signature, const Arguments &arguments);

/// A method read from a run-time value, before it is called.
struct BoundMethod {
  nb::object self;
  const Function *function;
};

std::span<const Function> methods_of_plain_value();
std::span<const Function> methods_of_global_tensor();
std::span<const Function> methods_of_local_tensor();
std::span<const Function> constructors(); // LocalTensor, GlobalTensor: called through their classes
std::span<const Function> intrinsics();   // number, ceildiv, static_assert, range, static_range

/// An attribute of a run-time value: dtype, shape or a method. Throws L402 for others.
nb::object attribute_of(const Compilation &c, nb::handle value, std::string_view attribute);

/// tensor[subscript], where a slice is a Python slice object.
nb::object subscript_of(Compilation &c, nb::handle tensor, nb::handle subscript);

/// range(...) with run-time bounds, before it is iterated; `unrolled` for asc.static_range.
struct LoopRange {
  nb::object start, stop, step;
  bool unrolled = false;
};

} // namespace asc
