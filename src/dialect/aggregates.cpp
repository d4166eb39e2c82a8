// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and verifiers of the objects in the memory of the scalar unit.
#include "dialect/dialect.h"

#include "mlir/IR/DialectImplementation.h"

namespace asc {

using mlir::LogicalResult;
using mlir::success;
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

// ---------------------------------------------------------------- arrays

LogicalResult ArrayType::verify(EmitError emit, mlir::Type element, unsigned length) {
  if (dtype_of(element) == DType::Void) return emit() << "element type is " << element << ", expected a number";
  if (length < 1 || length * uint64_t(size_of(dtype_of(element))) > assume::scalar_memory)
    return emit() << "length is " << length << ", expected 1 to " << assume::scalar_memory / size_of(dtype_of(element));
  return success();
}

static LogicalResult verify_value(mlir::Operation *op, ArrayType array, mlir::Type value) {
  mlir::Type expected = scalar_type(*op->getContext(), dtype_of(array.getElement()));
  if (value != expected) return op->emitOpError() << "value is " << value << ", expected " << expected;
  return success();
}

LogicalResult ArrayOp::verify() {
  ArrayType type = getArray().getType();
  if (size_t given = getValues().size(); given > 1 && given != type.getLength())
    return emitOpError() << "has " << given << " values, expected 0, 1 or " << type.getLength();
  for (mlir::Value value : getValues())
    if (mlir::failed(verify_value(*this, type, value.getType()))) return mlir::failure();
  return success();
}
LogicalResult ElementOp::verify() { return verify_value(*this, getArray().getType(), getValue().getType()); }
LogicalResult SetElementOp::verify() { return verify_value(*this, getArray().getType(), getValue().getType()); }

// ---------------------------------------------------------------- ShapeInfo

LogicalResult ShapeInfoType::verify(EmitError emit, unsigned rank, unsigned original) {
  if (rank == 0 && original == 0) return success();
  for (unsigned dimensions : {rank, original})
    if (dimensions < 1 || dimensions > assume::most_dimensions)
      return emit() << "a shape of " << dimensions << " dimensions, expected 1 to " << assume::most_dimensions;
  return success();
}

LogicalResult ShapeInfoOp::verify() {
  ShapeInfoType type = getInfo().getType();
  if (getShapes().size() != (type.getRank() == 0 ? 0 : 2)) return emitOpError() << "has " << getShapes().size() << " arrays for a " << type;
  for (auto [shape, dimensions] : llvm::zip(getShapes(), std::array{type.getRank(), type.getOriginal()})) {
    auto array = llvm::cast<ArrayType>(shape.getType());
    DType dtype = dtype_of(array.getElement());
    if ((dtype != DType::Int32 && dtype != DType::UInt32) || array.getLength() != dimensions)
      return emitOpError() << "has the shape " << array << ", expected " << dimensions << " integers of 32 bits";
  }
  if (getFormat() >= find_enum("DataFormat")->members.size()) return emitOpError() << "format is " << getFormat();
  return success();
}
LogicalResult DimensionOp::verify() {
  if (getInfo().getType().getRank() == 0) return emitOpError("asks a ShapeInfo without dimensions");
  return success();
}

// ---------------------------------------------------------------- structures

unsigned StructType::leaves_before(unsigned index) const {
  unsigned sum = 0;
  for (unsigned i = 0; i < index; ++i) {
    auto inner = llvm::dyn_cast<StructType>(field(i));
    sum += inner ? inner.leaves() : 1;
  }
  return sum;
}
void StructType::add_leaves(llvm::SmallVectorImpl<DType> &dtypes) const {
  for (unsigned i = 0; i < size(); ++i)
    if (auto inner = llvm::dyn_cast<StructType>(field(i)))
      inner.add_leaves(dtypes);
    else
      dtypes.push_back(dtype_of(field(i)));
}

LogicalResult StructType::verify(EmitError emit, mlir::StringAttr name, mlir::ArrayAttr names, mlir::ArrayAttr types, unsigned pack,
                                 mlir::StringAttr header) {
  if (name.empty()) return emit() << "a structure has a name";
  if (names.empty() || names.size() != types.size())
    return emit() << "a structure has " << names.size() << " names and " << types.size() << " types, expected as many, and at least one";
  for (auto [field, type] : llvm::zip_equal(names, types)) {
    auto text = llvm::dyn_cast<mlir::StringAttr>(field);
    auto kind = llvm::dyn_cast<mlir::TypeAttr>(type);
    if (!text || text.empty() || !kind || (dtype_of(kind.getValue()) == DType::Void && !llvm::isa<StructType>(kind.getValue())))
      return emit() << "a field is " << field << ": " << type << ", expected the type of a number or a structure";
  }
  if (pack > 16 || !llvm::isPowerOf2_32(pack)) return emit() << "pack is " << pack << ", expected 1, 2, 4, 8 or 16";
  if (header && header.empty()) return emit() << "the name of the header is empty";
  return success();
}

LogicalResult StructOp::verify() {
  llvm::SmallVector<DType> leaves;
  getStructure().getType().add_leaves(leaves);
  if (getValues().size() != leaves.size()) return emitOpError() << "has " << getValues().size() << " values, expected " << leaves.size();
  for (auto [value, dtype] : llvm::zip_equal(getValues(), leaves))
    if (mlir::Type expected = scalar_type(*getContext(), dtype); value.getType() != expected)
      return emitOpError() << "value is " << value.getType() << ", expected " << expected;
  return success();
}

/// Field `index` exists and is of type `value`: of a number, the type of its values.
static LogicalResult verify_field(mlir::Operation *op, StructType structure, unsigned index, mlir::Type value) {
  if (index >= structure.size()) return op->emitOpError() << "index is " << index << ", expected 0 to " << structure.size() - 1;
  mlir::Type field = structure.field(index);
  mlir::Type expected = llvm::isa<StructType>(field) ? field : scalar_type(*op->getContext(), dtype_of(field));
  if (value != expected) return op->emitOpError() << "field is " << value << ", expected " << expected;
  return success();
}
LogicalResult MemberOp::verify() { return verify_field(*this, getStructure().getType(), getIndex(), getMember().getType()); }
LogicalResult GetFieldOp::verify() { return verify_field(*this, getStructure().getType(), getIndex(), getValue().getType()); }
LogicalResult SetFieldOp::verify() { return verify_field(*this, getStructure().getType(), getIndex(), getValue().getType()); }

} // namespace asc
