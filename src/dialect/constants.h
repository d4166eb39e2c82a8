// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of the IR that are known while compiling.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"

#include <optional>

namespace asc {

/// The constant that a value is; null for values known at run time only.
inline mlir::Attribute constant_attribute(mlir::Value value) {
  mlir::Attribute attribute;
  mlir::matchPattern(value, mlir::m_Constant(&attribute));
  return attribute;
}

/// An integer by its value: bools are 0 and 1, others are signed.
inline int64_t integer_of(mlir::IntegerAttr attribute) {
  const llvm::APInt &bits = attribute.getValue();
  return attribute.getType().isInteger(1) ? int64_t(bits.getZExtValue()) : bits.getSExtValue();
}

/// The same as an integer; nothing for floats.
inline std::optional<int64_t> constant_of(mlir::Value value) {
  auto attribute = llvm::dyn_cast_or_null<mlir::IntegerAttr>(constant_attribute(value));
  return attribute ? std::optional(integer_of(attribute)) : std::nullopt;
}

} // namespace asc
