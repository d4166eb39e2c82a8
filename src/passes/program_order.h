// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the ops of a kernel stand: their numbers in program order, and which of them are loops.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace asc {

inline bool is_loop(mlir::Operation *op) { return llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op); }

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
