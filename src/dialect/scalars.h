// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operations of the IR compute on the scalar unit, for those that lower them and those that fold them.
#pragma once

#include "apis/scalar.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace asc {

/// A scalar instruction: an operation on operands of a type. IR integers have no signedness, so the operation says which.
struct ScalarCall {
  ScalarOp op;
  DType type;
};
/// The instruction that an operation of arith or asc is; nothing for others.
std::optional<ScalarCall> scalar_call(mlir::Operation *op);

/// A constant as a register holds it; integers are extended by their sign.
uint64_t register_of(mlir::Attribute constant);
/// The constant of an IR type in the low bits of a register.
mlir::TypedAttr constant_from(uint64_t bits, mlir::Type type);

/// What an operation on constants gives; null when that is not known, or is a mistake that the run is to find.
mlir::TypedAttr folded(mlir::Operation *op);

} // namespace asc
