// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers: which type an operation has, how values are converted, and the ops that compute it. Static operands follow Python exactly; as
// soon as one operand is a run-time value the rules are those of the language reference: literals are weak, ints and floats promote.
#pragma once

#include "frontend/compilation.h"

namespace asc {

/// A number known while compiling: bool, int, float, IntEnum member, NumPy scalar.
struct Number {
  enum class Kind : uint8_t { Bool, Int, Float } kind;
  __int128 integer = 0; // Bool, Int; `fits` tells whether it is within int64 and uint64 together
  bool fits = true;
  double real = 0;
};
std::optional<Number> number_of(nb::handle object);

/// What a literal becomes when nothing else decides: bool, int32 or int64 (uint64 where only that fits), float32.
DType default_dtype(const Compilation &c, const Number &number);
bool fits(const Number &number, DType dtype);

/// The type of an operation on two run-time values; throws T102 for 64-bit ints of different signedness.
DType promote(const Compilation &c, DType a, DType b);
/// The type of an operation on a run-time value and a literal.
DType promote(const Compilation &c, DType a, const Number &literal);
/// The common type of two numbers, run-time or static; nothing when one is no number.
std::optional<DType> common_dtype(const Compilation &c, nb::handle a, nb::handle b);

/// A number rounded once to a type, as the bits of a register.
uint64_t scalar_bits(const Number &number, DType dtype);

/// `value` (a run-time scalar or a static number) as an IR value of that dtype: a static number that it cannot hold is an error, a run-time
/// integer a finding of the launch. `what` names it in messages.
mlir::Value convert(Compilation &c, nb::handle value, DType dtype, std::string_view what);
/// The same for an argument of an API, where words of bits may be signed.
mlir::Value convert_argument(Compilation &c, nb::handle value, DType dtype, std::string_view what);
mlir::Value constant(Compilation &c, const Number &number, DType dtype);
mlir::Value int_constant(Compilation &c, int64_t value, DType dtype);
/// The conversion that x.cast(dtype) asks for: integers keep their low bits.
mlir::Value cast(Compilation &c, mlir::Value value, DType from, DType to);

/// An index or count as a signed integer of 32 or 64 bits, as tensors and loops want it. Throws T103 for floats and other things.
struct Index {
  mlir::Value ir;
  DType dtype = DType::Int32;
  std::optional<int64_t> known;
};
Index index(Compilation &c, nb::handle value, std::string_view what);

/// The value, if it is not a sequence of too many elements.
nb::object bounded(const Compilation &c, nb::object value);
/// Throws L203 when a format ('{:9}', '%9d') asks for a text that is too long; `values` may hold its widths.
void check_widths(const Compilation &c, std::string_view format, nb::handle values);
nb::object binary(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs);
nb::object unary(Compilation &c, Syntax op, nb::handle operand);
/// One comparison; `is` and `in` included.
nb::object compare(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs);
/// Python's max (or min) of two numbers.
nb::object extremum(Compilation &c, bool max, nb::handle lhs, nb::handle rhs);
nb::object absolute(Compilation &c, nb::handle operand);
/// Division rounded up.
nb::object ceildiv(Compilation &c, nb::handle lhs, nb::handle rhs);

/// Truth of a static value, or an i1. Throws T104 for tensors.
struct Truth {
  std::optional<bool> known;
  mlir::Value ir;
};
Truth truth(Compilation &c, nb::handle value);

} // namespace asc
