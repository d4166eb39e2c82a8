// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every form of every API row: the op verifies, reads back what it prints, and reports the effects that the roles say.
#include "dialect/test_module.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace asc {
namespace {

std::string text_of(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

TEST(ApiOps, EveryFormReadsBackWhatItPrints) {
  for_each_form([](const Row &row, unsigned form) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    load_dialects(context);
    mlir::OwningOpRef<mlir::ModuleOp> module = module_with(context, row, form);
    ASSERT_TRUE(mlir::succeeded(mlir::verify(*module)));
    std::string text = text_of(*module);
    EXPECT_NE(text.find("asc." + std::string(row.name) + "(" + std::to_string(form) + ")"), text.npos) << text;
    mlir::OwningOpRef<mlir::ModuleOp> again = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(text_of(*again), text);
  });
}

TEST(ApiOps, EffectsFollowTheRoles) {
  for_each_form([](const Row &row, unsigned form) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    load_dialects(context);
    mlir::OwningOpRef<mlir::ModuleOp> module = module_with(context, row, form);
    module->walk([&](mlir::Operation *op) {
      if (!ApiOp::is(op)) return;
      ApiOp api(op);
      EXPECT_EQ(&api.row(), &row);
      EXPECT_EQ(api.form(), form);
      for (unsigned arg = 0; arg < row.args.size(); ++arg) {
        if (!row.args[arg].is_tensor() || !api.call().has(arg)) continue;
        llvm::SmallVector<mlir::MemoryEffects::EffectInstance> effects;
        auto interface = llvm::cast<mlir::MemoryEffectOpInterface>(op);
        interface.getEffectsOnValue(api.operands(arg)[0], effects);
        bool reads = false, writes = false;
        for (auto &effect : effects) {
          reads |= llvm::isa<mlir::MemoryEffects::Read>(effect.getEffect());
          writes |= llvm::isa<mlir::MemoryEffects::Write>(effect.getEffect());
        }
        EXPECT_EQ(reads, row.args[arg].role != Role::Out) << row.args[arg].name;
        EXPECT_EQ(writes, row.args[arg].role != Role::In) << row.args[arg].name;
      }
      if (row.registers) EXPECT_FALSE(mlir::isMemoryEffectFree(op));
    });
  });
}

TEST(ApiOps, CallKnowsConstants) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  load_dialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @f(%g: !asc.global_tensor<f16>, %s: f16) {
      %c256 = arith.constant 256 : i32
      %c32 = arith.constant 32 : i32
      %t = asc.local_tensor %c256, %c256 : i32, i32 -> !asc.local_tensor<f16, VECCALC>
      %v = asc.view %t[%c32 : i32] : !asc.local_tensor<f16, VECCALC>
      asc.data_copy(0) %v, %g, %c32 : !asc.local_tensor<f16, VECCALC>, !asc.global_tensor<f16>, i32
      return
    })",
                                                        &context);
  ASSERT_TRUE(module);
  module->walk([](mlir::Operation *op) {
    if (!ApiOp::is(op)) return;
    Call call = ApiOp(op).call();
    EXPECT_TRUE(call.known(0));
    EXPECT_EQ(call.address(0).offset(), 256 + 32 * 2);
    EXPECT_EQ(call.address(0).memory(), Memory::UB);
    EXPECT_EQ(call.at(0).position, Position::VECCALC);
    EXPECT_EQ(call.length(0), (256u - 32u) * 2);
    EXPECT_FALSE(call.known(1));
    EXPECT_EQ(call.at(1).position, Position::GM);
    EXPECT_EQ(call.dtype(1), DType::Float16);
    EXPECT_EQ(call.value(2), 32);
  });
}

} // namespace
} // namespace asc
