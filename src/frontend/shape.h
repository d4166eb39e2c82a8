// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of a value: which parts of it are run-time values of which type, and which are known. Values are taken apart into IR values and
// put together again along their shape wherever control flow or functions carry them.
#pragma once

#include "frontend/arithmetic.h"

namespace asc {

struct Shape {
  /// Object: a very object of the framework, which branches and loops cannot exchange for another. Parameter: any of its type (a structure
  /// may be a result too).
  enum class Kind : uint8_t { Static, Plain, Address, Global, Local, Tuple, List, Struct, Object, Parameter } kind = Kind::Static;
  DType dtype = DType::Void;
  Position position = Position::MAX;
  nb::object object = {}; // Static, Object: the value; Struct, Parameter: its class
  std::vector<Shape> parts = {};
  mlir::Type type = {}; // Parameter: of its IR value

  bool operator==(const Shape &other) const;
  /// Whether there is anything to carry.
  bool is_static() const;
};

Shape shape_of(Compilation &c, nb::handle value);

/// As the parameter of a device function: objects of the framework are passed by reference.
Shape as_parameter(Shape shape);

/// As the result of a device function: structures are returned by value.
Shape as_result(Shape shape);

/// An object of the framework somewhere inside; null when there is none.
nb::handle object_in(const Shape &shape);

/// A number known while compiling becomes a run-time number of its default type: a variable that a run-time loop changes.
Shape generalised(Compilation &c, Shape shape);

/// Why two values cannot be one, and what to do.
struct Mismatch {
  std::string why;
  std::string help = "use two variables, or convert the value on one path";
};

/// The shape that values of both shapes can take; nothing when there is none, and then `mismatch` says why.
std::optional<Shape> join(Compilation &c, const Shape &a, const Shape &b, Mismatch &mismatch);

/// IR types of the run-time parts, in order.
void types_of(Compilation &c, const Shape &shape, llvm::SmallVectorImpl<mlir::Type> &types);
/// The run-time parts of `value`, converted to those types at the insertion point.
void take_apart(Compilation &c, const Shape &shape, nb::handle value, llvm::SmallVectorImpl<mlir::Value> &parts);
/// A value of that shape around IR values, which are consumed from the front of `parts`.
nb::object put_together(Compilation &c, const Shape &shape, mlir::ValueRange &parts);

/// The names of the fields of a parameter structure; nothing for other objects.
const StructRow *struct_of(nb::handle object);

/// What tells one specialisation of a device function from another; `keep` gets the objects that are identified by address.
nb::object key_of(const Shape &shape, nb::list &keep);

} // namespace asc
