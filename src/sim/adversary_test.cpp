// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adversarial mode: what flags order comes out right for every seed, what they do not comes out wrong for some.
#include "sim/program_builder.h"

#include <gtest/gtest.h>

namespace asc::sim {
namespace {

constexpr uint64_t kTile = 64, kTiles = 3;

/// out = x + 1, tile by tile, through one buffer; `leave_out` names a flag that is not set and waited for.
std::vector<int32_t> add_one(uint64_t seed, std::string_view leave_out = "", bool auto_sync = true) {
  ProgramBuilder b;
  b.p.auto_sync = auto_sync;
  const auto x_array = b.array("x", DType::Int32), out_array = b.array("out", DType::Int32);
  const auto x = b.global(DType::Int32, x_array), out = b.global(DType::Int32, out_array);
  const auto tile = b.local(DType::Int32, 0, kTile);
  const auto order = [&](std::string_view event) {
    if (event != leave_out) b.set_flag(event, 0), b.wait_flag(event, 0);
  };
  for (uint64_t i = 0; i < kTiles; ++i) {
    const auto at = b.constant(i * kTile);
    b.copy(tile, b.view(DType::Int32, x, at), kTile);
    order("MTE2_V");
    b.api("adds", 0, {tile, tile, b.constant(uint64_t(1)), b.constant(kTile), b.constant(uint64_t(1))});
    order("V_MTE3");
    b.copy(b.view(DType::Int32, out, at), tile, kTile);
    order("MTE3_MTE2");
  }
  std::vector<int32_t> from(kTile * kTiles), to(kTile * kTiles, -1);
  for (size_t i = 0; i < from.size(); ++i) from[i] = int32_t(i);
  TestLaunch test;
  test.options.adversarial = true, test.options.seed = seed;
  const LaunchResult result = test.array(from).array(to).run(b);
  if (leave_out.empty()) {
    EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
  }
  return to;
}

std::vector<int32_t> right() {
  std::vector<int32_t> all(kTile * kTiles);
  for (size_t i = 0; i < all.size(); ++i) all[i] = int32_t(i) + 1;
  return all;
}

TEST(Adversary, a_correct_kernel_is_right_for_every_seed) {
  for (uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(add_one(seed), right()) << seed;
}

TEST(Adversary, a_race_shows) {
  for (const std::string_view flag : {"MTE2_V", "V_MTE3", "MTE3_MTE2"}) {
    unsigned wrong = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) wrong += add_one(seed, flag) != right();
    EXPECT_GE(wrong, 5u) << flag;
  }
}

TEST(Adversary, the_same_seed_gives_the_same_run) {
  for (uint64_t seed = 0; seed < 10; ++seed) EXPECT_EQ(add_one(seed, "MTE2_V"), add_one(seed, "MTE2_V"));
}

/// Two instructions of one pipe on the same bytes.
int32_t two_adds(uint64_t seed, bool auto_sync, bool barrier) {
  ProgramBuilder b;
  b.p.auto_sync = auto_sync;
  const auto out = b.global(DType::Int32, b.array("out", DType::Int32));
  const auto tile = b.local(DType::Int32, 0, kTile), count = b.constant(kTile);
  b.api("duplicate", 0, {tile, b.constant(uint64_t(3)), count});
  if (barrier) b.barrier(Pipe::V);
  b.api("muls", 0, {tile, tile, b.constant(uint64_t(5)), count, b.constant(uint64_t(1))});
  b.set_flag("V_MTE3", 0), b.wait_flag("V_MTE3", 0);
  b.copy(out, tile, kTile);
  std::vector<int32_t> data(kTile);
  TestLaunch test;
  test.options.adversarial = true, test.options.seed = seed;
  test.array(data).run(b);
  return data[0];
}

TEST(Adversary, a_pipe_completes_out_of_order_where_nothing_forbids_it) {
  unsigned wrong = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(two_adds(seed, true, false), 15); // the device compiler puts the barrier
    EXPECT_EQ(two_adds(seed, false, true), 15);
    wrong += two_adds(seed, false, false) != 15;
  }
  EXPECT_GE(wrong, 5u);
}

/// Two loads into two buffers with one flag: MTE2 sets it again when V has been told to wait for it, or, with `early`, before that.
LaunchResult one_flag_for_two_loads(uint64_t seed, bool early, std::vector<int32_t> &to) {
  ProgramBuilder b;
  const auto x_array = b.array("x", DType::Int32), out_array = b.array("out", DType::Int32);
  const auto x = b.global(DType::Int32, x_array), out = b.global(DType::Int32, out_array);
  const auto first = b.local(DType::Int32, 0, kTile), second = b.local(DType::Int32, 4 * kTile, kTile), count = b.constant(kTile);
  const auto add_one = [&](uint32_t tile) { b.api("adds", 0, {tile, tile, b.constant(uint64_t(1)), count, b.constant(uint64_t(1))}); };
  b.copy(first, x, kTile);
  b.set_flag("MTE2_V", 0);
  if (!early) b.wait_flag("MTE2_V", 0), add_one(first);
  b.copy(second, x, kTile);
  b.set_flag("MTE2_V", 0), b.wait_flag("MTE2_V", 0);
  if (early) add_one(first);
  add_one(second);
  b.set_flag("V_MTE3", 0), b.wait_flag("V_MTE3", 0);
  b.copy(out, second, kTile);
  std::vector<int32_t> from(kTile, 4);
  TestLaunch test;
  test.options.adversarial = true, test.options.seed = seed;
  return test.array(from).array(to).run(b);
}

TEST(Adversary, a_flag_is_set_again_behind_its_wait) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<int32_t> to(kTile);
    EXPECT_TRUE(one_flag_for_two_loads(seed, false, to).findings.empty()) << seed;
    EXPECT_EQ(to, std::vector<int32_t>(kTile, 5));
    // The one wait passes after either of the two sets: then the flag is left set, or it is set while it is up.
    const LaunchResult early = one_flag_for_two_loads(seed, true, to);
    ASSERT_EQ(early.findings.size(), 1u);
    EXPECT_TRUE(early.findings[0].code == "S101" || early.findings[0].code == "S104");
  }
}

/// MTE2 sets a flag between two loads into the same bytes, which nothing orders.
TEST(Adversary, a_set_does_not_hold_up_what_comes_after_it) {
  unsigned first_last = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    ProgramBuilder b;
    const auto x_array = b.array("x", DType::Int32), y_array = b.array("y", DType::Int32), out_array = b.array("out", DType::Int32);
    const auto x = b.global(DType::Int32, x_array), y = b.global(DType::Int32, y_array), out = b.global(DType::Int32, out_array);
    const auto tile = b.local(DType::Int32, 0, kTile);
    b.copy(tile, x, kTile);
    b.set_flag("MTE2_V", 0), b.wait_flag("MTE2_V", 0);
    b.copy(tile, y, kTile);
    b.set_flag("MTE2_MTE3", 0), b.wait_flag("MTE2_MTE3", 0);
    b.copy(out, tile, kTile);
    std::vector<int32_t> ones(kTile, 1), twos(kTile, 2), to(kTile);
    TestLaunch test;
    test.options.adversarial = true, test.options.seed = seed;
    test.array(ones).array(twos).array(to).run(b);
    first_last += to[0] == 1;
  }
  EXPECT_GE(first_last, 3u);
}

/// The vector unit reads what the scalar unit has stored; `flag` orders them.
int32_t stored(uint64_t seed, bool auto_sync, bool flag) {
  ProgramBuilder b;
  b.p.auto_sync = auto_sync;
  const auto out = b.global(DType::Int32, b.array("out", DType::Int32));
  const auto tile = b.local(DType::Int32, 0, kTile), count = b.constant(kTile);
  b.api("duplicate", 0, {tile, b.constant(uint64_t(3)), count});
  b.barrier(Pipe::ALL);
  b.store(DType::Int32, tile, 0, b.constant(uint64_t(7)));
  if (flag) b.set_flag("S_V", 0), b.wait_flag("S_V", 0);
  b.api("adds", 0, {tile, tile, b.constant(uint64_t(1)), count, b.constant(uint64_t(1))});
  b.set_flag("V_MTE3", 0), b.wait_flag("V_MTE3", 0);
  b.copy(out, tile, kTile);
  std::vector<int32_t> data(kTile);
  TestLaunch test;
  test.options.adversarial = true, test.options.seed = seed;
  test.array(data).run(b);
  return data[0];
}

TEST(Adversary, stores_of_the_scalar_unit_come_late) {
  unsigned wrong = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(stored(seed, true, false), 8);
    EXPECT_EQ(stored(seed, false, true), 8);
    wrong += stored(seed, false, false) != 8;
  }
  EXPECT_GE(wrong, 5u);
}

/// The scalar unit reads what the vector unit has computed.
int32_t read_back(uint64_t seed, bool auto_sync) {
  ProgramBuilder b;
  b.p.auto_sync = auto_sync;
  const auto out = b.global(DType::Int32, b.array("out", DType::Int32));
  const auto tile = b.local(DType::Int32, 0, kTile);
  b.api("duplicate", 0, {tile, b.constant(uint64_t(3)), b.constant(kTile)});
  const auto value = b.reg();
  b.emit(Op::GetValue, DType::Int32, value, tile, b.constant(uint64_t(0)), uint8_t(DType::Int64));
  b.store(DType::Int32, out, 0, value);
  std::vector<int32_t> data(1);
  TestLaunch test;
  test.options.adversarial = true, test.options.seed = seed;
  test.array(data).run(b);
  return data[0];
}

TEST(Adversary, the_device_compiler_orders_the_scalar_unit) {
  unsigned wrong = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(read_back(seed, true), 3);
    wrong += read_back(seed, false) != 3;
  }
  EXPECT_GE(wrong, 5u);
}

} // namespace
} // namespace asc::sim
