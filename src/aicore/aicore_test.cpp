// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of every form of every API row are valid and carry the row's slots; parallel copies; use of array arguments.
#include "aicore/aicore.h"
#include "aicore/program_builder.h"
#include "dialect/test_module.h"
#include "isa/codec.h"

#include "mlir/Parser/Parser.h"

#include <random>

namespace asc {
namespace {

TEST(AiCore, EveryFormBecomesAValidInstruction) {
  for_each_form([](const Row &row, unsigned form) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    load_dialects(context);
    mlir::OwningOpRef<mlir::ModuleOp> module = module_with(context, row, form);
    Program program = to_program(*module, "Ascend910B1");
    validate(program);
    EXPECT_EQ(program.table, table_hash());
    const Layout &lay = layout(row, form);
    unsigned calls = 0;
    for (const Instr &instr : program.code) {
      if (instr.op != Op::Api || instr.dst != row_number(row)) continue;
      ++calls;
      EXPECT_EQ(instr.aux, form);
      EXPECT_EQ(instr.b == kNoRegister, !row.results(form));
      ASSERT_LE(instr.a + lay.slots, program.operands.size());
      for (unsigned arg = 0; arg < row.args.size(); ++arg) {
        if (lay.slot[arg] == Layout::kAbsent || !row.args[arg].is_tensor()) continue;
        const SlotRef *slot = &program.operands[instr.a + lay.slot[arg]];
        EXPECT_EQ(slot[1].reg, slot[0].reg + 1);
      }
    }
    const bool by_flags = row.name == "sync_all" && form == 0; // cross-core flags do it
    EXPECT_EQ(calls, by_flags ? 0u : 1u);
  });
}

/// Moves of a program that consists of nothing else, done one after the other.
void run_moves(const Program &program, std::vector<uint64_t> &registers) {
  for (const Instr &instr : program.code)
    for (unsigned part = 0; part < (instr.op == Op::Move2 ? 2u : 1u); ++part) registers[instr.dst + part] = registers[instr.a + part];
}

TEST(AiCore, CopiesHappenAllAtOnce) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 2000; ++round) {
    unsigned count = 1 + random() % 6;
    bool pairs = random() % 2;
    unsigned width = pairs ? 2 : 1;
    ProgramBuilder builder{Program{}};
    std::vector<Reg> places;
    for (unsigned i = 0; i < count; ++i) places.push_back(builder.value(width));
    std::vector<unsigned> source(count);
    std::vector<Copy> copies;
    for (unsigned i = 0; i < count; ++i) {
      source[i] = random() % count;
      copies.push_back({places[i], places[source[i]], pairs, DType::Void});
    }
    builder.copy(copies);
    Program program = builder.finish();
    std::vector<uint64_t> registers(program.registers);
    for (unsigned i = 0; i < count * width; ++i) registers[i] = 100 + i;
    run_moves(program, registers);
    for (unsigned i = 0; i < count; ++i)
      for (unsigned part = 0; part < width; ++part) EXPECT_EQ(registers[i * width + part], 100 + source[i] * width + part);
    EXPECT_LE(program.code.size(), count + count / 2); // one extra copy per cycle
  }
}

struct Use {
  bool reads, writes;
};
std::vector<Use> uses(const char *ir) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  load_dialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(ir, &context);
  EXPECT_TRUE(module);
  std::vector<Use> found;
  for (const Param &param : to_program(*module, "Ascend910B1").params)
    if (param.kind == ParamKind::Address) found.push_back({param.reads, param.writes});
  return found;
}
void expect_uses(const char *ir, std::vector<Use> expected) {
  std::vector<Use> found = uses(ir);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].reads, expected[i].reads) << "parameter " << i;
    EXPECT_EQ(found[i].writes, expected[i].writes) << "parameter " << i;
  }
}

TEST(AiCore, ArraysReadAndWritten) {
  expect_uses(R"(
    func.func private @load(%a: !asc.address<f32>, %t: !asc.local_tensor<f32, VECIN>, %n: i32) {
      %g = asc.global_tensor %a, %n : i32 : !asc.address<f32> -> !asc.global_tensor<f32>
      %v = asc.view %g[%n : i32] : !asc.global_tensor<f32>
      asc.data_copy(0) %t, %v, %n : !asc.local_tensor<f32, VECIN>, !asc.global_tensor<f32>, i32
      return
    }
    asc.kernel @k(%in: !asc.address<f32>, %out: !asc.address<f32>, %both: !asc.address<f32>, %unused: !asc.address<f32>, %n: i32)
        attributes {dtypes = [f32, f32, f32, f32, i32], names = ["in", "out", "both", "unused", "n"]} {
      %t = asc.local_tensor %n, %n : i32, i32 -> !asc.local_tensor<f32, VECIN>
      func.call @load(%in, %t, %n) : (!asc.address<f32>, !asc.local_tensor<f32, VECIN>, i32) -> ()
      func.call @load(%both, %t, %n) : (!asc.address<f32>, !asc.local_tensor<f32, VECIN>, i32) -> ()
      %moved = asc.offset %out, %n : !asc.address<f32>, i32
      %g = asc.global_tensor %moved : !asc.address<f32> -> !asc.global_tensor<f32>
      asc.data_copy(0) %g, %t, %n : !asc.global_tensor<f32>, !asc.local_tensor<f32, VECIN>, i32
      %h = asc.global_tensor %both : !asc.address<f32> -> !asc.global_tensor<f32>
      %f = arith.constant 0.0 : f32
      asc.set_value %h[%n : i32], %f : !asc.global_tensor<f32>, f32
      asc.return
    })",
              {{true, false}, {false, true}, {true, true}, {false, false}});
}

TEST(AiCore, ArraysCarriedAroundALoop) {
  // The two addresses change places, so each may be either array.
  expect_uses(R"(
    asc.kernel @k(%x: !asc.address<f32>, %y: !asc.address<f32>, %n: i32) attributes {dtypes = [f32, f32, i32], names = ["x", "y", "n"]} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (!asc.address<f32>, !asc.address<f32>) : i32 {
        %g = asc.global_tensor %a : !asc.address<f32> -> !asc.global_tensor<f32>
        %h = asc.global_tensor %b : !asc.address<f32> -> !asc.global_tensor<f32>
        %v = asc.get_value %g[%i : i32] : !asc.global_tensor<f32> -> f32
        asc.set_value %h[%i : i32], %v : !asc.global_tensor<f32>, f32
        scf.yield %b, %a : !asc.address<f32>, !asc.address<f32>
      }
      asc.return
    })",
              {{true, true}, {true, true}});
}

TEST(AiCore, RefusesRecursion) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  load_dialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func private @f() {
      func.call @f() : () -> ()
      return
    }
    asc.kernel @k() attributes {dtypes = [], names = []} {
      func.call @f() : () -> ()
      asc.return
    })",
                                                        &context);
  ASSERT_TRUE(module);
  EXPECT_THROW(to_program(*module, "Ascend910B1"), InternalError);
}

} // namespace
} // namespace asc
