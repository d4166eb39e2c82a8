// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ expressions as text that knows its type and how tightly it binds, so that parentheses and casts stand only where they must.
#pragma once

#include "apis/types.h"

#include "mlir/IR/Attributes.h"

#include <string>

namespace asc {

/// Binding strength of C++ operators, weakest first.
enum class Level : uint8_t {
  Conditional,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Negative,
  Unary,
  Primary
};

struct Expression {
  std::string text;
  Level level = Level::Primary;
  DType type = DType::Void; // of a scalar: its C++ type
};

/// `e`, in parentheses if it binds less than `level`.
std::string at_least(Level level, const Expression &e);

/// How a literal is written: Plain leaves integers to C++'s conversions, Typed has exactly its type.
enum class Literal : uint8_t { Plain, Typed };
Expression literal(mlir::Attribute value, DType type, Literal style);

/// `e` as a value of `type`; conversions between equal widths reinterpret the bits, floats round, nothing happens if it is of that type.
Expression convert(const Expression &e, DType type);

/// `lhs op rhs` for operands of one type; `result` is its type. Narrow integers are cut to their width, 16-bit floats are computed in
/// float.
Expression binary(Level level, std::string_view op, const Expression &lhs, const Expression &rhs, DType result);
Expression unary(std::string_view op, const Expression &e);
Expression call(std::string function, std::initializer_list<std::string> arguments, DType type = DType::Void);

} // namespace asc
