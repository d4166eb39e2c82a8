// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator on programs written by hand: scalar operations, control flow, flags, bounds, blocks, time.
#include "sim/program_builder.h"

#include "apis/moment.h"
#include "diagnostics/diagnostic.h"
#include "sim/hardware.h"
#include "sim/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace asc::sim {
namespace {

using Codes = std::vector<std::string>;

/// dst = a op b of `type`, as register bits; `codes` gets the findings.
uint64_t scalar_result(Op op, DType type, uint64_t a, uint64_t b, Codes *codes = nullptr, bool check = true) {
  ProgramBuilder builder;
  const auto out = builder.array("out", DType::UInt64);
  const auto x = builder.scalar("a", type), y = builder.scalar("b", type);
  const auto dst = builder.reg();
  const Use use = info(op).b;
  builder.emit(op, type, dst, x, use == Use::None ? 0 : y);
  builder.store(DType::UInt64, builder.global(DType::UInt64, out), 0, dst);
  std::vector<uint64_t> data(1);
  TestLaunch test;
  test.options.checks = check ? Checks::all() : Checks::none();
  test.scalars = {a, b};
  const LaunchResult result = test.array(data).run(builder);
  if (codes)
    *codes = codes_of(result);
  else
    EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
  return data[0];
}

template <class T> constexpr DType dtype_of() {
  if (std::is_same_v<T, int8_t>) return DType::Int8;
  if (std::is_same_v<T, int16_t>) return DType::Int16;
  if (std::is_same_v<T, int32_t>) return DType::Int32;
  if (std::is_same_v<T, int64_t>) return DType::Int64;
  if (std::is_same_v<T, uint8_t>) return DType::UInt8;
  if (std::is_same_v<T, uint16_t>) return DType::UInt16;
  if (std::is_same_v<T, uint32_t>) return DType::UInt32;
  return DType::UInt64;
}
/// Integers in a wide type: what mathematics says.
using Wide = __int128;

template <class T> class Integers : public testing::Test {};
using AllIntegers = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(Integers, AllIntegers);

TYPED_TEST(Integers, arithmetic) {
  using T = TypeParam;
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const T values[] = {0, 1, 2, 3, 7, 100, T(high / 2), T(high - 1), high, T(low + 1), low, T(-1), T(-2), T(-7)};
  const auto floor_div = [](Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
  for (const T a : values)
    for (const T b : values) {
      const auto check = [&](Op op, Wide exact) {
        Codes codes;
        const uint64_t bits = scalar_result(op, dtype_of<T>(), uint64_t(a), uint64_t(b), &codes);
        const T wrapped = T(uint64_t(exact));
        EXPECT_EQ(bits, uint64_t(int64_t(wrapped)) & (std::is_signed_v<T> || sizeof(T) == 8 ? ~uint64_t(0) : uint64_t(high)))
            << info(op).name << " " << int64_t(a) << " " << int64_t(b);
        const bool lost = std::is_signed_v<T> && (exact < Wide(low) || exact > Wide(high));
        EXPECT_EQ(codes, lost ? Codes{"M201"} : Codes{}) << info(op).name << " " << int64_t(a) << " " << int64_t(b);
      };
      check(Op::Add, Wide(a) + b);
      check(Op::Sub, Wide(a) - b);
      check(Op::Mul, Wide(static_cast<unsigned __int128>(Wide(a)) * static_cast<unsigned __int128>(Wide(b))));
      check(Op::Min, a < b ? a : b);
      check(Op::Max, a > b ? a : b);
      check(Op::And, Wide(a & b));
      check(Op::Or, Wide(a | b));
      check(Op::Xor, Wide(a ^ b));
      if (b == 0) continue;
      check(Op::Div, Wide(a) / b);
      check(Op::Rem, Wide(a) % b);
      check(Op::FloorDiv, floor_div(a, b));
      check(Op::FloorMod, Wide(a) - floor_div(a, b) * b);
    }
}

TYPED_TEST(Integers, unary_compare_shift) {
  using T = TypeParam;
  constexpr DType type = dtype_of<T>();
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const auto bits = [](T v) { return std::is_signed_v<T> ? uint64_t(int64_t(v)) : uint64_t(v); };
  EXPECT_EQ(scalar_result(Op::Neg, type, bits(5), 0), bits(T(-5)));
  EXPECT_EQ(scalar_result(Op::Not, type, bits(5), 0), bits(T(~T(5))));
  const T values[] = {0, 1, high, low, T(-1)};
  for (const T a : values)
    for (const T b : values) {
      EXPECT_EQ(scalar_result(Op::Eq, type, bits(a), bits(b)), uint64_t(a == b));
      EXPECT_EQ(scalar_result(Op::Ne, type, bits(a), bits(b)), uint64_t(a != b));
      EXPECT_EQ(scalar_result(Op::Lt, type, bits(a), bits(b)), uint64_t(a < b));
      EXPECT_EQ(scalar_result(Op::Le, type, bits(a), bits(b)), uint64_t(a <= b));
      EXPECT_EQ(scalar_result(Op::Gt, type, bits(a), bits(b)), uint64_t(a > b));
      EXPECT_EQ(scalar_result(Op::Ge, type, bits(a), bits(b)), uint64_t(a >= b));
    }
  constexpr unsigned width = 8 * sizeof(T);
  for (unsigned n : {0u, 1u, width - 1}) {
    EXPECT_EQ(scalar_result(Op::Shl, type, bits(T(3)), n, nullptr, /*check=*/false), bits(T(uint64_t(3) << n)));
    EXPECT_EQ(scalar_result(Op::Shr, type, bits(T(-4)), n), bits(T(T(-4) >> n)));
  }
  Codes codes;
  scalar_result(Op::Shl, type, 3, width - 1, &codes); // loses the sign of a signed number
  EXPECT_EQ(codes, std::is_signed_v<T> ? Codes{"M201"} : Codes{});
  EXPECT_EQ(scalar_result(Op::Shl, type, 3, width + 1, &codes), 6u);
  EXPECT_EQ(codes, Codes{"M203"});
}

TYPED_TEST(Integers, division_by_zero_gives_zero) {
  for (const Op op : {Op::Div, Op::Rem, Op::FloorDiv, Op::FloorMod}) {
    Codes codes;
    EXPECT_EQ(scalar_result(op, dtype_of<TypeParam>(), 5, 0, &codes), 0u);
    EXPECT_EQ(codes, Codes{"M202"});
    EXPECT_EQ(scalar_result(op, dtype_of<TypeParam>(), 5, 0, &codes, false), 0u);
    EXPECT_EQ(codes, Codes{});
  }
}

uint64_t bits_of(float f) { return std::bit_cast<uint32_t>(f); }
float float_of(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }

TEST(Floats, arithmetic) {
  const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.1f, 3.0f, -7.5f, 1e30f, -1e30f, 1e-40f, INFINITY, -INFINITY};
  for (const float a : values)
    for (const float b : values) {
      const auto check = [&](Op op, float expected) {
        const uint64_t got = scalar_result(op, DType::Float32, bits_of(a), bits_of(b));
        EXPECT_EQ(got, expected != expected ? 0x7FC00000u : bits_of(expected)) << info(op).name << " " << a << " " << b;
      };
      check(Op::Add, a + b);
      check(Op::Sub, a - b);
      check(Op::Mul, a * b);
      check(Op::Div, a / b);
      check(Op::Rem, std::fmod(a, b));
      EXPECT_EQ(scalar_result(Op::Lt, DType::Float32, bits_of(a), bits_of(b)), uint64_t(a < b));
      EXPECT_EQ(scalar_result(Op::Eq, DType::Float32, bits_of(a), bits_of(b)), uint64_t(a == b));
    }
}

TEST(Floats, python_division) {
  struct Row {
    float a, b, quotient, rest; // as CPython computes a // b and a % b
  };
  const Row rows[] = {{7, 2, 3, 1},       {-7, 2, -4, 1},       {7, -2, -4, -1},         {-7, -2, 3, -1},
                      {7.5f, 2, 3, 1.5f}, {-7.5f, 2, -4, 0.5f}, {6, 3, 2, 0.0f},         {-6, 3, -2, 0.0f},
                      {6, -3, -2, -0.0f}, {0, 5, 0, 0},         {-0.0f, 5, -0.0f, 0.0f}, {1, -3, -1, -2}};
  for (const Row &r : rows) {
    EXPECT_EQ(scalar_result(Op::FloorDiv, DType::Float32, bits_of(r.a), bits_of(r.b)), bits_of(r.quotient)) << r.a << " " << r.b;
    EXPECT_EQ(scalar_result(Op::FloorMod, DType::Float32, bits_of(r.a), bits_of(r.b)), bits_of(r.rest)) << r.a << " " << r.b;
  }
}

TEST(Floats, nan) {
  const uint64_t nan = 0x7FC00000, one = bits_of(1);
  for (const Op op : {Op::Eq, Op::Lt, Op::Le, Op::Gt, Op::Ge}) EXPECT_EQ(scalar_result(op, DType::Float32, nan, one), 0u);
  EXPECT_EQ(scalar_result(Op::Ne, DType::Float32, nan, nan), 1u);
  for (const Op op : {Op::Min, Op::Max, Op::Add}) EXPECT_EQ(scalar_result(op, DType::Float32, one, nan), nan);
  EXPECT_EQ(scalar_result(Op::Max, DType::Float32, bits_of(-0.0f), bits_of(0.0f)), bits_of(0.0f));
  EXPECT_EQ(scalar_result(Op::Min, DType::Float32, bits_of(0.0f), bits_of(-0.0f)), bits_of(-0.0f));
}

TEST(Floats, sixteen_bits_round_once) {
  // 2048 + 1 is a tie in half: to even. 1 + 2^-8 is a tie in bfloat16.
  EXPECT_EQ(scalar_result(Op::Add, DType::Float16, 0x6800, 0x3C00), 0x6800u);
  EXPECT_EQ(scalar_result(Op::Add, DType::Float16, 0x6801, 0x3C00), 0x6802u);
  EXPECT_EQ(scalar_result(Op::Mul, DType::Float16, 0x7BFF, 0x4000), 0x7C00u); // overflow to infinity
  EXPECT_EQ(scalar_result(Op::Add, DType::BFloat16, 0x3F80, 0x3B80), 0x3F80u);
  EXPECT_EQ(scalar_result(Op::Div, DType::Float64, std::bit_cast<uint64_t>(1.0), std::bit_cast<uint64_t>(3.0)),
            std::bit_cast<uint64_t>(1.0 / 3.0));
}

#if defined(__SSE__)
TEST(Floats, do_not_depend_on_the_state_of_the_host) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040 | 0x6000); // subnormals off, round to zero
  const uint64_t sum = scalar_result(Op::Add, DType::Float32, 1, 1),
                 tie = scalar_result(Op::Add, DType::Float32, bits_of(1.0f), bits_of(0x1.8p-24f));
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(sum, 2u);
  EXPECT_EQ(tie, bits_of(0x1.000002p+0f));
  EXPECT_EQ(after & 0xFFC0, (before | 0x8040 | 0x6000) & 0xFFC0);
}
#endif

TEST(Scalar, boolean) {
  for (const uint64_t a : {0, 1}) {
    EXPECT_EQ(scalar_result(Op::Not, DType::Bool, a, 0), 1 - a);
    for (const uint64_t b : {0, 1}) {
      EXPECT_EQ(scalar_result(Op::And, DType::Bool, a, b), a & b);
      EXPECT_EQ(scalar_result(Op::Xor, DType::Bool, a, b), a ^ b);
    }
  }
}

uint64_t cast_result(DType from, DType to, uint64_t bits) {
  ProgramBuilder builder;
  const auto out = builder.array("out", DType::UInt64);
  const auto x = builder.scalar("a", from);
  const auto dst = builder.reg();
  builder.emit(Op::Cast, to, dst, x, 0, uint8_t(from));
  builder.store(DType::UInt64, builder.global(DType::UInt64, out), 0, dst);
  std::vector<uint64_t> data(1);
  TestLaunch test;
  test.scalars = {bits};
  EXPECT_TRUE(test.array(data).run(builder).findings.empty());
  return data[0];
}

TEST(Scalar, casts) {
  EXPECT_EQ(cast_result(DType::Int32, DType::Int8, 0x180), uint64_t(-128));
  EXPECT_EQ(cast_result(DType::Int8, DType::UInt32, uint64_t(-1)), 0xFFFFFFFFu);
  EXPECT_EQ(cast_result(DType::UInt8, DType::Int64, 200), 200u);
  EXPECT_EQ(cast_result(DType::Bool, DType::Int32, 1), 1u);
  EXPECT_EQ(cast_result(DType::Int32, DType::Bool, 0x100), 1u);
  EXPECT_EQ(cast_result(DType::Float32, DType::Int32, bits_of(-2.9f)), uint64_t(-2));
  EXPECT_EQ(cast_result(DType::Float32, DType::Int32, bits_of(1e20f)), uint64_t(INT32_MAX));
  EXPECT_EQ(cast_result(DType::Float32, DType::UInt8, bits_of(-5)), 0u);
  EXPECT_EQ(cast_result(DType::Float32, DType::Int32, 0x7FC00000), 0u);
  EXPECT_EQ(float_of(cast_result(DType::Int32, DType::Float32, 16777217)), 16777216.0f);
  EXPECT_EQ(cast_result(DType::Float32, DType::Float16, bits_of(65520.0f)), 0x7C00u);
  EXPECT_EQ(cast_result(DType::Float16, DType::Float32, 0x3555), bits_of(0.333251953125f));
}

TEST(Scalar, a_narrowed_value_that_changes_is_found) {
  struct {
    DType from, to;
    uint64_t bits, result;
    bool fits;
  } cases[] = {
      {DType::Int64, DType::Int32, uint64_t(INT32_MIN), uint64_t(INT32_MIN), true},
      {DType::Int64, DType::Int32, (uint64_t(1) << 32) + 8, 8, false},
      {DType::Int32, DType::UInt8, 255, 255, true},
      {DType::Int32, DType::UInt8, 256, 0, false},
      {DType::Int32, DType::UInt8, uint64_t(-1), 255, false},
      {DType::UInt32, DType::Int32, 0x80000000, uint64_t(INT32_MIN), false},
      {DType::UInt64, DType::Int64, ~uint64_t(0), ~uint64_t(0), false},
  };
  for (const auto &c : cases) {
    ProgramBuilder builder;
    const auto out = builder.array("out", DType::UInt64);
    const auto x = builder.scalar("a", c.from);
    const auto dst = builder.reg();
    builder.emit(Op::Narrow, c.to, dst, x, 0, uint8_t(c.from));
    builder.store(DType::UInt64, builder.global(DType::UInt64, out), 0, dst);
    std::vector<uint64_t> data(1);
    TestLaunch test;
    test.scalars = {c.bits};
    const auto findings = test.array(data).run(builder).findings;
    EXPECT_EQ(data[0], c.result);
    ASSERT_EQ(findings.size(), c.fits ? 0u : 1u) << name(c.from) << " " << c.bits << " to " << name(c.to);
    if (!c.fits) EXPECT_EQ(findings[0].code, "M205");
  }
}

// ---------------------------------------------------------------- control flow

TEST(Control, loop_and_select) {
  ProgramBuilder b;
  const auto out = b.array("out", DType::Int64);
  const auto n = b.scalar("n", DType::Int64);
  const auto i = b.reg(), sum = b.reg();
  b.emit(Op::Move, DType::Int64, i, b.constant(uint64_t(0)));
  b.emit(Op::Move, DType::Int64, sum, b.constant(uint64_t(0)));
  const auto head = b.here();
  const auto more = b.binary(Op::Lt, DType::Int64, i, n);
  const auto exit = b.emit(Op::JumpIfZero, DType::Bool, 0, more, 0);
  b.emit(Op::Add, DType::Int64, sum, sum, i);
  b.emit(Op::Add, DType::Int64, i, i, b.constant(uint64_t(1)));
  b.emit(Op::Jump, DType::Void, 0, head);
  b.p.code[exit].b = b.here();
  const auto tensor = b.global(DType::Int64, out);
  b.store(DType::Int64, tensor, 0, sum);
  const auto choice = b.reg();
  b.emit(Op::Move, DType::Bool, choice, more); // 0: the second
  b.emit(Op::Select, DType::Int64, choice, sum, n);
  b.store(DType::Int64, tensor, 1, choice);
  std::vector<int64_t> data(2);
  TestLaunch test;
  test.scalars = {1000};
  const auto result = test.array(data).run(b);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(data, (std::vector<int64_t>{499500, 1000}));
  EXPECT_EQ(result.instructions, 2u + 1000 * 5 + 2 + 1 + 1 + 2 + 1 + 1);
}

TEST(Control, tensors_move_select_and_tell_their_size) {
  ProgramBuilder b;
  const auto out = b.array("out", DType::Int32);
  const auto tensor = b.global(DType::Int32, out);
  const auto x = b.local(DType::Int16, 64, 10), y = b.view(DType::Int16, x, b.constant(uint64_t(4)));
  const auto copy = b.reg(2), chosen = b.reg(2), size = b.reg();
  b.emit(Op::Move2, DType::Int16, copy, y);
  b.emit(Op::Move, DType::Bool, chosen, b.constant(uint64_t(1)));
  b.emit(Op::Select2, DType::Int16, chosen, copy, x);
  b.emit(Op::Size, DType::Int16, size, chosen);
  b.store(DType::Int32, tensor, 0, size);
  b.store(DType::Int16, chosen, 0, b.constant(uint64_t(-3)));
  const auto back = b.reg();
  b.emit(Op::GetValue, DType::Int16, back, x, b.constant(uint64_t(4)), uint8_t(DType::Int32));
  b.store(DType::Int32, tensor, 1, back);
  const auto moved = b.reg();
  b.emit(Op::Offset, DType::Int32, moved, out, b.constant(uint64_t(2)), uint8_t(DType::Int32));
  b.store(DType::Int32, b.global(DType::Int32, moved), 0, b.constant(uint64_t(9)));
  std::vector<int32_t> data(3);
  EXPECT_TRUE(TestLaunch().array(data).run(b).findings.empty());
  EXPECT_EQ(data, (std::vector<int32_t>{6, -3, 9}));
}

/// A loop without an end.
ProgramBuilder endless() {
  ProgramBuilder b;
  b.emit(Op::Jump, DType::Void, 0, 0);
  return b;
}

TEST(Control, registers_are_read_by_their_low_bits) {
  // The same register as a signed and as an unsigned index, and as an operand.
  ProgramBuilder b;
  const auto out = b.array("out", DType::Int32, false, true);
  const auto local = b.local(DType::Int32, 0, 300), index = b.reg(), value = b.reg();
  b.emit(Op::Move, DType::Int8, index, b.constant(uint64_t(-56))); // 200 as uint8
  b.emit(Op::SetValue, DType::Int32, local, index, b.constant(uint64_t(7)), uint8_t(DType::UInt8));
  b.emit(Op::GetValue, DType::Int32, value, local, b.constant(uint64_t(200)), uint8_t(DType::Int32));
  b.store(DType::Int32, b.global(DType::Int32, out), 0, value);
  b.api("duplicate", 0, {local, value, b.constant(uint64_t(0x100000008))});
  b.p.operands.back().dtype = DType::Int32; // a count of 8
  b.emit(Op::Halt, DType::Void);
  std::vector<int32_t> data(1);
  EXPECT_TRUE(TestLaunch().array(data).run(b).findings.empty());
  EXPECT_EQ(data[0], 7);
}

TEST(Control, cycle_limit_ends_an_endless_loop) {
  ProgramBuilder b = endless();
  TestLaunch test;
  test.options.cycle_limit = 100000;
  const auto result = test.run(b);
  ASSERT_EQ(codes_of(result), Codes{"M204"});
  EXPECT_TRUE(result.findings[0].fatal);
  EXPECT_EQ(result.findings[0].sites[0].pc, 0u);
}

TEST(Control, interrupt_ends_an_endless_loop) {
  ProgramBuilder b = endless();
  std::atomic<bool> interrupt = false;
  TestLaunch test;
  test.options.interrupt = &interrupt;
  test.options.blocks = 3;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    interrupt = true;
  });
  const auto result = test.run(b);
  later.join();
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.findings.empty());
}

// ---------------------------------------------------------------- flags

/// z = x + y over 64 floats. `skip`: a call that is left out.
ProgramBuilder add_kernel(std::string_view skip = "", bool wait_first = false) {
  ProgramBuilder b;
  const auto x = b.array("x", DType::Float32, true, false), y = b.array("y", DType::Float32, true, false),
             z = b.array("z", DType::Float32, false, true);
  const auto xg = b.global(DType::Float32, x), yg = b.global(DType::Float32, y), zg = b.global(DType::Float32, z);
  const auto xl = b.local(DType::Float32, 0, 64), yl = b.local(DType::Float32, 256, 64), zl = b.local(DType::Float32, 512, 64);
  const auto tail = [&] {
    if (skip != "wait 1") b.wait_flag("MTE2_V", 0);
    b.api("add", 0, {zl, xl, yl, b.constant(uint64_t(64))});
    if (skip != "set 2") b.set_flag("V_MTE3", 3);
    if (skip != "wait 2") b.wait_flag("V_MTE3", 3);
    b.copy(zg, zl, 64);
  };
  if (wait_first) tail();
  b.copy(xl, xg, 64);
  b.copy(yl, yg, 64);
  if (skip != "set 1") b.set_flag("MTE2_V", 0);
  if (!wait_first) tail();
  return b;
}

struct AddArrays {
  std::vector<float> x, y, z, sum;
  AddArrays(size_t n = 64) : x(n), y(n), z(n), sum(n) {
    for (size_t i = 0; i < n; ++i) x[i] = float(i) / 3, y[i] = float(i * i), sum[i] = x[i] + y[i];
  }
  TestLaunch launch() {
    TestLaunch test;
    return test.array(x, true).array(y, true).array(z);
  }
};

TEST(Flags, add) {
  AddArrays a;
  ProgramBuilder b = add_kernel();
  const auto result = a.launch().run(b);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(a.z, a.sum);
  EXPECT_EQ(result.gm_read_bytes, 512u);
  EXPECT_EQ(result.gm_written_bytes, 256u);
  EXPECT_EQ(result.gm_transfers, 3u);
  EXPECT_EQ(result.pipes[unsigned(Pipe::MTE2)].instructions, 2u);
  EXPECT_EQ(result.pipes[unsigned(Pipe::V)].instructions, 1u);
}

TEST(Flags, wait_before_its_set) {
  AddArrays a;
  ProgramBuilder b = add_kernel("", true);
  EXPECT_TRUE(a.launch().run(b).findings.empty());
  EXPECT_EQ(a.z, a.sum);
}

TEST(Flags, operands_are_captured_at_issue) {
  // V waits; meanwhile S changes the registers that the queued instruction was given.
  ProgramBuilder b;
  const auto out = b.array("out", DType::Int32, false, true);
  const auto local = b.local(DType::Int32, 0, 8), value = b.reg();
  b.emit(Op::Move, DType::Int32, value, b.constant(uint64_t(5)));
  b.wait_flag("S_V", 0);
  b.api("duplicate", 0, {local, value, b.constant(uint64_t(8))});
  b.emit(Op::Move, DType::Int32, value, b.constant(uint64_t(6)));
  b.set_flag("S_V", 0);
  b.set_flag("V_MTE3", 0);
  b.wait_flag("V_MTE3", 0);
  b.copy(b.global(DType::Int32, out), local, 8);
  std::vector<int32_t> data(8);
  EXPECT_TRUE(TestLaunch().array(data).run(b).findings.empty());
  EXPECT_EQ(data, std::vector<int32_t>(8, 5));
}

TEST(Flags, registers_change_when_S_issues) {
  // The count form leaves MASK all ones, even when the instruction itself comes later; a mask set after it belongs to what follows.
  ProgramBuilder b;
  const auto out = b.array("out", DType::Int32, false, true);
  const auto local = b.local(DType::Int32, 0, 64), one = b.constant(uint64_t(1));
  b.api("duplicate", 0, {local, b.constant(uint64_t(9)), b.constant(uint64_t(64))});
  b.wait_flag("S_V", 0);
  b.api("duplicate", 1, {local, one, b.constant(uint64_t(4)), one, one, b.constant(uint64_t(8)), one}); // first 4 lanes
  b.api("reset_mask", 0, {});
  b.set_flag("S_V", 0);
  b.set_flag("V_MTE3", 0);
  b.wait_flag("V_MTE3", 0);
  b.copy(b.global(DType::Int32, out), local, 8);
  std::vector<int32_t> data(8);
  EXPECT_TRUE(TestLaunch().array(data).run(b).findings.empty());
  EXPECT_EQ(data, (std::vector<int32_t>{1, 1, 1, 1, 9, 9, 9, 9}));
}

TEST(Flags, missing_set_is_a_deadlock) {
  AddArrays a;
  ProgramBuilder b = add_kernel("set 1");
  const auto result = a.launch().run(b);
  ASSERT_EQ(codes_of(result), Codes{"S201"});
  const Finding &f = result.findings[0];
  EXPECT_TRUE(f.fatal);
  EXPECT_EQ(f.message, "deadlock in block 0: V waits for flag MTE2_V, id 0, which nothing sets any more; "
                       "MTE3 waits for flag V_MTE3, id 3, whose set_flag stands behind the wait on V");
  EXPECT_EQ(
      f.help,
      "the kernel has no set_flag of MTE2_V: add asc.set_flag(asc.HardEvent.MTE2_V, 0) after the MTE2 instructions that V has to wait for");
  EXPECT_EQ(b.p.code[f.sites[0].pc].op, Op::WaitFlag);
  EXPECT_EQ(b.p.code[f.sites[0].pc].aux, ProgramBuilder::event_of("MTE2_V"));
}

TEST(Flags, deadlock_names_the_other_id) {
  ProgramBuilder b;
  b.set_flag("MTE2_S", 2);
  b.wait_flag("MTE2_S", 1);
  const auto result = TestLaunch().run(b);
  ASSERT_EQ(codes_of(result), Codes{"S201"});
  EXPECT_EQ(result.findings[0].help, "flag MTE2_S is set with id 2: use one id in set_flag and wait_flag");
  EXPECT_EQ(result.findings[0].sites[0].pc, 1u);
  EXPECT_EQ(result.findings[0].sites[1].pc, 0u);
}

TEST(Flags, waits_that_wait_for_each_other) {
  ProgramBuilder b;
  b.wait_flag("MTE3_V", 0);
  b.set_flag("V_MTE3", 0);
  b.wait_flag("V_MTE3", 0);
  b.set_flag("MTE3_V", 0);
  b.barrier(Pipe::ALL);
  const auto result = TestLaunch().run(b);
  ASSERT_EQ(codes_of(result), Codes{"S201"});
  EXPECT_EQ(result.findings[0].help, "the waits wait for each other: set one of the flags before the wait on its pipe");
}

TEST(Flags, an_endless_loop_fills_the_queue_of_a_waiting_pipe) {
  ProgramBuilder b;
  const auto x = b.local(DType::Float32, 0, 64);
  b.wait_flag("MTE2_V", 0);
  const auto head = b.here();
  b.api("duplicate", 0, {x, b.constant(1.0f), b.constant(uint64_t(64))});
  b.emit(Op::Jump, DType::Void, 0, head);
  const auto result = TestLaunch().run(b);
  ASSERT_EQ(codes_of(result), Codes{"S201"});
  EXPECT_EQ(
      result.findings[0].message,
      "deadlock in block 0: V waits for flag MTE2_V, id 0, which nothing sets any more; S has issued 1024 instructions to a pipe that waits");
}

TEST(Flags, set_twice) {
  ProgramBuilder b;
  b.set_flag("S_V", 1);
  b.set_flag("S_V", 1);
  b.wait_flag("S_V", 1);
  const auto result = TestLaunch().run(b);
  ASSERT_EQ(codes_of(result), Codes{"S101"});
  EXPECT_EQ(result.findings[0].sites[0].pc, 1u);
  EXPECT_EQ(result.findings[0].sites[1].pc, 0u);
}

TEST(Flags, leftover) {
  AddArrays a;
  ProgramBuilder b = add_kernel("wait 2");
  const auto result = a.launch().run(b);
  EXPECT_EQ(codes_of(result), Codes{"S104"});
  ProgramBuilder other = add_kernel(); // and the next launch begins with clean flags
  EXPECT_TRUE(a.launch().run(other).findings.empty());
}

TEST(Flags, ids_and_events) {
  ProgramBuilder id;
  id.set_flag("MTE2_V", 8);
  EXPECT_EQ(codes_of(TestLaunch().run(id)), Codes{"S102"});
  ProgramBuilder negative;
  negative.wait_flag("MTE2_V", uint64_t(-1));
  EXPECT_EQ(codes_of(TestLaunch().run(negative)), Codes{"S102"});
  ProgramBuilder cube;
  cube.set_flag("M_FIX", 0);
  EXPECT_EQ(codes_of(TestLaunch().run(cube)), Codes{"S103"});
}

// ---------------------------------------------------------------- bounds

TEST(Bounds, global_memory) {
  AddArrays a(63); // the kernel moves 64
  for (const bool check : {true, false}) {
    ProgramBuilder b = add_kernel();
    TestLaunch test = a.launch();
    test.options.checks = check ? Checks::all() : Checks::none();
    const auto result = test.run(b);
    ASSERT_EQ(codes_of(result), Codes{"M101"});
    EXPECT_TRUE(result.findings[0].fatal);
    EXPECT_EQ(result.findings[0].message, "src reaches outside the array of a0 (252 bytes): reads bytes 0..255, 4 bytes past its end");
  }
}

TEST(Bounds, before_the_start) {
  ProgramBuilder b;
  const auto x = b.array("x", DType::Int32);
  const auto value = b.reg();
  b.emit(Op::GetValue, DType::Int32, value, b.global(DType::Int32, x), b.constant(uint64_t(-1)), uint8_t(DType::Int32));
  std::vector<int32_t> data(8);
  const auto result = TestLaunch().array(data).run(b);
  ASSERT_EQ(codes_of(result), Codes{"M101"});
  EXPECT_EQ(result.findings[0].message,
            "the tensor reaches outside the array of a0 (32 bytes): reads bytes -4..-1, 4 bytes before its start");
}

TEST(Bounds, unified_buffer) {
  ProgramBuilder b;
  const auto x = b.local(DType::Float32, 192 * 1024 - 128, 32);
  b.api("duplicate", 0, {x, b.constant(1.0f), b.constant(uint64_t(64))});
  TestLaunch test;
  test.options.checks = Checks::none();
  const auto result = test.run(b);
  ASSERT_EQ(codes_of(result), Codes{"M101"});
  EXPECT_EQ(result.findings[0].message, "dst reaches outside UB (196608 bytes): writes bytes 196480..196735, 128 bytes past its end");
}

TEST(Bounds, tensor_without_room) {
  ProgramBuilder b;
  b.local(DType::Float32, 192 * 1024 - 4, 2);
  EXPECT_EQ(codes_of(TestLaunch().run(b)), Codes{"M104"});
}

TEST(Bounds, index_outside_the_tensor_but_inside_memory) {
  ProgramBuilder b;
  const auto x = b.local(DType::Int32, 0, 8);
  b.store(DType::Int32, x, 8, b.constant(uint64_t(1)));
  const auto result = TestLaunch().run(b);
  ASSERT_EQ(codes_of(result), Codes{"M105"});
  EXPECT_FALSE(result.findings[0].fatal);
  EXPECT_EQ(result.findings[0].message, "element 8 of the tensor, expected 0 to 7: it has 8 elements");
}

TEST(Bounds, address_space) {
  ProgramBuilder b;
  const auto x = b.array("x", DType::Int64);
  b.view(DType::Int64, b.global(DType::Int64, x), b.constant(uint64_t(INT64_MAX)));
  std::vector<int64_t> data(1);
  EXPECT_EQ(codes_of(TestLaunch().array(data).run(b)), Codes{"M103"});
}

TEST(Bounds, read_only_array) {
  AddArrays a;
  ProgramBuilder b = add_kernel();
  TestLaunch test = a.launch();
  test.windows[2].read_only = true;
  const auto result = test.run(b);
  EXPECT_EQ(codes_of(result), Codes{"M102"});
  EXPECT_EQ(a.z, std::vector<float>(64));
}

TEST(Bounds, rules_of_the_rows_are_asked) {
  ProgramBuilder b;
  const auto x = b.local(DType::Float32, 4, 64); // not aligned to 32 bytes
  b.api("duplicate", 0, {x, b.constant(1.0f), b.constant(uint64_t(64))});
  ASSERT_EQ(codes_of(TestLaunch().run(b)), Codes{"R104"});
  TestLaunch unchecked;
  unchecked.options.checks = Checks::none();
  EXPECT_EQ(codes_of(unchecked.run(b)), Codes{});
}

/// One instruction in a loop of `turns`; what it is called with changes in the last turn.
LaunchResult last_call_differs(uint64_t turns, uint64_t last_step, bool last_in_counter_mode) {
  ProgramBuilder b;
  const auto x = b.local(DType::Float32, 0, 1024), one = b.constant(uint64_t(1)), eight = b.constant(uint64_t(8));
  const auto zero = b.constant(uint64_t(0)), last = b.constant(turns - 1), i = b.reg(), at = b.reg(), done = b.reg();
  b.emit(Op::Move, DType::Int64, i, zero);
  b.emit(Op::Move, DType::Int64, at, zero);
  const uint32_t loop = b.here();
  b.api("duplicate", 1, {b.view(DType::Float32, x, at), b.constant(1.0f), b.constant(uint64_t(3)), one, one, eight, one});
  b.emit(Op::Add, DType::Int64, i, i, one);
  b.emit(Op::Gt, DType::Int64, done, i, last);
  b.emit(Op::JumpIfZero, DType::Bool, 0, done, b.here() + 2);
  const uint32_t out = b.emit(Op::Jump, DType::Void);
  b.emit(Op::Lt, DType::Int64, done, i, last);
  const uint32_t again = b.emit(Op::JumpIfZero, DType::Bool, 0, done);
  b.emit(Op::Jump, DType::Void, 0, loop);
  b.p.code[again].b = b.here();
  b.emit(Op::Move, DType::Int64, at, b.constant(last_step));
  if (last_in_counter_mode) b.api("set_mask_count", 0, {});
  b.emit(Op::Jump, DType::Void, 0, loop);
  b.p.code[out].a = b.here();
  return TestLaunch().run(b);
}

TEST(Bounds, rules_are_asked_again_when_the_call_changes) {
  for (uint64_t turns : {2, 3, 9}) {
    EXPECT_EQ(codes_of(last_call_differs(turns, 0, false)), Codes{});
    EXPECT_EQ(codes_of(last_call_differs(turns, 64, false)), Codes{});
    EXPECT_EQ(codes_of(last_call_differs(turns, 3, false)), Codes{"R104"});
    EXPECT_EQ(codes_of(last_call_differs(turns, 0, true)), Codes{"R107"});
  }
}

TEST(Bounds, memory_is_poisoned_for_every_block) {
  ProgramBuilder b;
  const auto out = b.array("out", DType::UInt32, false, true);
  const auto x = b.local(DType::UInt32, 1024, 8), value = b.reg();
  b.emit(Op::GetValue, DType::UInt32, value, x, b.constant(uint64_t(3)), uint8_t(DType::Int32));
  b.store(DType::UInt32, b.view(DType::UInt32, b.global(DType::UInt32, out), b.api("get_block_idx", 0, {})), 0, value);
  b.store(DType::UInt32, x, 3, b.constant(uint64_t(7)));
  std::vector<uint32_t> data(100);
  TestLaunch test;
  test.options.blocks = 100;
  EXPECT_TRUE(test.array(data).run(b).findings.empty());
  EXPECT_EQ(data, std::vector<uint32_t>(100, 0xAAAAAAAA));
}

/// Programs of random calls with random operands, in which most are wrong: whatever they do, bytes around the arrays stay as they are. (The
/// sanitizers watch the on-chip memory.)
TEST(Bounds, random_programs_stay_inside) {
  std::mt19937 random(4);
  constexpr size_t kGuard = 4096, kBytes = 4096;
  constexpr auto kCanary = std::byte(0x5C);
  unsigned stopped = 0, clean = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    ProgramBuilder b;
    const auto array = b.array("a", DType::Float32);
    const auto any = [&](std::initializer_list<int64_t> values) { return b.constant(uint64_t(values.begin()[random() % values.size()])); };
    const auto small = [&] { return any({0, 1, 2, 3, 8, 16, 31, 64, 100, 255}); };
    const auto value = [&] {
      return random() % 12 ? small() : any({-1, -8, 256, 4095, 65535, 100000, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN});
    };
    std::vector<uint32_t> tensors;
    const auto tensor = [&] { return tensors[random() % tensors.size()]; };
    constexpr DType kTypes[] = {DType::Float32, DType::Float16, DType::Int16};
    const DType type = kTypes[random() % 3];
    for (unsigned i = 0; i < 3; ++i) tensors.push_back(b.local(type, 32 * (random() % 6144), 8 * (random() % 64)));
    const auto global = b.global(type, array);
    for (unsigned i = 0; i < 8; ++i) {
      switch (random() % 5) {
      case 0: tensors.push_back(b.view(type, tensor(), small())); break;
      case 1: {
        const auto there = b.view(type, global, small());
        if (random() % 2)
          b.api("data_copy", 0, {there, tensor(), value()});
        else
          b.api("data_copy", 1, {tensor(), there, value(), small(), small(), small()});
        break;
      }
      case 2: b.api("add", 0, {tensor(), tensor(), tensor(), value()}); break;
      case 3:
        b.api("add", 1,
              {tensor(), tensor(), tensor(), value(), small(), value(), small(), small(), small(), small(), small(), any({0, 1})});
        break;
      case 4: b.store(type, tensor(), random() % 300, small()); break;
      }
    }
    std::vector<std::byte> bytes(kGuard + kBytes + kGuard, kCanary);
    TestLaunch test;
    test.windows.push_back({bytes.data() + kGuard, kBytes, false, "a"});
    test.options.checks = round % 2 ? Checks::all() : Checks::none();
    const auto result = test.run(b);
    const bool fatal = std::any_of(result.findings.begin(), result.findings.end(), [](auto &f) { return f.fatal; });
    ++(fatal ? stopped : clean);
    for (size_t i = 0; i < kGuard; ++i) ASSERT_TRUE(bytes[i] == kCanary && bytes[kGuard + kBytes + i] == kCanary) << round;
  }
  EXPECT_GT(stopped, 100u);
  EXPECT_GT(clean, 100u);
}

// ---------------------------------------------------------------- blocks

/// Every block adds its own 64 floats.
ProgramBuilder add_blocks() {
  ProgramBuilder b;
  const auto x = b.array("x", DType::Float32, true, false), y = b.array("y", DType::Float32, true, false),
             z = b.array("z", DType::Float32, false, true);
  const auto start = b.binary(Op::Mul, DType::Int32, b.api("get_block_idx", 0, {}), b.constant(uint64_t(64)));
  const auto part = [&](uint32_t array) { return b.view(DType::Float32, b.global(DType::Float32, array), start); };
  const auto xl = b.local(DType::Float32, 0, 64), yl = b.local(DType::Float32, 256, 64), zl = b.local(DType::Float32, 512, 64);
  b.copy(xl, part(x), 64);
  b.copy(yl, part(y), 64);
  b.set_flag("MTE2_V", 0);
  b.wait_flag("MTE2_V", 0);
  b.api("add", 0, {zl, xl, yl, b.constant(uint64_t(64))});
  b.set_flag("V_MTE3", 0);
  b.wait_flag("V_MTE3", 0);
  b.copy(part(z), zl, 64);
  return b;
}

// ---------------------------------------------------------------- copies that are not made

/// One random program of large copies and of everything that may happen to their bytes. With `written` it says that it writes the source
/// array, and so every copy is made.
struct CopyTrial {
  std::vector<int32_t> out = std::vector<int32_t>(size_t(info(Memory::UB).bytes) / 4);
  LaunchResult result;

  CopyTrial(unsigned seed, bool written) {
    std::mt19937 random(seed);
    const auto pick = [&](unsigned n) { return uint64_t(random() % n); };
    ProgramBuilder b;
    const auto x = b.array("x", DType::Int32, true, written), z = b.array("z", DType::Int32, false, true);
    const auto source = b.global(DType::Int32, x), dest = b.global(DType::Int32, z);
    constexpr uint64_t kWords = 1024; // 4 KiB, the unit of places and sizes
    const auto place = [&] { return kWords * pick(10) + (pick(3) ? 0 : 8 + 256 * pick(2)); };
    const auto tensor = [&] { return b.local(DType::Int32, 4 * place(), 0); };
    const auto index = b.reg();
    const auto at = [&](auto global, uint64_t offset) { // offsets by addition: there are more of them than constants
      b.emit(Op::Move, DType::Int64, index, b.constant(uint64_t(0)));
      for (; offset >= kWords; offset -= kWords) b.emit(Op::Add, DType::Int64, index, index, b.constant(kWords));
      for (; offset >= 8; offset -= 8) b.emit(Op::Add, DType::Int64, index, index, b.constant(uint64_t(8)));
      return b.view(DType::Int32, global, index);
    };
    const auto value = b.reg();
    for (unsigned i = 0; i < 24; ++i) {
      const uint64_t count = kWords * (1 + pick(2));
      switch (pick(10)) {
      default: b.copy(tensor(), at(source, place()), count); break;
      case 0: b.copy(tensor(), tensor(), count); break;
      case 1: b.copy(at(dest, place()), tensor(), count); break;
      case 2: b.api("add", 0, {tensor(), tensor(), tensor(), b.constant(count)}); break;
      case 3: { // every other lane, with gaps between the repeats
        const auto one = b.constant(uint64_t(1)), nine = b.constant(uint64_t(9));
        b.api("add", 2,
              {tensor(), tensor(), tensor(), b.constant(uint64_t(0xAAAAAAAA)), b.constant(uint64_t(0)), nine, one, one, one, nine, nine,
               nine, one});
        break;
      }
      case 4: { // now and then with a value to fill up with, which the next call finds in its register
        const auto zero = b.constant(uint64_t(0)), one = b.constant(uint64_t(1));
        const auto bytes = b.constant(4 * count - 4 * pick(2)), fill = b.constant(1 + pick(2));
        b.api("data_copy_pad", 2, {tensor(), at(source, place()), one, bytes, zero, zero, pick(2) ? one : zero, zero, zero, fill});
        break;
      }
      case 5: b.api("duplicate", 0, {tensor(), b.constant(uint64_t(7)), b.constant(count)}); break;
      case 6:
        b.emit(Op::GetValue, DType::Int32, value, tensor(), b.constant(uint64_t(8)), uint8_t(DType::Int64));
        b.store(DType::Int32, tensor(), 8, value);
        break;
      }
    }
    b.copy(dest, b.local(DType::Int32, 0, 0), out.size());
    std::vector<int32_t> in(out.size());
    std::iota(in.begin(), in.end(), 1);
    result = TestLaunch().array(in).array(out).run(b);
  }
};

TEST(Copies, that_are_not_made_look_made) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const CopyTrial lent(seed, false), made(seed, true);
    ASSERT_EQ(lent.out, made.out) << seed;
    ASSERT_EQ(lent.result.cycles, made.result.cycles) << seed;
    ASSERT_EQ(codes_of(lent.result), codes_of(made.result)) << seed;
  }
}

TEST(Copies, of_an_array_that_is_written_are_made) {
  for (const bool same_window : {true, false}) {
    ProgramBuilder b;
    const auto x = b.array("x", DType::Int32, true, false), y = b.array("y", DType::Int32, false, true),
               z = b.array("z", DType::Int32, false, true);
    const auto tile = b.local(DType::Int32, 0, 0), sevens = b.local(DType::Int32, 8192, 0);
    b.copy(tile, b.global(DType::Int32, x), 2048);
    b.api("duplicate", 0, {sevens, b.constant(uint64_t(7)), b.constant(uint64_t(2048))});
    b.copy(b.global(DType::Int32, y), sevens, 2048);
    b.copy(b.global(DType::Int32, z), tile, 2048);
    std::vector<int32_t> data(2048, 1), out(2048);
    TestLaunch test;
    test.array(data).array(data).array(out);
    const std::vector<uint64_t> words = {Address(Memory::GM, 0, 0).word, Address(Memory::GM, same_window ? 0 : 1, 0).word,
                                         Address(Memory::GM, 2, 0).word};
    launch(*prepare(b.build()), words, test.windows, test.options);
    EXPECT_EQ(data, std::vector<int32_t>(2048, 7));
    EXPECT_EQ(out, std::vector<int32_t>(2048, 1));
  }
}

TEST(Blocks, any_number_of_threads_gives_the_same) {
  ProgramBuilder b = add_blocks();
  const auto executable = prepare(b.build());
  std::optional<LaunchResult> first;
  for (const unsigned threads : {1u, 2u, 4u}) {
    AddArrays a(64 * 101); // three waves, the last not full
    TestLaunch test = a.launch();
    test.options.blocks = 101, test.options.threads = threads;
    const auto result = test.run(*executable);
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(a.z, a.sum);
    if (!first) first = result;
    EXPECT_EQ(result.cycles, first->cycles);
    EXPECT_EQ(result.instructions, first->instructions);
    EXPECT_EQ(result.pipes[unsigned(Pipe::V)].busy, first->pipes[unsigned(Pipe::V)].busy);
    EXPECT_EQ(result.gm_read_bytes, 101u * 512);
  }
}

TEST(Blocks, findings_do_not_depend_on_threads) {
  ProgramBuilder b = add_blocks();
  const auto executable = prepare(b.build());
  for (const unsigned threads : {1u, 2u, 4u}) {
    AddArrays a(64 * 20); // block 20 is the first to reach outside
    TestLaunch test = a.launch();
    test.options.blocks = 60, test.options.threads = threads;
    const auto result = test.run(*executable);
    ASSERT_EQ(codes_of(result), Codes{"M101"});
    EXPECT_EQ(result.findings[0].sites[0].block, 20u);
    EXPECT_EQ(result.findings[0].message,
              "src reaches outside the array of a0 (5120 bytes): reads bytes 5120..5375, 256 bytes past its end");
  }
}

TEST(Blocks, one_finding_for_a_place_in_all_blocks) {
  ProgramBuilder b;
  b.binary(Op::Div, DType::Int32, b.constant(uint64_t(1)), b.constant(uint64_t(0)));
  TestLaunch test;
  test.options.blocks = 500;
  const auto result = test.run(b);
  ASSERT_EQ(codes_of(result), Codes{"M202"});
  EXPECT_EQ(result.findings[0].sites[0].block, 0u);
}

TEST(Blocks, findings_are_limited_and_the_fatal_one_is_kept) {
  ProgramBuilder b;
  for (unsigned i = 0; i < 30; ++i) b.binary(Op::Div, DType::Int32, b.constant(uint64_t(1)), b.constant(uint64_t(0)));
  b.set_flag("MTE2_V", 8);
  const auto result = TestLaunch().run(b);
  ASSERT_EQ(result.findings.size(), 20u);
  EXPECT_EQ(result.findings[18].sites[0].pc, 18u);
  EXPECT_EQ(result.findings[19].code, "S102");
}

TEST(Blocks, a_forked_child_has_threads_of_its_own) {
  ProgramBuilder b = add_blocks();
  const auto executable = prepare(b.build());
  const auto right = [&] {
    AddArrays a(64 * 16);
    TestLaunch test = a.launch();
    test.options.blocks = 16, test.options.threads = 4;
    return test.run(*executable).findings.empty() && a.z == a.sum;
  };
  ASSERT_TRUE(right());
  const pid_t child = fork();
  if (child == 0) _exit(right() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Blocks, launches_from_many_threads) {
  ProgramBuilder b = add_blocks();
  const auto executable = prepare(b.build());
  std::atomic<unsigned> right = 0;
  std::vector<std::thread> callers;
  for (unsigned i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (unsigned n = 0; n < 20; ++n) {
        AddArrays a(64 * 16);
        TestLaunch test = a.launch();
        test.options.blocks = 16, test.options.threads = 3;
        right += test.run(*executable).findings.empty() && a.z == a.sum;
      }
    });
  for (std::thread &caller : callers) caller.join();
  EXPECT_EQ(right, 80u);
}

TEST(Blocks, polling_on_another_block_makes_progress) {
  // Block 0 waits until block 1 has stored; the array is read and written, so blocks run in turns.
  ProgramBuilder b;
  const auto a = b.array("a", DType::Int32);
  const auto tensor = b.global(DType::Int32, a), value = b.reg(), zero = b.constant(uint64_t(0));
  const auto to_writer = b.emit(Op::JumpIfZero, DType::Int32, 0, b.api("get_block_idx", 0, {}), 0);
  b.store(DType::Int32, tensor, 0, b.constant(uint64_t(42)));
  b.emit(Op::Halt, DType::Void);
  b.p.code[to_writer].b = b.here();
  const auto head = b.here();
  b.emit(Op::GetValue, DType::Int32, value, tensor, zero, uint8_t(DType::Int32));
  b.emit(Op::JumpIfZero, DType::Int32, 0, value, head);
  b.store(DType::Int32, tensor, 1, value);
  std::vector<int32_t> data(2);
  TestLaunch test;
  test.options.blocks = 2;
  EXPECT_TRUE(test.array(data).run(b).findings.empty());
  EXPECT_EQ(data, (std::vector<int32_t>{42, 42}));
}

// ---------------------------------------------------------------- time

TEST(Time, add_by_hand) {
  // S issues one instruction per cycle: 6 tensors, then cycles 7 to 13.
  // Copies of 256 cold bytes by the only core: latency 222 + 160, occupancy max(20, 256 / 68.5, 3.3) = 20, next after 20.
  //   x: 7, data until 27, ends 409; y: starts 27, data 27..47, ends 429. MTE2_V is set at 430; V passes at 431.
  // add of one repeat: 20 + its bank conflicts. x at 0 and y at 256 are in different groups: 1. Ends 452; V_MTE3 at 453; MTE3 passes at
  // 454. Store: 454 + 250 + max(20, 256 / 110) = 724.
  AddArrays a;
  ProgramBuilder b = add_kernel();
  const auto result = a.launch().run(b);
  EXPECT_EQ(result.cycles, 724u + 1850 + 925); // 1 us in the core, 0.5 us outside, at 1850 MHz
  EXPECT_DOUBLE_EQ(result.microseconds, (724 + 1850 + 925) / 1850.0);
  EXPECT_EQ(result.pipes[unsigned(Pipe::MTE2)].busy, 429u - 7);
  EXPECT_EQ(result.pipes[unsigned(Pipe::V)].busy, 21u);
  EXPECT_EQ(result.pipes[unsigned(Pipe::MTE3)].busy, 270u);
}

TEST(Time, bank_conflicts) {
  const auto operand = [](uint64_t address, bool write) {
    Access a;
    a.address = Address(Memory::UB, 0, int64_t(address));
    a.read = !write, a.write = write;
    a.repeats = 64, a.blocks = 8, a.bytes = 32, a.block_stride = 32, a.repeat_stride = 256;
    return a;
  };
  const VectorCost &add = *find_vector_cost("add");
  // The documented micro-benchmark: 4096 float32; both sources in one bank cost a cycle more per repeat.
  const Access free[] = {operand(0, false), operand(0x10100, false), operand(0x20000, true)};
  EXPECT_EQ(vector_cycles(add, free, 4), 20u + 64);
  const Access conflict[] = {operand(0, false), operand(0x4000, false), operand(0x10000, true)};
  EXPECT_EQ(vector_cycles(add, conflict, 4), 20u + 128);
  // One source twice is read once.
  const Access same[] = {operand(0, false), operand(0, false), operand(0x10100, true)};
  EXPECT_EQ(vector_cycles(add, same, 4), 20u + 64);
  // A destination whose blocks are 16 blocks apart: all in one group.
  Access spread = operand(0, true);
  spread.repeats = 2, spread.block_stride = 512;
  EXPECT_EQ(vector_cycles(*find_vector_cost("dup"), std::span(&spread, 1), 4), 15u + 16);
  // The same operands as one run of bytes, as the count form names them.
  Access run[] = {operand(0, false), operand(0x4000, false), operand(0x10000, true)};
  for (Access &a : run) a.repeats = a.blocks = 1, a.bytes = 16384, a.repeat_stride = a.block_stride = 0;
  EXPECT_EQ(vector_cycles(add, run, 4), 20u + 128);
  // Operands that advance differently meet in some repeats only: src1 stays in groups 0-7, src0 alternates.
  Access mixed[] = {operand(0, false), operand(0x4000, false)};
  mixed[1].repeat_stride = 0;
  EXPECT_EQ(vector_cycles(add, mixed, 4), 20u + 32 * 2 + 32 * 1);
  EXPECT_EQ(vector_cycles(*find_vector_cost("exp"), free, 2), 27u + 64 * 4);
  EXPECT_EQ(vector_cycles(*find_vector_cost("exp"), free, 4), 27u + 64 * 2);
}

TEST(Time, packets) {
  EXPECT_EQ(packets(0, 512), 1u);
  EXPECT_EQ(packets(0, 480), 4u); // 256 + 128 + 64 + 32
  EXPECT_EQ(packets(32, 480), 4u);
  EXPECT_EQ(packets(0, 65536), 128u);
  EXPECT_EQ(packets(256, 512), 2u);
  EXPECT_EQ(packets(3, 1), 1u);
  EXPECT_EQ(packets(0, 0), 0u);
}

TEST(Time, transfers_match_published_measurements) {
  // Latency and occupancy of warm copies by one core against cycles measured on a 1.8 GHz part (19 cycles of loop taken off), within 10 %.
  const Traffic alone{find_chip("Ascend910_9382"), 1};
  const auto cycles = [&](Path path, uint32_t rows, uint32_t bytes, int64_t pitch) {
    Access a;
    a.address = Address(Memory::GM, 0, 0);
    a.blocks = rows, a.bytes = bytes, a.block_stride = pitch;
    const DmaTime t = dma_time(path, a, 0, alone);
    return double(t.latency + t.occupancy);
  };
  const auto near = [](double got, double measured) { EXPECT_NEAR(got, measured, 0.1 * measured); };
  near(cycles(Path::GmToUb, 1, 4096, 0), 254);
  near(cycles(Path::GmToUb, 1, 32768, 0), 489);
  near(cycles(Path::GmToUb, 1, 65536, 0), 745);
  near(cycles(Path::GmToUb, 1, 196288, 0), 1758);
  near(cycles(Path::UbToGm, 1, 32768, 0), 511);
  near(cycles(Path::UbToGm, 1, 65536, 0), 826);
  near(cycles(Path::UbToGm, 1, 196288, 0), 2070);
  near(cycles(Path::GmToUb, 16, 480, 512), 0.2378e3 * 1.8 - 19);
}

TEST(Time, data_that_was_moved_is_in_l2) {
  ProgramBuilder b;
  const auto x = b.global(DType::Float32, b.array("x", DType::Float32, true, false));
  const auto xl = b.local(DType::Float32, 0, 64);
  b.copy(xl, x, 64);
  b.barrier(Pipe::ALL);
  b.copy(xl, x, 64);
  std::vector<float> data(64);
  // 3: the first copy starts, 3 + 382 + 20 = 405 complete, the barrier takes a cycle of issue before; then 406: issue, + 222 + 20.
  EXPECT_EQ(TestLaunch().array(data).run(b).cycles, 405u + 1 + 242 + 1850 + 925);
}

TEST(Time, every_cost_key_of_the_rows_exists) {
  for (const Row *row : rows())
    if (row->cost.shape == CostShape::Vector) {
      EXPECT_NE(find_vector_cost(row->cost.key), nullptr) << row->name;
      for (const Form &form : row->forms) EXPECT_TRUE(form.cost.empty() || find_vector_cost(form.cost)) << form.call;
    }
}

TEST(Time, chips) {
  EXPECT_EQ(chips().size(), 12u);
  EXPECT_EQ(find_chip("Ascend910B3")->vector_cores, 40u);
  EXPECT_EQ(find_chip("Ascend910B4-1")->mhz, 1650u);
  EXPECT_EQ(find_chip("Ascend950PR"), nullptr);
  ProgramBuilder b;
  b.p.target = "Ascend950PR";
  EXPECT_THROW(prepare(b.build()), DiagnosticError);
}

// ---------------------------------------------------------------- observers

struct Log : Observer, BlockObserver {
  std::vector<std::string> events;
  uint64_t tickets = 0;
  struct Forward : BlockObserver {
    Log &log;
    explicit Forward(Log &l) : log(l) {}
    uint64_t issue(uint32_t, Pipe pipe) override {
      log.events.push_back("issue " + std::string(name(pipe)) + " #" + std::to_string(++log.tickets));
      return log.tickets;
    }
    void execute(const Execution &e) override {
      log.events.push_back("execute " + std::string(name(e.pipe)) + " " + std::string(e.call ? e.call->row->name : "scalar") + " #" +
                           std::to_string(e.ticket));
    }
    void set_flag(uint32_t, unsigned event, unsigned id, uint64_t ticket, uint64_t) override {
      log.events.push_back("set " + std::string(kEventInfo[event].name) + std::to_string(id) + " #" + std::to_string(ticket));
    }
    void wait_flag(uint32_t, unsigned event, unsigned id, uint64_t ticket, uint64_t, uint64_t) override {
      log.events.push_back("wait " + std::string(kEventInfo[event].name) + std::to_string(id) + " #" + std::to_string(ticket));
    }
    void barrier(uint32_t, Pipe pipe, uint64_t, uint64_t, uint64_t) override { log.events.push_back("barrier " + std::string(name(pipe))); }
    void end(uint64_t) override { log.events.push_back("end"); }
  };
  std::unique_ptr<BlockObserver> block(const BlockInfo &, Report &) override { return std::make_unique<Forward>(*this); }
  void finish(Report &) override { events.push_back("finish"); }
};

TEST(Observers, see_events_in_order_of_effect) {
  AddArrays a;
  Log log;
  ProgramBuilder b = add_kernel("", true);
  TestLaunch test = a.launch();
  Observer *observers[] = {&log};
  test.options.observers = observers;
  test.run(b);
  EXPECT_EQ(log.events, (std::vector<std::string>{"issue V #1", "issue V #2", "issue V #3", "issue MTE3 #4", "issue MTE3 #5",
                                                  "execute MTE2 data_copy #0", "execute MTE2 data_copy #0", "set MTE2_V0 #0",
                                                  "wait MTE2_V0 #1", "execute V add #2", "set V_MTE33 #3", "wait V_MTE33 #4",
                                                  "execute MTE3 data_copy #5", "end", "finish"}));
}

struct Thrower : Observer {
  std::unique_ptr<BlockObserver> block(const BlockInfo &info, Report &) override {
    if (info.block == 3) throw std::runtime_error("broken");
    return std::make_unique<BlockObserver>();
  }
};

TEST(Observers, faults_of_our_own_are_internal_errors) {
  ProgramBuilder b = add_blocks();
  AddArrays a(64 * 8);
  Thrower thrower;
  Observer *observers[] = {&thrower};
  TestLaunch test = a.launch();
  test.options.observers = observers, test.options.blocks = 8, test.options.threads = 4;
  EXPECT_THROW(test.run(b), InternalError);
}

// ---------------------------------------------------------------- for debuggers

/// Moments of a block, numbered from 0; register `r` is the block's number.
ProgramBuilder debug_form(uint32_t *r) {
  ProgramBuilder b;
  *r = b.api("get_block_idx", 0, {});
  const auto moment = [&](Moment m) { b.emit(Op::Statement, DType::Void, b.here() - 1, 0, 0, uint8_t(m)); };
  for (Moment m : {Moment::Enter, Moment::Line, Moment::Breakpoint, Moment::Line, Moment::Leave}) moment(m);
  b.emit(Op::Halt, DType::Void);
  return b;
}

TEST(SteppedLaunch, one_block_is_stepped_while_it_holds_the_others) {
  uint32_t r;
  ProgramBuilder b = debug_form(&r);
  const std::shared_ptr<const Executable> executable = prepare(b.build());
  LaunchOptions options;
  options.blocks = 2;
  using Pause = SteppedLaunch::Pause;
  SteppedLaunch launch(*executable, {}, {}, options);
  const auto goes_to = [&](Stops stops, uint64_t block, uint32_t number, std::vector<uint32_t> functions) {
    ASSERT_EQ(launch.run(stops, nullptr), Pause::Moment);
    EXPECT_EQ(launch.reg(r), block);
    EXPECT_EQ(program_of(*executable).code[launch.statement()].dst, number);
    EXPECT_EQ(std::vector(launch.functions().begin(), launch.functions().end()), functions);
  };
  goes_to(Stops::Breakpoints, 0, 2, {2}); // the function is at its last line, which is instruction 2
  goes_to(Stops::Statements, 0, 3, {4});
  goes_to(Stops::Breakpoints, 1, 2, {2});
  goes_to(Stops::Statements, 1, 3, {4});
  goes_to(Stops::Statements, 1, 4, {});
  EXPECT_EQ(launch.run(Stops::Statements, nullptr), Pause::BlockEnd);
  EXPECT_EQ(launch.run(Stops::Statements, nullptr), Pause::End);
  const LaunchResult result = launch.result();
  EXPECT_EQ(result.instructions, 4u); // moments do not count
  EXPECT_EQ(TestLaunch().run(*executable).instructions, 2u);
}

TEST(SteppedLaunch, bytes_outlive_the_block_and_are_never_those_of_another) {
  uint32_t r;
  ProgramBuilder b = debug_form(&r);
  const std::shared_ptr<const Executable> executable = prepare(b.build());
  Bytes bytes;
  {
    SteppedLaunch launch(*executable, {}, {}, {});
    launch.run(Stops::Breakpoints, nullptr);
    bytes = launch.bytes(Address(Memory::UB, 0, 64).word, 32);
    EXPECT_EQ(bytes.size, 32u);
    EXPECT_EQ(launch.bytes(Address(Memory::UB, 0, 64).word, 0).size, info(Memory::UB).bytes - 64);
    EXPECT_EQ(launch.bytes(Address(Memory::UB, 0, int64_t(info(Memory::UB).bytes) - 8).word, 32).size, 8u);
    EXPECT_EQ(launch.bytes(Address(Memory::UB, 0, -1).word, 1).size, 0u);
    EXPECT_EQ(launch.bytes(Address(Memory::GM, 7, 0).word, 1).size, 0u); // there is no such array
    bytes.data[0] = std::byte(1);
  }
  SteppedLaunch next(*executable, {}, {}, {});
  next.run(Stops::Breakpoints, nullptr);
  EXPECT_EQ(next.bytes(Address(Memory::UB, 0, 64).word, 32).data[0], std::byte(LocalMemory::kPoison));
  EXPECT_EQ(bytes.data[0], std::byte(1));
}

} // namespace
} // namespace asc::sim
