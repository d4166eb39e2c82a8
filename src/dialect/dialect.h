// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `asc` dialect: types, structural ops, and one op per API row.
#pragma once

#include "apis/api.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/AscDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/AscTypes.h.inc"
#define GET_OP_CLASSES
#include "dialect/AscOps.h.inc"

namespace asc {

/// Loads asc, arith, scf and func into a context. Make the context with mlir::MLIRContext::Threading::DISABLED: starting threads costs more
/// than a compile.
void load_dialects(mlir::MLIRContext &context);

/// Element type of a dtype: i1 for bool, iN for signed, uiN for unsigned, f16, bf16, f32, f64.
mlir::Type element_type(mlir::MLIRContext &context, DType dtype);
DType dtype_of(mlir::Type element);
/// Element dtype of a tensor, array or address; Void for other types.
DType element_dtype(mlir::Type type);
/// The unsigned integer of the same width; other dtypes as they are.
DType unsigned_of(DType dtype);
/// Type of a scalar of that dtype: signless iN, floats as they are.
mlir::Type scalar_type(mlir::MLIRContext &context, DType dtype);

/// Discardable attribute of synchronisation that the compiler inserted: the two accesses that need it, as text.
inline constexpr llvm::StringLiteral kWhy = "asc.why";

/// The Python name of a value; a view or offset goes by the name of what it is part of. "" if there is none.
std::string_view name_of(mlir::Value value);

/// A view of an op that was registered from a row: `asc.add`. Operands are the slots of the form in order: a tensor is one operand, a
/// struct one operand per field, a mask two. Flags, enums and dtypes are attributes of the argument's name; `form` is an attribute.
class ApiOp {
public:
  explicit ApiOp(mlir::Operation *op);
  static bool is(mlir::Operation *op);
  static mlir::Operation *create(mlir::OpBuilder &builder, mlir::Location loc, const Row &row, unsigned form, mlir::ValueRange operands,
                                 mlir::ArrayRef<mlir::NamedAttribute> attributes);
  const Row &row() const { return *row_; }
  unsigned form() const;
  /// SSA operands of an argument (empty when the argument is an attribute or not part of the form).
  mlir::ValueRange operands(unsigned arg) const;
  /// The attribute of a Flag, Constant, Enum or Type argument as an integer.
  int64_t attribute(unsigned arg) const;
  /// The types that `$T` and `$U` of a form stand for.
  DType call_type() const;
  DType second_type() const;
  DType result_type() const; // Void: it has none
  /// The type of a Number in the place of `arg`.
  DType type_at(unsigned arg) const;
  /// The call with the values that are constants (others unknown), for rules.
  Call call() const;
  mlir::Operation *operation() const { return op_; }

private:
  mlir::Operation *op_;
  const Row *row_;
};

/// The form of sync_all without workspaces: cross-core flags do it.
inline bool is_hardware_sync_all(ApiOp op) { return op.row().name == "sync_all" && op.form() == 0; }
/// Of sync_all: only vector cores take part.
inline bool is_for_vectors_only(ApiOp op) { return op.attribute(unsigned(op.row().args.size() - 1)) != 0; }

/// The first rule of the row that makes the call illegal, and how.
std::optional<std::pair<const Rule *, Violation>> first_violation(const Call &call);

} // namespace asc
