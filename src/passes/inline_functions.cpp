// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/inline_functions.h"

#include "dialect/dialect.h"
#include "dialect/location.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace asc {

using mlir::func::CallOp;
using mlir::func::FuncOp;

static void inline_call(CallOp call, FuncOp callee) {
  mlir::OpBuilder ops(call);
  mlir::IRMapping mapping;
  mlir::Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  const InlinedCall here{callee.getSymName().str(), call.getLoc()};
  for (mlir::Operation &op : body.without_terminator()) {
    mlir::Operation *copy = ops.clone(op, mapping);
    copy->walk([&](mlir::Operation *inner) {
      inner->setLoc(inlined_location(inner->getLoc(), here));
      for (mlir::Region &region : inner->getRegions())
        for (mlir::BlockArgument argument : region.getArguments()) argument.setLoc(inlined_location(argument.getLoc(), here));
    });
  }
  for (auto [result, value] : llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands())) {
    mlir::Value made = mapping.lookupOrDefault(value);
    // What has no name in the function has that which its caller gives it.
    const std::string_view variable = variable_of(call.getLoc());
    if (mlir::Operation *op = value.getDefiningOp() ? made.getDefiningOp() : nullptr;
        op && op->getNumResults() == 1 && !variable.empty() && variable_of(op->getLoc()).empty())
      op->setLoc(with_variable(op->getLoc(), variable));
    result.replaceAllUsesWith(made);
  }
  call.erase();
}

void inline_functions(mlir::ModuleOp module) {
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    llvm::SmallVector<CallOp> calls;
    do {
      calls.clear();
      kernel.walk([&](CallOp call) { calls.push_back(call); });
      for (CallOp call : calls) inline_call(call, module.lookupSymbol<FuncOp>(call.getCallee()));
    } while (!calls.empty());
  }
  for (FuncOp function : llvm::make_early_inc_range(module.getOps<FuncOp>())) function.erase();
}

} // namespace asc
