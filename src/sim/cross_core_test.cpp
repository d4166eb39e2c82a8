// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cross-core flags: the state machine of 07-sync section 15, and whole launches with both kinds of core.
#include "sim/cross_core.h"
#include "sim/program_builder.h"

#include <gtest/gtest.h>

namespace asc::sim {
namespace {

std::vector<size_t> counts(const CrossCore &cross, unsigned flag, uint32_t cores) {
  std::vector<size_t> all;
  for (uint32_t core = 0; core < cores; ++core) all.push_back(cross.count(core, flag));
  return all;
}
using Counts = std::vector<size_t>;

TEST(CrossCore, cores_of_an_ai_core) {
  const KernelType type = KernelType::MIX_AIC_1_2;
  EXPECT_EQ(core_of(type, 3).kind, CoreKind::AIC);
  EXPECT_EQ(core_of(type, 5).kind, CoreKind::AIV);
  EXPECT_EQ(core_of(type, 5).sub, 1);
  EXPECT_EQ(block_idx(type, core_of(type, 3)), 1u);
  EXPECT_EQ(block_idx(type, core_of(type, 5)), 3u);
  EXPECT_EQ(block_idx(KernelType::AIV_ONLY, core_of(KernelType::AIV_ONLY, 7)), 7u);
}

TEST(CrossCore, mode_0_is_a_round_of_all_cores_of_a_kind) {
  const KernelType type = KernelType::MIX_AIV_1_0;
  CrossCore cross(type, 3);
  cross.set(core_of(type, 0), 5, 0, 10, 0);
  cross.set(core_of(type, 0), 5, 0, 20, 0); // a core may run ahead
  cross.set(core_of(type, 2), 5, 0, 30, 0);
  EXPECT_EQ(counts(cross, 5, 3), (Counts{0, 0, 0}));
  EXPECT_EQ(cross.missing(0, 5), std::vector<uint32_t>{1});
  cross.set(core_of(type, 1), 5, 0, 25, 0);
  EXPECT_EQ(counts(cross, 5, 3), (Counts{1, 1, 1}));
  EXPECT_EQ(cross.take(1, 5).time, 30u);
  EXPECT_EQ(counts(cross, 5, 3), (Counts{1, 0, 1}));
}

TEST(CrossCore, modes_within_an_ai_core) {
  const KernelType type = KernelType::MIX_AIC_1_2; // cores 0 1 2 and 3 4 5, the first of each is the cube
  CrossCore cross(type, 2);
  cross.set(core_of(type, 4), 1, 1, 0, 0);
  EXPECT_EQ(counts(cross, 1, 6), (Counts{0, 0, 0, 0, 0, 0}));
  cross.set(core_of(type, 5), 1, 1, 0, 0);
  EXPECT_EQ(counts(cross, 1, 6), (Counts{0, 0, 0, 0, 1, 1}));
  cross.set(core_of(type, 3), 2, 2, 0, 0); // the cube tells its vectors at once
  EXPECT_EQ(counts(cross, 2, 6), (Counts{0, 0, 0, 0, 1, 1}));
  cross.set(core_of(type, 1), 3, 2, 0, 0); // and hears of them when both have set
  EXPECT_EQ(counts(cross, 3, 6), (Counts{0, 0, 0, 0, 0, 0}));
  cross.set(core_of(type, 2), 3, 2, 0, 0);
  EXPECT_EQ(counts(cross, 3, 6), (Counts{1, 0, 0, 0, 0, 0}));
}

/// Every block adds up what all blocks have written before the flag.
struct Cross : testing::Test {
  ProgramBuilder b;
  uint32_t out = b.array("out", DType::Int32), sum = b.array("sum", DType::Int32);
  uint32_t me = b.api("get_block_idx", 0, {});
  void set(uint64_t flag, unsigned mode, Pipe pipe) { b.emit(Op::CrossCoreSetFlag, DType::Void, 0, b.constant(flag), mode, uint8_t(pipe)); }
  void wait(uint64_t flag) { b.emit(Op::CrossCoreWaitFlag, DType::Void, 0, b.constant(flag)); }
  uint32_t store_own(uint32_t value) {
    const auto g = b.global(DType::Int32, out);
    return b.emit(Op::SetValue, DType::Int32, g, me, value, uint8_t(DType::Int32));
  }
  std::vector<int32_t> data = std::vector<int32_t>(8), sums = std::vector<int32_t>(8);
  LaunchResult run(uint32_t blocks) {
    TestLaunch test;
    test.options.blocks = blocks;
    return test.array(data).array(sums).run(b);
  }
};

TEST_F(Cross, all_blocks_meet) {
  b.p.type = KernelType::MIX_AIV_1_0;
  store_own(b.constant(uint64_t(1)));
  set(5, 0, Pipe::MTE3), wait(5);
  const auto total = b.reg(), value = b.reg();
  const auto g = b.global(DType::Int32, out);
  b.emit(Op::Move, DType::Int32, total, b.constant(uint64_t(0)));
  for (uint64_t i = 0; i < 4; ++i) {
    b.emit(Op::GetValue, DType::Int32, value, g, b.constant(i), uint8_t(DType::Int32));
    b.emit(Op::Add, DType::Int32, total, total, value);
  }
  b.emit(Op::SetValue, DType::Int32, b.global(DType::Int32, sum), me, total, uint8_t(DType::Int32));
  const LaunchResult result = run(4);
  EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
  EXPECT_EQ(sums, (std::vector<int32_t>{4, 4, 4, 4, 0, 0, 0, 0}));
}

TEST_F(Cross, cube_waits_for_both_vector_cores) {
  b.p.type = KernelType::MIX_AIC_1_2;
  const auto to_cube = b.emit(Op::JumpIfZero, DType::Bool, 0, b.api("ascend_is_aiv", 0, {}), 0);
  store_own(b.constant(uint64_t(7)));
  set(6, 2, Pipe::MTE3);
  b.emit(Op::Halt, DType::Void);
  b.p.code[to_cube].b = b.here(); // the sum of what its two vector cores wrote
  const auto twice = b.binary(Op::Add, DType::Int32, me, me), next = b.binary(Op::Add, DType::Int32, twice, b.constant(uint64_t(1)));
  wait(6);
  const auto g = b.global(DType::Int32, out), x = b.reg(), y = b.reg();
  b.emit(Op::GetValue, DType::Int32, x, g, twice, uint8_t(DType::Int32));
  b.emit(Op::GetValue, DType::Int32, y, g, next, uint8_t(DType::Int32));
  b.emit(Op::SetValue, DType::Int32, b.global(DType::Int32, sum), me, b.binary(Op::Add, DType::Int32, x, y), uint8_t(DType::Int32));
  const LaunchResult result = run(3);
  EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
  EXPECT_EQ(sums, (std::vector<int32_t>{14, 14, 14, 0, 0, 0, 0, 0}));
  EXPECT_EQ(data, (std::vector<int32_t>{7, 7, 7, 7, 7, 7, 0, 0}));
}

TEST_F(Cross, what_needs_the_vector_core_is_left_out_on_the_cube) {
  b.p.type = KernelType::MIX_AIC_1_2;
  const auto tile = b.local(DType::Int32, 0, 64), value = b.reg();
  b.api("duplicate", 0, {tile, b.constant(uint64_t(3)), b.constant(uint64_t(64))});
  b.barrier(Pipe::ALL);
  b.emit(Op::GetValue, DType::Int32, value, tile, b.constant(uint64_t(0)), uint8_t(DType::Int64));
  const auto to_cube = b.emit(Op::JumpIfZero, DType::Bool, 0, b.api("ascend_is_aiv", 0, {}), 0);
  store_own(value);
  b.emit(Op::Halt, DType::Void);
  b.p.code[to_cube].b = b.here();
  b.emit(Op::SetValue, DType::Int32, b.global(DType::Int32, sum), me, b.binary(Op::Add, DType::Int32, value, b.constant(uint64_t(1))),
         uint8_t(DType::Int32));
  EXPECT_TRUE(run(2).findings.empty());
  EXPECT_EQ(data, (std::vector<int32_t>{3, 3, 3, 3, 0, 0, 0, 0}));
  EXPECT_EQ(sums, (std::vector<int32_t>{1, 1, 0, 0, 0, 0, 0, 0}));
}

TEST_F(Cross, a_block_that_does_not_come) {
  b.p.type = KernelType::MIX_AIV_1_0;
  const auto skip = b.emit(Op::JumpIfZero, DType::Int32, 0, me, 0);
  set(5, 0, Pipe::MTE3);
  b.p.code[skip].b = b.here();
  wait(5);
  const LaunchResult result = run(3);
  ASSERT_EQ(codes_of(result), std::vector<std::string>{"S202"});
  EXPECT_EQ(result.findings[0].message, "deadlock: block 0 waits for cross-core flag 5, and 2 other cores wait; not set by block 0");
}

TEST_F(Cross, more_blocks_than_cores) {
  b.p.type = KernelType::MIX_AIV_1_0;
  set(5, 0, Pipe::MTE3), wait(5);
  const LaunchResult result = run(60);
  ASSERT_EQ(codes_of(result), std::vector<std::string>{"S202"});
  EXPECT_NE(result.findings[0].message.find("start only when these have ended"), std::string::npos) << result.findings[0].message;
}

TEST_F(Cross, misuse) {
  b.p.type = KernelType::MIX_AIV_1_0;
  for (int i = 0; i < 16; ++i) set(1, 0, Pipe::MTE2);
  EXPECT_EQ(codes_of(run(1)), std::vector<std::string>{"S107"});
}
TEST_F(Cross, left_set) {
  b.p.type = KernelType::MIX_AIV_1_0;
  set(1, 0, Pipe::MTE2);
  EXPECT_EQ(codes_of(run(2)), std::vector<std::string>{"S106"});
}
TEST_F(Cross, no_such_flag) {
  b.p.type = KernelType::MIX_AIV_1_0;
  set(16, 0, Pipe::MTE2);
  EXPECT_EQ(codes_of(run(1)), std::vector<std::string>{"S105"});
}

// ---------------------------------------------------------------- words in global memory

struct Words : testing::Test {
  ProgramBuilder b;
  uint32_t data_array = b.array("data", DType::Int32), words_array = b.array("words", DType::Int32);
  uint32_t me = b.api("get_block_idx", 0, {});
  uint32_t data = b.global(DType::Int32, data_array), words = b.global(DType::Int32, words_array), scratch = b.local(DType::Int32, 0, 128);
  std::vector<int32_t> values, workspace;
  std::vector<std::string> run(uint32_t blocks, bool adversarial = false, uint64_t seed = 0) {
    values.assign(16, 0), workspace.assign(128, 0);
    TestLaunch test;
    test.options.blocks = blocks, test.options.adversarial = adversarial, test.options.seed = seed;
    return codes_of(test.array(values).array(workspace).run(b));
  }
  uint32_t load(uint32_t index) {
    const auto value = b.reg();
    b.emit(Op::GetValue, DType::Int32, value, data, index, uint8_t(DType::Int32));
    return value;
  }
  void store(uint32_t index, uint32_t value) { b.emit(Op::SetValue, DType::Int32, data, index, value, uint8_t(DType::Int32)); }
  uint32_t number(uint64_t n) { return b.constant(n); }
};
using Codes = std::vector<std::string>;

TEST_F(Words, sync_all) {
  for (int round = 0; round < 3; ++round) {
    store(me, b.binary(Op::Add, DType::Int32, me, number(1)));
    b.api("sync_all", 1, {words, scratch, number(0), number(1)});
    uint32_t total = number(0);
    for (uint64_t i = 0; i < 4; ++i) total = b.binary(Op::Add, DType::Int32, total, load(number(i)));
    store(b.binary(Op::Add, DType::Int32, me, number(8)), total);
    b.api("sync_all", 1, {words, scratch, number(0), number(1)});
    store(me, number(0));
    b.api("sync_all", 1, {words, scratch, number(0), number(1)});
  }
  for (uint64_t seed = 0; seed < 9; ++seed) {
    EXPECT_EQ(run(4, seed != 0, seed), Codes{});
    EXPECT_EQ(values, (std::vector<int32_t>{0, 0, 0, 0, 0, 0, 0, 0, 10, 10, 10, 10, 0, 0, 0, 0}));
    EXPECT_EQ(workspace[0], 9); // it counts on
  }
}

TEST_F(Words, ib_set_and_ib_wait) {
  const auto to_other = b.emit(Op::JumpIfZero, DType::Int32, 0, me, 0);
  b.api("ib_wait", 0, {words, scratch, number(0), number(1), number(1)});
  store(number(1), b.binary(Op::Add, DType::Int32, load(number(0)), number(1)));
  b.emit(Op::Halt, DType::Void);
  b.p.code[to_other].b = b.here();
  store(number(0), number(41));
  b.api("ib_set", 0, {words, scratch, number(0), number(1), number(1)});
  for (uint64_t seed = 0; seed < 9; ++seed) {
    EXPECT_EQ(run(2, seed != 0, seed), Codes{});
    EXPECT_EQ(values[1], 42);
    EXPECT_EQ(workspace, std::vector<int32_t>(128)); // taken
  }
}

TEST_F(Words, blocks_in_order) {
  b.emit(Op::SetValue, DType::Int32, scratch, number(8 * 4), number(1), uint8_t(DType::Int32)); // the number of the round
  for (int round = 0; round < 2; ++round) {
    b.api("wait_pre_block", 0, {words, scratch});
    const auto next = load(number(12));
    store(b.binary(Op::Add, DType::Int32, me, number(uint64_t(4 * round))), next);
    store(number(12), b.binary(Op::Add, DType::Int32, next, number(1)));
    b.api("notify_next_block", 0, {words, scratch});
  }
  for (uint64_t seed = 0; seed < 9; ++seed) {
    run(4, seed != 0, seed);
    EXPECT_EQ(std::vector<int32_t>(values.begin(), values.begin() + 8), (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7})) << seed;
  }
}

TEST_F(Words, nobody_tells) {
  b.api("ib_wait", 0, {words, scratch, number(0), number(0), number(1)});
  EXPECT_EQ(run(2), Codes{"S202"});
}

} // namespace
} // namespace asc::sim
