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
  for (unsigned dimensions : {rank, original})
    if (dimensions < 1 || dimensions > assume::most_dimensions)
      return emit() << "a shape of " << dimensions << " dimensions, expected 1 to " << assume::most_dimensions;
  return success();
}

LogicalResult ShapeInfoOp::verify() {
  ShapeInfoType type = getInfo().getType();
  for (auto [array, dimensions] :
       {std::pair(getShape().getType(), type.getRank()), std::pair(getOriginal().getType(), type.getOriginal())}) {
    DType dtype = dtype_of(array.getElement());
    if ((dtype != DType::Int32 && dtype != DType::UInt32) || array.getLength() != dimensions)
      return emitOpError() << "has the shape " << array << ", expected " << dimensions << " integers of 32 bits";
  }
  if (getFormat() >= find_enum("DataFormat")->members.size()) return emitOpError() << "format is " << getFormat();
  return success();
}

} // namespace asc
