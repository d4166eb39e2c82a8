// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the bits of CTRL change: conversions and sums with and without saturation (vector execution, arithmetic environment).
#include "apis/test_call.h"

#include <cstring>
#include <gtest/gtest.h>

namespace asc {
namespace {

constexpr size_t kElements = 4096;

enum class Mode { None, Rint, Floor, Ceil, Round, Trunc, Odd }; // as Python has them
constexpr Mode kFive[] = {Mode::Rint, Mode::Floor, Mode::Ceil, Mode::Round, Mode::Trunc};

/// Random bits, and the corners of the float types and of 32-bit integers.
std::vector<std::byte> numbers(size_t bytes) {
  static constexpr uint32_t corners[] = {0,          0x80008000, 0x7C007C00, 0xFC00FC00, 0x7E017E01, 0x00010001, 0x7BFF7BFF, 0xFBFFFBFF,
                                         0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x477FF000, 0x7F7FFFFF, 0x4F000000, 0xCF000000};
  std::mt19937_64 random(17);
  std::vector<std::byte> all(bytes);
  for (size_t i = 0; i < bytes; i += 4) {
    const uint32_t word = random() % 4 ? uint32_t(random()) : corners[random() % std::size(corners)];
    std::memcpy(&all[i], &word, 4);
  }
  return all;
}

/// dst of a conversion of `in`, of kElements elements.
std::vector<std::byte> cast(std::span<const std::byte> in, DType src, DType dst, Mode mode, CoreState core) {
  TestCall test("cast", 0, src);
  test.slot(test.arg("dst")).dtype = dst;
  const size_t room = kElements * 8;
  test.tensor("dst", Memory::UB, 0, room).tensor("src", Memory::UB, int64_t(room), room);
  test.set("count", kElements).set("round_mode", uint64_t(mode));
  std::vector<std::byte> memory(2 * room);
  std::copy(in.begin(), in.end(), memory.begin() + ptrdiff_t(room));
  test.run(core, memory.data());
  memory.resize(kElements * size_of(dst));
  return memory;
}

template <class T> T at(std::span<const std::byte> bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// CTRL[48] = 0: infinities become the largest number of their sign, and NaN 0; all else is as with CTRL[48] = 1.
TEST(Saturation, ConversionsToNarrowFloats) {
  CoreState keeps, saturates;
  keeps.keep_inf_nan = true, saturates.keep_inf_nan = false;
  const std::vector<std::byte> in = numbers(kElements * 4);
  for (const auto &[dst, infinity] : {std::pair(DType::Float16, 0x7C00), std::pair(DType::BFloat16, 0x7F80)})
    for (Mode mode : kFive) {
      const auto with = cast(in, DType::Float32, dst, mode, keeps), without = cast(in, DType::Float32, dst, mode, saturates);
      unsigned special = 0;
      for (size_t i = 0; i < kElements; ++i) {
        const uint16_t ieee = at<uint16_t>(with, i), magnitude = ieee & 0x7FFF;
        const uint16_t want = magnitude < infinity ? ieee : magnitude == infinity ? uint16_t(ieee - 1) : 0;
        special += magnitude >= infinity;
        ASSERT_EQ(want, at<uint16_t>(without, i)) << name(dst) << " mode " << int(mode) << " of " << at<float>(in, i);
      }
      EXPECT_LT(100u, special);
    }
}

long double rounded(long double x, Mode mode) {
  switch (mode) {
  case Mode::Floor: return std::floor(x);
  case Mode::Ceil: return std::ceil(x);
  case Mode::Round: return std::round(x);
  case Mode::Trunc: return std::trunc(x);
  default: return std::nearbyint(x);
  }
}
/// The low 64 bits of an integer of any size.
uint64_t low_64_bits(long double whole) {
  const long double rest = std::fmod(whole, 0x1p64L);
  return rest < 0 ? -uint64_t(-rest) : uint64_t(rest);
}

template <class D> void expect_low_bits(DType src, DType dst, std::span<const Mode> modes, auto value_of) {
  CoreState core;
  core.saturate_cast = false;
  const std::vector<std::byte> in = numbers(kElements * size_of(src));
  for (Mode mode : modes) {
    const auto out = cast(in, src, dst, mode, core);
    for (size_t i = 0; i < kElements; ++i) {
      const long double x = value_of(in, i);
      const D want = std::isfinite(x) ? D(low_64_bits(rounded(x, mode))) : D(0);
      ASSERT_EQ(want, at<D>(out, i)) << name(src) << " to " << name(dst) << " mode " << int(mode) << " of " << double(x);
    }
  }
}

/// CTRL[59] = 1: the low bits of the rounded number; 0 for infinities and NaN.
TEST(Saturation, ConversionsToIntegers) {
  const auto half = [](auto in, size_t i) { return (long double)(RoundingOracle::half().decode(at<uint16_t>(in, i))); };
  const auto bfloat16 = [](auto in, size_t i) { return (long double)(RoundingOracle::bfloat16().decode(at<uint16_t>(in, i))); };
  const auto single = [](auto in, size_t i) { return (long double)(at<float>(in, i)); };
  expect_low_bits<int8_t>(DType::Float16, DType::Int8, kFive, half);
  expect_low_bits<uint8_t>(DType::Float16, DType::UInt8, kFive, half);
  expect_low_bits<int16_t>(DType::Float16, DType::Int16, kFive, half);
  expect_low_bits<int32_t>(DType::Float16, DType::Int32, kFive, half);
  expect_low_bits<int32_t>(DType::BFloat16, DType::Int32, kFive, bfloat16);
  expect_low_bits<int16_t>(DType::Float32, DType::Int16, kFive, single);
  expect_low_bits<int32_t>(DType::Float32, DType::Int32, kFive, single);
  expect_low_bits<int64_t>(DType::Float32, DType::Int64, kFive, single);
  constexpr Mode none[] = {Mode::None};
  expect_low_bits<int16_t>(DType::Int32, DType::Int16, none, [](auto in, size_t i) { return (long double)(at<int32_t>(in, i)); });
  expect_low_bits<int32_t>(DType::Int64, DType::Int32, none, [](auto in, size_t i) { return (long double)(at<int64_t>(in, i)); });
}

/// The documented sum with CTRL[48] = 0: 60000 + 60000 is 65504, -30000 + 100 rounds to -29904.
TEST(Saturation, SumsOfHalves) {
  for (const auto &[keep, want] : {std::pair(false, uint16_t(0x7858)), std::pair(true, uint16_t(0x7C00))}) {
    TestCall test("block_reduce_sum", 0, DType::Float16);
    test.tensor("dst", Memory::UB, 0, 256).tensor("src", Memory::UB, 256, 256);
    test.set("repeat", 1).set("mask", 4).set("dst_rep_stride", 1).set("src_blk_stride", 1).set("src_rep_stride", 8);
    std::vector<std::byte> memory(512);
    const RoundingOracle &oracle = RoundingOracle::half();
    const uint16_t in[] = {oracle.encode(60000), oracle.encode(60000), oracle.encode(-30000), oracle.encode(100)};
    std::memcpy(&memory[256], in, sizeof(in));
    CoreState core;
    core.keep_inf_nan = keep;
    test.run(core, memory.data());
    EXPECT_EQ(want, at<uint16_t>(memory, 0));
    if (!keep) {
      EXPECT_EQ(35584, oracle.decode(want));
    }
  }
}

} // namespace
} // namespace asc
