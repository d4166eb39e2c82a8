// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structure classes: subclasses of asc's Struct, and dataclasses whose fields are numbers and structures. Their instances go to kernels by
// value; in a kernel they are objects in the memory of the scalar unit.
#pragma once

#include "frontend/compilation.h"

#include <memory>
#include <vector>

namespace asc {

struct StructLayout {
  struct Field {
    nb::object name; // interned
    std::string text, ascendc;
    DType dtype = DType::Void; // Void: a structure
    nb::object type = {};      // its class
    bool keyword_only = false, in_constructor = true;
    nb::object otherwise = {}; // the default; null: none
    bool is_factory = false;   // the default is what calling it gives
    bool compared = true;      // by ==
  };

  /// A name that an annotation in text uses, where it is looked up, and what it stood for (null: nothing).
  struct Meaning {
    nb::object names; // a dictionary
    nb::object name, value;
  };

  PyTypeObject *cls; // owns the layout
  uint64_t number;   // unique in the process
  std::string name;
  std::string problem;        // why it cannot be used; empty: it can
  std::string no_constructor; // why kernels cannot make one; empty: they can
  std::string no_equality;    // why kernels cannot compare two; empty: they can
  std::vector<Field> fields;
  unsigned pack = 8;
  std::string header; // of Ascend C that defines it; empty: the text does
  bool frozen = false;
  std::vector<Meaning> meanings;                     // those of inner structures included
  std::vector<std::unique_ptr<StructLayout>> former; // they may be in use

  /// The annotations still mean what they did.
  bool current() const;
  const StructLayout &inner(const Field &field) const;
  size_t leaves() const; // numbers in it, those of inner structures included
};

/// The layout of a structure class, made at the first call and when its annotations come to mean something else; null for other types.
/// Throws python_error.
const StructLayout *find_layout(PyTypeObject *type);
/// The same for the class of an object; null also for a class that has a problem.
const StructLayout *layout_of(nb::handle object);

StructType struct_type(mlir::MLIRContext &context, const StructLayout &layout);

/// A structure around its IR value.
nb::object make_structure(const Compilation &c, mlir::Value value, nb::handle cls);
/// Cls(arguments) in a kernel.
nb::object construct_structure(Compilation &c, const StructLayout &layout, const std::vector<struct Argument> &arguments);
nb::object field_of(Compilation &c, const Structure &structure, std::string_view name);
void set_field(Compilation &c, const Structure &structure, std::string_view name, nb::handle value);
/// a == b, of which one is a structure of the kernel: field by field. Throws T106 for a class that compares in a way of its own.
nb::object equal(Compilation &c, nb::handle a, nb::handle b);
/// What the class of an operand says about an operator: the result of its __add__, __radd__, __eq__ ..., made with @asc.jit. Nothing if it
/// says nothing.
std::optional<nb::object> call_operator(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs);
std::optional<nb::object> call_operator(Compilation &c, Syntax op, nb::handle operand);
/// Whether the class of a structure has a method of its own for +=, -= ...
bool has_in_place(const Structure &structure, Syntax op);
/// The method of that name of an object's class, if it is made with @asc.jit, bound to the object; else null.
nb::object compiled_method(nb::handle object, const char *name);
/// A structure with the same values.
mlir::Value copy_of(Compilation &c, mlir::Value structure);
/// What a function returns, out of a function that is translated in its place: structures are copied.
nb::object by_value(Compilation &c, nb::object result);
/// Names and values of the fields.
std::vector<std::pair<std::string_view, nb::object>> fields_of(Compilation &c, const Structure &structure);

} // namespace asc
