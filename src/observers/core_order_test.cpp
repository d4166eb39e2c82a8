// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races between cores that wait for each other: found where no flag orders the accesses, and only there.
#include "observers/checkers.h"
#include "sim/program_builder.h"

#include <gtest/gtest.h>

namespace asc {
namespace {

using sim::ProgramBuilder;
using Codes = std::vector<std::string>;
using Reg = ProgramBuilder::Reg;

constexpr uint64_t kTile = 64;

/// Each of two blocks stores a tile of `x` and, after a meeting of all blocks, loads that of the other one.
struct Exchange {
  bool set_after_store = true, wait = true, next_round_waits = true;
  unsigned rounds = 1;

  Codes run() const {
    ProgramBuilder b;
    b.p.type = KernelType::MIX_AIV_1_0;
    const Reg x = b.array("x", DType::Int32), gx = b.global(DType::Int32, x), me = b.api("get_block_idx", 0, {});
    const Reg tile = b.constant(kTile);
    const Reg own = b.binary(Op::Mul, DType::Int64, me, tile), other = b.binary(Op::Sub, DType::Int64, tile, own);
    const Reg out = b.local(DType::Int32, 0, kTile), in = b.local(DType::Int32, 4 * kTile, kTile);
    const auto meet = [&](bool waits) {
      b.emit(Op::CrossCoreSetFlag, DType::Void, 0, b.constant(uint64_t(3)), 0, uint8_t(Pipe::MTE3));
      if (waits) b.emit(Op::CrossCoreWaitFlag, DType::Void, 0, b.constant(uint64_t(3)));
    };
    b.api("duplicate", 0, {out, b.constant(uint64_t(1)), tile});
    for (unsigned round = 0; round < rounds; ++round) {
      b.set_flag("V_MTE3", 0), b.wait_flag("V_MTE3", 0);
      if (!set_after_store) meet(wait);
      b.copy(b.view(DType::Int32, gx, own), out, kTile);
      if (set_after_store) meet(wait);
      b.copy(in, b.view(DType::Int32, gx, other), kTile);
      if (round + 1 == rounds) break;
      b.set_flag("MTE2_MTE3", 0), b.wait_flag("MTE2_MTE3", 0);
      if (next_round_waits) meet(true);
      b.barrier(Pipe::ALL);
    }
    const auto executable = sim::prepare(b.build());
    const auto checkers = make_checkers();
    std::vector<sim::Observer *> observers;
    for (const auto &checker : checkers) observers.push_back(checker.get());
    sim::TestLaunch test;
    test.options.observers = observers, test.options.blocks = 2;
    std::vector<int32_t> data(2 * kTile);
    return codes_of(test.array(data).run(*executable));
  }
};

TEST(CoreOrder, a_flag_after_the_store_and_a_wait_before_the_load) { EXPECT_EQ(Exchange{}.run(), Codes{}); }
TEST(CoreOrder, a_flag_before_the_store) { EXPECT_EQ((Exchange{.set_after_store = false}.run()), Codes{"S303"}); }
TEST(CoreOrder, no_wait) { EXPECT_EQ((Exchange{.wait = false}.run()), (Codes{"S303", "S106"})); }
TEST(CoreOrder, rounds) { EXPECT_EQ((Exchange{.rounds = 5}.run()), Codes{}); }
TEST(CoreOrder, a_block_stores_again_while_the_other_still_loads) {
  EXPECT_EQ((Exchange{.next_round_waits = false, .rounds = 3}.run()), (Codes{"S303", "S303"})); // in two of the rounds
}

} // namespace
} // namespace asc
