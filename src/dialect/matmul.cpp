// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type and verifiers of the ops of a Matmul.
#include "apis/matmul.h"
#include "dialect/dialect.h"

namespace asc {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

LogicalResult MatmulType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emit, mlir::Type ab, mlir::Type c, mlir::Type bias,
                                 unsigned transposable, unsigned order) {
  if (!is_legal({dtype_of(ab), dtype_of(c), dtype_of(bias)}))
    return emit() << "no Matmul of " << ab << " gives " << c << " with a bias of " << bias;
  if (transposable > 3) return emit() << "transposable is " << transposable << ", expected 0 to 3";
  if (order > 2) return emit() << "order is " << order << ", expected 0 to 2";
  return success();
}

static LogicalResult verify_tiling(mlir::Operation *op, StructType type) {
  if (type && (type.size() != 50 || type.leaves() != 50))
    return op->emitOpError() << "has a tiling of " << type.leaves() << " numbers, expected 50";
  return success();
}
LogicalResult RegisterMatmulOp::verify() {
  return verify_tiling(*this, getTiling() ? llvm::cast<StructType>(getTiling().getType()) : StructType());
}
LogicalResult MatmulInitOp::verify() { return verify_tiling(*this, getTiling().getType()); }

static LogicalResult verify_element(mlir::Operation *op, GlobalTensorType tensor, mlir::Type expected) {
  if (tensor.getElement() != expected) return op->emitOpError() << "has a tensor of " << tensor.getElement() << ", expected " << expected;
  return success();
}
LogicalResult MatmulSetOp::verify() {
  MatmulType type = getMatmul().getType();
  if (getWhich() > 2) return emitOpError() << "operand is " << getWhich() << ", expected 0 to 2";
  if ((getWhich() == 2) == bool(getTranspose())) return emitOpError("takes a transposed A or B, and a bias as it is");
  return verify_element(*this, getTensor().getType(), getWhich() == 2 ? type.getBias() : type.getAb());
}
LogicalResult MatmulShapeOp::verify() {
  if (getShape() > 2) return emitOpError() << "shape is " << getShape() << ", expected 0 to 2";
  const size_t sizes = getSizes().size();
  if (getShape() == 0 ? sizes < 3 || sizes > 5 : sizes != 3) return emitOpError() << "has " << sizes << " sizes";
  return success();
}
static LogicalResult verify_store(mlir::Operation *op, MatmulType matmul, GlobalTensorType tensor) {
  return verify_element(op, tensor, matmul.getC());
}
LogicalResult MatmulGetOp::verify() { return verify_store(*this, getMatmul().getType(), getTensor().getType()); }
LogicalResult MatmulIterateAllOp::verify() { return verify_store(*this, getMatmul().getType(), getTensor().getType()); }

} // namespace asc
