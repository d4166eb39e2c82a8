// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apis/numeric.h"

#include "apis/test_call.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace asc {
namespace {

uint64_t bits(float f) { return std::bit_cast<uint32_t>(f); }
uint64_t bits(double d) { return std::bit_cast<uint64_t>(d); }

/// Doubles that are hard to round to `oracle`'s type: every value, every midpoint, and their neighbours in float and in double.
template <class Fn> void for_each_hard_value(const RoundingOracle &oracle, Fn &&fn) {
  for (size_t i = 0; i < oracle.values().size(); ++i) {
    const double value = oracle.values()[i];
    const double next = i + 1 < oracle.values().size() ? oracle.values()[i + 1] : value + (value - oracle.values()[i - 1]);
    for (double d : {value, value + (next - value) / 2})
      for (double sign : {1.0, -1.0}) {
        fn(sign * d);
        fn(sign * double(std::nextafterf(float(d), HUGE_VALF)));
        fn(sign * double(std::nextafterf(float(d), 0.0f)));
        fn(sign * std::nextafter(d, HUGE_VAL));
        fn(sign * std::nextafter(d, 0.0));
      }
  }
}

TEST(Numeric, HalfToFloatIsExact) {
  for (unsigned h = 0; h < 0x10000; ++h) {
    const double want = RoundingOracle::half().decode(uint16_t(h)), got = half_to_float(uint16_t(h));
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(got)) << std::hex << h;
    else
      EXPECT_EQ(bits(want), bits(got)) << std::hex << h;
  }
}

TEST(Numeric, BFloat16ToFloatIsExact) {
  for (unsigned b = 0; b < 0x10000; ++b) {
    const double want = RoundingOracle::bfloat16().decode(uint16_t(b)), got = bfloat16_to_float(uint16_t(b));
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(got)) << std::hex << b;
    else
      EXPECT_EQ(bits(want), bits(got)) << std::hex << b;
  }
}

TEST(Numeric, RoundsToHalf) {
  const RoundingOracle &oracle = RoundingOracle::half();
  for_each_hard_value(oracle, [&](double d) {
    ASSERT_EQ(oracle.encode(d), double_to_half(d)) << std::hexfloat << d;
    ASSERT_EQ(oracle.encode(float(d)), float_to_half(float(d))) << std::hexfloat << d;
  });
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000000; ++i) {
    const float f = std::bit_cast<float>(uint32_t(random()));
    ASSERT_EQ(oracle.encode(f), float_to_half(f)) << std::hexfloat << f;
  }
}

TEST(Numeric, RoundsToBFloat16) {
  const RoundingOracle &oracle = RoundingOracle::bfloat16();
  for_each_hard_value(oracle, [&](double d) {
    ASSERT_EQ(oracle.encode(d), double_to_bfloat16(d)) << std::hexfloat << d;
    ASSERT_EQ(oracle.encode(float(d)), float_to_bfloat16(float(d))) << std::hexfloat << d;
  });
}

TEST(Numeric, NanIsTheQuietNan) {
  for (uint32_t nan : {0x7F800001u, 0x7FC00000u, 0xFFC00000u, 0xFFFFFFFFu}) {
    EXPECT_EQ(0x7E00, float_to_half(std::bit_cast<float>(nan)));
    EXPECT_EQ(0x7FC0, float_to_bfloat16(std::bit_cast<float>(nan)));
    EXPECT_EQ(0x7FC00000u, bits(quiet(std::bit_cast<float>(nan))));
  }
}

TEST(Numeric, SaturatesHalf) {
  EXPECT_EQ(0x7BFF, saturate_half(0x7C00));
  EXPECT_EQ(0xFBFF, saturate_half(0xFC00));
  EXPECT_EQ(0, saturate_half(0x7E00));
  EXPECT_EQ(0, saturate_half(0xFC01));
  EXPECT_EQ(0x7BFF, saturate_half(0x7BFF));
  EXPECT_EQ(0x8000, saturate_half(0x8000));
}

TEST(Numeric, IntegersWrapOrSaturate) {
  constexpr OverflowMode<Overflow::Wrap> wrap;
  constexpr OverflowMode<Overflow::Saturate> saturate;
  EXPECT_EQ(int16_t(-32768), plus<int16_t>(32767, 1, wrap));
  EXPECT_EQ(int16_t(32767), plus<int16_t>(32767, 1, saturate));
  EXPECT_EQ(INT32_MAX, minus<int32_t>(INT32_MIN, 1, wrap));
  EXPECT_EQ(INT32_MIN, minus<int32_t>(INT32_MIN, 1, saturate));
  EXPECT_EQ(int16_t(0xFCC0), times<int16_t>(30000, 900, wrap)); // 27000000 = 0x19BFCC0
  EXPECT_EQ(int16_t(32767), times<int16_t>(30000, 900, saturate));
  EXPECT_EQ(int16_t(-32768), times<int16_t>(30000, -900, saturate));
  EXPECT_EQ(int16_t(0), times<int16_t>(-32768, -32768, wrap));
  EXPECT_EQ(INT32_MIN, times<int32_t>(INT32_MIN, -1, wrap));
  EXPECT_EQ(INT32_MAX, times<int32_t>(INT32_MIN, -1, saturate));
}

TEST(Numeric, MaximumAndMinimumOfFloats) {
  const float inf = HUGE_VALF, nan = NAN;
  EXPECT_EQ(bits(0.0f), bits(maximum(-0.0f, 0.0f)));
  EXPECT_EQ(bits(0.0f), bits(maximum(0.0f, -0.0f)));
  EXPECT_EQ(bits(-0.0f), bits(maximum(-0.0f, -0.0f)));
  EXPECT_EQ(bits(-0.0f), bits(minimum(-0.0f, 0.0f)));
  EXPECT_EQ(bits(-0.0f), bits(minimum(0.0f, -0.0f)));
  EXPECT_EQ(2.0f, maximum(1.0f, 2.0f));
  EXPECT_EQ(-inf, minimum(-inf, 2.0f));
  for (float other : {1.0f, -inf, nan}) {
    EXPECT_EQ(0x7FC00000u, bits(maximum(-nan, other)));
    EXPECT_EQ(0x7FC00000u, bits(maximum(other, nan)));
    EXPECT_EQ(0x7FC00000u, bits(minimum(nan, other)));
    EXPECT_EQ(0x7FC00000u, bits(minimum(other, -nan)));
  }
}

struct CastCase {
  DType from;
  uint64_t value;
  DType to;
  uint64_t want;
};

TEST(Numeric, CastsScalars) {
  const uint64_t minus_one = ~uint64_t(0);
  const CastCase cases[] = {
      // integer to integer keeps the low bits
      {DType::Int32, uint64_t(int64_t(-1)), DType::UInt8, 255},
      {DType::Int32, 300, DType::UInt8, 44},
      {DType::Int64, 0x1'8000'0000, DType::Int32, uint64_t(int64_t(INT32_MIN))},
      {DType::UInt32, 0xFFFFFFFF, DType::Int64, 0xFFFFFFFF},
      {DType::Int8, 0x80, DType::Int64, uint64_t(int64_t(-128))},
      // to bool: not zero
      {DType::Int32, 256, DType::Bool, 1},
      {DType::Float32, bits(-0.0f), DType::Bool, 0},
      {DType::Float32, bits(NAN), DType::Bool, 1},
      // float to integer truncates and saturates
      {DType::Float32, bits(-2.9f), DType::Int32, uint64_t(int64_t(-2))},
      {DType::Float32, bits(3e9f), DType::Int32, uint64_t(INT32_MAX)},
      {DType::Float32, bits(-3e9f), DType::Int32, uint64_t(int64_t(INT32_MIN))},
      {DType::Float32, bits(-1.0f), DType::UInt32, 0},
      {DType::Float32, bits(300.0f), DType::UInt8, 255},
      {DType::Float32, bits(-129.0f), DType::Int8, uint64_t(int64_t(-128))},
      {DType::Float32, bits(HUGE_VALF), DType::Int64, uint64_t(INT64_MAX)},
      {DType::Float32, bits(-HUGE_VALF), DType::Int64, uint64_t(INT64_MIN)},
      {DType::Float64, bits(1.8446744073709552e19), DType::UInt64, minus_one},
      {DType::Float64, bits(9223372036854774784.0), DType::Int64, 9223372036854774784u},
      {DType::Float32, bits(NAN), DType::Int32, 0},
      {DType::Float16, 0x7C00, DType::Int16, 32767},
      // integer to float rounds once
      {DType::Int32, 16777217, DType::Float32, bits(16777216.0f)},
      {DType::Int32, 16777219, DType::Float32, bits(16777220.0f)},
      {DType::UInt64, minus_one, DType::Float32, bits(18446744073709551616.0f)},
      {DType::Int64, minus_one, DType::Float64, bits(-1.0)},
      {DType::Int32, 2049, DType::Float16, 0x6800}, // 2048, tie to even
      {DType::Int32, 2051, DType::Float16, 0x6802}, // 2052
      {DType::Int32, 65519, DType::Float16, 0x7BFF},
      {DType::Int32, 65520, DType::Float16, 0x7C00},
      {DType::Int64, (int64_t(257) << 53) + 1, DType::BFloat16, 0x5E01}, // just above the tie of 256 and 258 times 2^53
      {DType::Int64, int64_t(257) << 53, DType::BFloat16, 0x5E00},
      // float to float
      {DType::Float64, bits(1.0 + 0x1p-11 + 0x1p-40), DType::Float16, 0x3C01}, // float would round to the tie
      {DType::Float64, bits(1.0 + 0x1p-11), DType::Float16, 0x3C00},
      {DType::Float64, bits(1e300), DType::Float32, bits(HUGE_VALF)},
      {DType::Float64, bits(-1e300), DType::Float16, 0xFC00},
      {DType::Float64, bits(1e-300), DType::Float16, 0},
      {DType::Float16, 0xFE01, DType::Float32, 0x7FC00000},
      {DType::BFloat16, 0x3F80, DType::Float64, bits(1.0)},
      {DType::Float32, bits(0x1.8p-24f), DType::Float16, 2},
  };
  for (const CastCase &c : cases)
    EXPECT_EQ(c.want, cast_scalar(c.value, c.from, c.to)) << name(c.from) << " " << c.value << " to " << name(c.to);
}

} // namespace
} // namespace asc
