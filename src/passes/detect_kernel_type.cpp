// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See detect_kernel_type.h.
#include "passes/detect_kernel_type.h"

#include "dialect/api_ops.h"
#include "dialect/constants.h"
#include "dialect/dialect.h"
#include "dialect/location.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

namespace asc {
namespace {

using mlir::Operation;

/// What a condition says about the kind of core: asc.ascend_is_aic() and asc.ascend_is_aiv(), also negated.
std::optional<CoreKind> core_that(mlir::Value condition) {
  const auto other = [](CoreKind kind) { return kind == CoreKind::AIC ? CoreKind::AIV : CoreKind::AIC; };
  Operation *made = condition.getDefiningOp();
  if (!made) return std::nullopt;
  if (ApiOp::is(made)) {
    const std::string_view name = ApiOp(made).row().name;
    if (name == "ascend_is_aic") return CoreKind::AIC;
    if (name == "ascend_is_aiv") return CoreKind::AIV;
  }
  if (auto negated = llvm::dyn_cast<mlir::arith::XOrIOp>(made); negated && constant_of(negated.getRhs()))
    if (const auto kind = core_that(negated.getLhs())) return other(*kind);
  return std::nullopt;
}

class Uses {
public:
  bool vector = false, cube = false;
  // The first of its kind; `several`: what needs several cores in an AI Core.
  Operation *cross_core = nullptr, *several = nullptr, *matmul = nullptr;

  /// `kind`: of the cores that come here; nothing: both.
  void block(mlir::Block &block, std::optional<CoreKind> kind) {
    for (Operation &op : block) operation(&op, kind);
  }

private:
  void operation(Operation *op, std::optional<CoreKind> kind) {
    if (auto branch = llvm::dyn_cast<mlir::scf::IfOp>(op))
      if (const auto then_kind = core_that(branch.getCondition())) {
        block(*branch.thenBlock(), then_kind);
        if (branch.elseBlock()) block(*branch.elseBlock(), *then_kind == CoreKind::AIC ? CoreKind::AIV : CoreKind::AIC);
        return;
      }
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
      auto callee = op->getParentOfType<mlir::ModuleOp>().lookupSymbol<mlir::func::FuncOp>(call.getCallee());
      if (seen_.insert({callee.getOperation(), kind}).second) block(callee.getBody().front(), kind);
      return;
    }
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &inner : region) block(inner, kind);
    if (op->getNumRegions() != 0 || mlir::isMemoryEffectFree(op)) return;
    (kind == CoreKind::AIC ? cube : vector) = true;
    note_cross_core(op);
  }

  void note_cross_core(Operation *op) {
    const auto note = [&](Operation *&first) {
      if (!first) first = op;
    };
    const auto mode = [&](auto flag) {
      note(cross_core);
      if (flag.getMode() != 0) note(several);
    };
    if (llvm::isa<RegisterMatmulOp>(op)) note(matmul);
    if (auto set = llvm::dyn_cast<CrossCoreSetFlagOp>(op)) mode(set);
    if (auto wait = llvm::dyn_cast<CrossCoreWaitFlagOp>(op)) mode(wait);
    if (ApiOp::is(op) && is_hardware_sync_all(ApiOp(op))) {
      note(cross_core);
      if (!is_for_vectors_only(ApiOp(op))) note(several);
    }
  }

  std::set<std::pair<Operation *, std::optional<CoreKind>>> seen_;
};

[[noreturn]] void fail(const char *code, std::string message, std::string help, Operation *at) {
  Diagnostic d;
  d.code = code, d.message = std::move(message), d.help = std::move(help), d.span = span_of(at->getLoc());
  throw DiagnosticError(std::move(d));
}

KernelType smallest(const Uses &uses) {
  if (uses.several || uses.matmul || (uses.vector && uses.cube)) return KernelType::MIX_AIC_1_2;
  if (uses.cube) return uses.cross_core ? KernelType::MIX_AIC_1_0 : KernelType::AIC_ONLY;
  return uses.cross_core ? KernelType::MIX_AIV_1_0 : KernelType::AIV_ONLY;
}

} // namespace

void detect_kernel_type(mlir::ModuleOp module, std::optional<KernelType> given) {
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    Uses uses;
    uses.block(kernel.getBody().front(), std::nullopt);
    const KernelType type = given.value_or(smallest(uses));
    const std::string name(info(type).name), better = "kernel_type=KernelType." + std::string(info(smallest(uses)).name);
    if (uses.cross_core && !info(type).cross_core)
      fail("T341", "kernels of the type " + name + " have no flags between cores", "use " + better + ", or leave kernel_type out",
           uses.cross_core);
    if (uses.several && cores(info(type)) == 1) {
      const std::string one = "kernels of the type " + name + " have one core per AI Core, and ";
      if (ApiOp::is(uses.several))
        fail("T342", one + "asc.sync_all(is_aiv_only=False) is for cores of both kinds", "use asc.sync_all(), or " + better, uses.several);
      fail("T342", one + "modes 1 and 2 are for several", "use mode 0, or " + better, uses.several);
    }
    if (uses.matmul && info(type).aics == 0)
      fail("T343", "kernels of the type " + name + " have no cube core, and a Matmul runs on one",
           "use " + better + ", or leave kernel_type out; matmul_cube_only=True runs all of the kernel on the cube core", uses.matmul);
    if (type != KernelType::AIV_ONLY) kernel.set_kernel_type(type);
  }
}

} // namespace asc
