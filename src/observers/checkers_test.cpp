// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checkers on real runs of the simulator: an add kernel with two buffers, and copies of it with a mistake.
#include "observers/checkers.h"
#include "sim/program_builder.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace asc {
namespace {

constexpr uint64_t kTile = 256; // elements
constexpr int kTiles = 6;

using Codes = std::vector<std::string>;

sim::LaunchResult run(sim::ProgramBuilder &builder, std::vector<float> &x, std::vector<float> &y, std::vector<float> &z,
                      uint32_t blocks = 1) {
  const auto executable = sim::prepare(builder.build());
  const auto checkers = make_checkers();
  std::vector<sim::Observer *> observers;
  for (const auto &checker : checkers) observers.push_back(checker.get());
  sim::TestLaunch test;
  test.options.observers = observers;
  test.options.blocks = blocks;
  return test.array(x).array(y).array(z).run(*executable);
}

/// The kernel without the calls that `leaves_out` names: "set" or "wait", event and place.
Codes add_kernel(const std::string &leaves_out, bool waits_first = false, uint64_t loaded = kTile) {
  sim::ProgramBuilder b;
  const auto x = b.array("x", DType::Float32), y = b.array("y", DType::Float32), z = b.array("z", DType::Float32);
  const auto xg = b.global(DType::Float32, x), yg = b.global(DType::Float32, y), zg = b.global(DType::Float32, z);
  sim::ProgramBuilder::Reg local[3][2];
  for (uint64_t t = 0; t < 3; ++t)
    for (uint64_t k = 0; k < 2; ++k) local[t][k] = b.local(DType::Float32, (2 * t + k) * kTile * 4, kTile);
  const auto wait = [&](const char *e, uint64_t k) {
    if (leaves_out != std::string("wait ") + e) b.wait_flag(e, k);
  };
  for (uint64_t k = 0; k < 2; ++k) b.set_flag("V_MTE2", k), b.set_flag("MTE3_V", k);
  for (uint64_t i = 0; i < kTiles; ++i) {
    const uint64_t k = i % 2;
    const auto at = b.constant(i * kTile);
    const auto load = [&] {
      wait("V_MTE2", k);
      b.copy(local[0][k], b.view(DType::Float32, xg, at), loaded);
      b.copy(local[1][k], b.view(DType::Float32, yg, at), kTile);
      b.set_flag("MTE2_V", k);
    };
    const auto add = [&] {
      wait("MTE2_V", k);
      wait("MTE3_V", k);
      b.api("add", 0, {local[2][k], local[0][k], local[1][k], b.constant(kTile)});
      b.set_flag("V_MTE2", k);
      b.set_flag("V_MTE3", k);
    };
    if (waits_first)
      add(), load(); // V waits for what S dispatches afterwards
    else
      load(), add();
    wait("V_MTE3", k);
    b.copy(b.view(DType::Float32, zg, at), local[2][k], kTile);
    b.set_flag("MTE3_V", k);
  }
  if (leaves_out.empty())
    for (uint64_t k = 0; k < 2; ++k) b.wait_flag("V_MTE2", k), b.wait_flag("MTE3_V", k);
  std::vector<float> xs(kTiles * kTile, 1), ys(kTiles * kTile, 2), zs(kTiles * kTile);
  const sim::LaunchResult result = run(b, xs, ys, zs);
  if (leaves_out.empty() && loaded == kTile) {
    EXPECT_EQ(zs, std::vector<float>(kTiles * kTile, 3));
  }
  Codes races;
  for (const std::string &code : codes_of(result))
    if (code[0] == 'M' || code[1] == '3') races.push_back(code); // not the flags that are left over
  return races;
}

TEST(Checkers, ACorrectKernelIsClean) {
  EXPECT_EQ(add_kernel(""), Codes{});
  EXPECT_EQ(add_kernel("", true), Codes{}) << "waits dispatched before their sets";
}

TEST(Checkers, EachMissingWaitIsFound) {
  for (const char *event : {"MTE2_V", "V_MTE3", "V_MTE2", "MTE3_V"}) {
    const Codes codes = add_kernel(std::string("wait ") + event);
    EXPECT_NE(std::count(codes.begin(), codes.end(), "S301"), 0) << event;
    EXPECT_EQ(std::count(codes.begin(), codes.end(), "M301"), 0) << event;
  }
}

TEST(Checkers, ALoadThatIsTooShort) {
  EXPECT_EQ(add_kernel("", false, kTile - 8), Codes(kTiles, "M301")) << "each add is a line of its own";
}

TEST(Checkers, BlocksThatShareTheirOutput) {
  for (const bool shared : {false, true}) {
    sim::ProgramBuilder b;
    const auto x = b.array("x", DType::Float32);
    b.array("y", DType::Float32);
    const auto z = b.array("z", DType::Float32);
    const auto block = b.api("get_block_idx", 0, {});
    const auto at = b.binary(Op::Mul, DType::Int64, block, b.constant(shared ? kTile / 2 : kTile));
    const auto local = b.local(DType::Float32, 0, kTile);
    b.copy(local, b.global(DType::Float32, x), kTile);
    b.set_flag("MTE2_MTE3", 0);
    b.wait_flag("MTE2_MTE3", 0);
    b.copy(b.view(DType::Float32, b.global(DType::Float32, z), at), local, kTile);
    std::vector<float> xs(kTile, 1), ys(kTile), zs(8 * kTile);
    EXPECT_EQ(codes_of(run(b, xs, ys, zs, 8)), shared ? Codes{"S303"} : Codes{});
  }
}

} // namespace
} // namespace asc
