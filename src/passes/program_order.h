// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of a kernel, numbered in program order.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace asc {

/// An op with regions spans the numbers of what is in them.
class ProgramOrder {
public:
  explicit ProgramOrder(mlir::Operation *root) { number(root); }
  unsigned first(mlir::Operation *op) const { return spans_.find(op)->second.first; }
  unsigned last(mlir::Operation *op) const { return spans_.find(op)->second.second; }

private:
  void number(mlir::Operation *op) {
    const unsigned first = next_++;
    for (mlir::Region &region : op->getRegions())
      for (mlir::Operation &inner : region.getOps()) number(&inner);
    spans_[op] = {first, next_ - 1};
  }
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> spans_;
  unsigned next_ = 0;
};

} // namespace asc
