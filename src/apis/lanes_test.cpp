// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions against a direct transcription of the reference executor (vector execution, reference executor).
#include "apis/lanes.h"

#include "apis/test_call.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace asc {
namespace {

constexpr size_t kMemory = 16 * 1024; // bytes that a random call can reach

/// What one lane computes, on bits, from the formulas of the element-wise instructions.
class LaneOracle {
public:
  LaneOracle(std::string_view row, DType dtype, const CoreState &core) : row_(row), dtype_(dtype), core_(core) {}

  /// `b` is the second source or the scalar, `dst` what the destination holds.
  uint64_t operator()(uint64_t a, uint64_t b, uint64_t dst) const {
    if (is("abs")) return a & (size_of(dtype_) == 2 ? 0x7FFF : 0x7FFFFFFF);
    switch (dtype_) {
    case DType::Int16: return integer(int16_t(a), int16_t(b));
    case DType::Int32: return integer(int32_t(a), int32_t(b));
    case DType::UInt16: return integer(uint16_t(a), uint16_t(b));
    case DType::UInt32: return integer(uint32_t(a), uint32_t(b));
    case DType::Float32: return single(as_float(a), as_float(b), as_float(dst));
    default: return half(uint16_t(a), uint16_t(b), uint16_t(dst));
    }
  }

private:
  bool is(std::string_view a, std::string_view b = "") const { return row_ == a || row_ == b; }
  static float as_float(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }

  template <class T> uint64_t integer(T a, T b) const {
    using Bits = std::make_unsigned_t<T>;
    const auto fit = [&](int64_t exact) {
      return core_.saturate_int ? T(std::clamp<int64_t>(exact, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())) : T(exact);
    };
    if (is("add", "adds")) return Bits(fit(int64_t(a) + b));
    if (is("sub")) return Bits(fit(int64_t(a) - b));
    if (is("mul", "muls")) return Bits(fit(int64_t(a) * b));
    if (is("max", "maxs")) return Bits(std::max(a, b));
    if (is("min", "mins")) return Bits(std::min(a, b));
    if (is("relu")) return Bits(std::max(a, T(0)));
    if (is("add_relu")) return Bits(std::max(fit(int64_t(a) + b), T(0)));
    if (is("sub_relu")) return Bits(std::max(fit(int64_t(a) - b), T(0)));
    if (is("bitwise_and")) return Bits(a & b);
    if (is("bitwise_or")) return Bits(a | b);
    if (is("shift_right")) return Bits(T(int64_t(a) >> b));
    const Bits sign = std::is_signed_v<T> ? Bits(Bits(1) << (8 * sizeof(T) - 1)) : Bits(0); // shift_left
    return Bits((Bits(a) & sign) | (Bits(uint64_t(Bits(a)) << b) & ~sign));
  }
  template <class T> static T larger(T a, T b) { // +0 is the larger zero
    return std::isnan(a) || std::isnan(b) ? T(NAN) : a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
  }
  /// `round`: to the element type.
  template <class T> T real(T a, T b, T dst, auto round) const {
    if (is("add", "adds")) return a + b;
    if (is("sub")) return a - b;
    if (is("mul", "muls")) return a * b;
    if (is("div")) return a / b;
    if (is("max", "maxs")) return larger(a, b);
    if (is("min", "mins")) return -larger(-a, -b);
    if (is("relu")) return larger(a, T(0));
    if (is("exp")) return T(std::exp((long double)(a)));
    if (is("add_relu")) return larger(a + b, T(0));
    if (is("sub_relu")) return larger(a - b, T(0));
    if (is("leaky_relu")) return a >= 0 ? a : a * b;
    const T sum = round(a * dst) + b;
    return is("fused_mul_add") ? sum : larger(sum, T(0));
  }
  uint64_t single(float a, float b, float dst) const {
    const float r = real(a, b, dst, [](float f) { return f; });
    return std::isnan(r) ? 0x7FC00000 : std::bit_cast<uint32_t>(r);
  }
  uint64_t half(uint16_t a, uint16_t b, uint16_t dst) const { // exact in double, or nearly, then rounded
    const RoundingOracle &oracle = RoundingOracle::half();
    const auto round = [&](double value) { return oracle.decode(oracle.encode(value)); };
    const uint16_t r = oracle.encode(real(oracle.decode(a), oracle.decode(b), oracle.decode(dst), round));
    if (core_.keep_inf_nan || (r & 0x7FFF) < 0x7C00) return r;
    return (r & 0x7FFF) > 0x7C00 ? 0 : r == 0x7C00 ? 0x7BFF : 0xFBFF;
  }

  std::string_view row_;
  DType dtype_;
  const CoreState &core_;
};

struct ReferenceOperand {
  size_t base;
  uint32_t block_stride, repeat_stride;
};

/// The executor of the specification: registers, mode and memory as written there.
struct Reference {
  std::vector<std::byte> memory;
  std::vector<bool> written, read; // bytes
  unsigned __int128 mask;
  bool counter;

  size_t lane_address(const ReferenceOperand &t, uint32_t element, uint32_t r, uint32_t k) const {
    const uint32_t per_block = 32 / element;
    return t.base + (size_t(r) * t.repeat_stride + size_t(k / per_block) * t.block_stride) * 32 + (k % per_block) * element;
  }
  static unsigned __int128 encode_continuous(int64_t m, uint32_t element) {
    const unsigned __int128 one = 1;
    if (m <= 0) return 0;
    if (m == 64) return (one << 64) - 1;
    if (m == 256 / element || m >= 128) return ~(one - one);
    return (one << m) - 1;
  }
  template <class Op>
  void run(const Op &op, uint32_t element, const ReferenceOperand &dst, std::vector<ReferenceOperand> sources, bool reads_dst,
           uint32_t repeats) {
    const size_t dst_at = 2; // of op's arguments
    sources.resize(reads_dst ? dst_at + 1 : sources.size(), dst);
    const uint32_t per_repeat = 256 / element;
    const uint32_t n = uint32_t(mask);
    if (counter) repeats = uint32_t((uint64_t(n) + per_repeat - 1) / per_repeat);
    for (uint32_t r = 0; r < repeats; ++r) {
      std::vector<std::pair<uint32_t, uint64_t>> values;
      for (uint32_t k = 0; k < per_repeat; ++k) {
        if (counter ? uint64_t(r) * per_repeat + k >= n : !(mask >> k & 1)) continue;
        uint64_t in[3] = {};
        for (size_t s = 0; s < sources.size(); ++s) {
          const size_t at = lane_address(sources[s], element, r, k);
          std::memcpy(&in[s], &memory[at], element);
          std::fill_n(read.begin() + ptrdiff_t(at), element, true);
        }
        values.emplace_back(k, op(in[0], in[1], in[2]));
      }
      for (const auto &[k, value] : values) {
        const size_t at = lane_address(dst, element, r, k);
        std::memcpy(&memory[at], &value, element);
        std::fill_n(written.begin() + ptrdiff_t(at), element, true);
      }
    }
  }
};

const char *const kRowNames[] = {"add",
                                 "sub",
                                 "mul",
                                 "div",
                                 "max",
                                 "min",
                                 "add_relu",
                                 "sub_relu",
                                 "bitwise_and",
                                 "bitwise_or",
                                 "adds",
                                 "muls",
                                 "maxs",
                                 "mins",
                                 "leaky_relu",
                                 "shift_left",
                                 "shift_right",
                                 "abs",
                                 "relu",
                                 "duplicate",
                                 "fused_mul_add",
                                 "fused_mul_add_relu",
                                 "exp"};

std::vector<DType> lane_types(const Row &row) {
  std::vector<DType> types;
  for (unsigned t = 0; t < kDTypes; ++t)
    if (row.args[0].dtypes.has(DType(t))) types.push_back(DType(t));
  return types;
}

/// Bits that meet the corners of every type often.
uint64_t random_element(std::mt19937_64 &random, uint32_t bytes) {
  static constexpr uint64_t corners[] = {0,      0x8000,     0x7C00,     0xFC00,     0x7E01,     0x0001,     0x03FF,     0x7BFF,
                                         0x7FFF, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x00000001, 0x7F7FFFFF, 0x7FFFFFFF};
  const uint64_t value = random() % 4 == 0 ? corners[random() % std::size(corners)] : random();
  return bytes == 2 ? uint16_t(value) : uint32_t(value);
}

/// One random instruction: our row and the reference on the same memory and registers.
void run_random_call(std::mt19937_64 &random) {
  const auto below = [&](uint64_t n) { return random() % n; };
  const std::string_view name = kRowNames[below(std::size(kRowNames))];
  const Row &row = *find_row(name);
  const std::vector<DType> types = lane_types(row);
  const DType dtype = types[below(types.size())];
  const uint32_t element = size_of(dtype), per_repeat = 256 / element;
  const unsigned form = unsigned(below(3));
  const unsigned tensors = row.vector->size;
  const bool fill = tensors == 1, unary = tensors == 2;
  const bool scalar = std::any_of(row.args.begin(), row.args.end(), [](const Arg &arg) { return arg.kind == ArgKind::Number; });
  SCOPED_TRACE(std::string(name) + " " + std::string(asc::name(dtype)) + " form " + std::to_string(form) + " set " +
               std::string(asc::name(instruction_set())));

  CoreState core;
  core.counter_mode = below(3) == 0;
  core.mask_lo = core.counter_mode ? below(6 * per_repeat) : random();
  core.mask_hi = random();
  core.keep_inf_nan = below(4) != 0;
  core.saturate_int = below(3) == 0;

  TestCall test(name, form, dtype);
  std::vector<ReferenceOperand> operands;
  const char *const names[] = {"dst", unary ? "src" : "src0", "src1"};
  const bool wide = below(2); // plain strides, or any small ones
  for (unsigned t = 0; t < tensors; ++t) {
    ReferenceOperand operand = {below(256) * 32, 1, 8};
    if (t && below(3) == 0) operand.base = operands[0].base + (below(3) ? 0 : below(12) * 32); // in place, or overlapping in part
    if (form > 0 && wide) operand.block_stride = uint32_t(below(4)), operand.repeat_stride = uint32_t(below(20));
    operands.push_back(operand);
    test.tensor(names[t], Memory::UB, int64_t(operand.base), kMemory);
  }
  const uint64_t number = name.starts_with("shift") ? below(8 * element + 1) : random_element(random, element);
  if (scalar) test.set("scalar", number);
  bool sets = true;
  int64_t mask_value = 0;
  uint64_t bits[2] = {};
  const uint32_t repeats = uint32_t(below(7));
  if (form == 0) {
    mask_value = int64_t(below(6 * per_repeat));
    test.set("count", uint64_t(mask_value));
    if (scalar && !fill) test.set("is_set_mask", sets = below(2));
  } else {
    if (form == 1) test.set("mask", uint64_t(mask_value = int64_t(below(per_repeat + 9))));
    const uint64_t patterns[] = {
        0, ~uint64_t(0), 0x5555555555555555, random(), random() & random() & random(), (uint64_t(1) << below(64)) - 1};
    bits[0] = patterns[below(6)], bits[1] = patterns[below(6)];
    if (form == 2 && core.counter_mode) bits[0] = below(6 * per_repeat);                            // read as a count
    if (form == 1 && core.counter_mode) test.set("mask", uint64_t(mask_value = int64_t(below(9)))); // 2^8 - 1 elements at most
    if (form == 2) test.set("mask_bits", {bits[0], bits[1]});
    test.set("repeat_times", repeats).set("is_set_mask", sets = below(3) != 0);
    if (fill)
      test.set("dst_block_stride", operands[0].block_stride).set("dst_repeat_stride", operands[0].repeat_stride);
    else if (unary)
      test.set("repeat_params", {operands[0].block_stride, operands[1].block_stride, operands[0].repeat_stride, operands[1].repeat_stride});
    else
      test.set("repeat_params", {operands[0].block_stride, operands[1].block_stride, operands[2].block_stride, operands[0].repeat_stride,
                                 operands[1].repeat_stride, operands[2].repeat_stride});
  }

  Reference reference;
  for (size_t i = 0; i < kMemory; i += element) {
    const uint64_t value = random_element(random, element);
    for (uint32_t b = 0; b < element; ++b) reference.memory.push_back(std::byte(value >> 8 * b));
  }
  reference.written.resize(kMemory), reference.read.resize(kMemory);
  reference.mask = (unsigned __int128)core.mask_hi << 64 | core.mask_lo;
  reference.counter = core.counter_mode;
  if (sets) reference.mask = form == 1 ? Reference::encode_continuous(mask_value, element) : (unsigned __int128)bits[1] << 64 | bits[0];
  if (sets && form == 0) reference.mask = uint64_t(mask_value), reference.counter = true;

  std::vector<std::byte> memory = reference.memory;
  alignas(64) static std::byte aligned[kMemory];
  std::memcpy(aligned, memory.data(), kMemory);
  const Accesses accesses = test.accesses(core);
  CoreState after = core;
  test.run(after, aligned);

  const LaneOracle oracle(name, dtype, core);
  const std::vector<ReferenceOperand> sources(operands.begin() + 1, operands.end());
  const auto op = [&](uint64_t a, uint64_t b, uint64_t dst) { return fill ? number : oracle(a, scalar ? number : b, dst); };
  reference.run(op, element, operands[0], sources, row.args[0].role == Role::InOut, form == 0 ? 1 : repeats);
  if (sets && form == 0) reference.counter = false, reference.mask = ~(unsigned __int128)0;

  const auto different = std::mismatch(aligned, aligned + kMemory, reference.memory.begin()).first - aligned;
  ASSERT_EQ(ptrdiff_t(kMemory), different) << "first byte that differs; dst at " << operands[0].base;
  EXPECT_EQ(uint64_t(reference.mask), after.mask_lo);
  EXPECT_EQ(uint64_t(reference.mask >> 64), after.mask_hi);
  EXPECT_EQ(reference.counter, after.counter_mode);
  CoreState issued = core;
  test.call.row->registers(test.call, issued);
  EXPECT_EQ(after.mask_lo, issued.mask_lo);
  EXPECT_EQ(after.mask_hi, issued.mask_hi);
  EXPECT_EQ(after.counter_mode, issued.counter_mode);

  std::vector<bool> written(kMemory), read(kMemory);
  for (const Access &access : accesses.span()) {
    const int64_t base = access.address.offset();
    int64_t low = INT64_MAX, high = 0;
    access.for_each_run([&](int64_t offset, int64_t bytes) {
      if (access.write) std::fill_n(written.begin() + base + offset, bytes, true);
      if (access.read) std::fill_n(read.begin() + base + offset, bytes, true);
      low = std::min(low, offset), high = std::max(high, offset + bytes);
    });
    if (!access.empty()) {
      EXPECT_EQ(std::pair(low, high), access.extent());
    }
  }
  EXPECT_EQ(reference.written, written);
  EXPECT_EQ(reference.read, read);
}

TEST(Lanes, AgreeWithTheReferenceExecutor) {
  for (InstructionSet set : instruction_sets()) {
    use_instruction_set(set);
    std::mt19937_64 random(7); // the same calls for every set
    for (int i = 0; i < 4000 && !testing::Test::HasFailure(); ++i) run_random_call(random);
  }
  use_instruction_set(instruction_sets().back());
}

/// Every half as first operand, with many second ones, in one contiguous call: the fast path of every instruction set.
TEST(Lanes, HalfArithmeticRoundsOnce) {
  constexpr size_t n = 0x10000;
  std::vector<uint16_t> a(n), b(n), c(n), dst(n);
  std::mt19937_64 random(3);
  for (size_t i = 0; i < n; ++i) a[i] = uint16_t(i);
  for (int round = 0; round < 12; ++round) {
    for (uint16_t &x : dst) x = uint16_t(random_element(random, 2));
    for (size_t i = 0; i < n; ++i) b[i] = round < 4 ? uint16_t(a[i] ^ (1u << (random() % 16))) : uint16_t(random_element(random, 2));
    for (const char *name : {"add", "sub", "mul", "div", "max", "min", "add_relu", "fused_mul_add"}) {
      TestCall test(name, 0, DType::Float16);
      test.set("count", n);
      CoreState core;
      const LaneOracle oracle(name, DType::Float16, core);
      std::vector<uint16_t> want(n);
      for (size_t i = 0; i < n; ++i) want[i] = uint16_t(oracle(a[i], b[i], dst[i]));
      for (InstructionSet set : instruction_sets()) {
        use_instruction_set(set);
        c = dst;
        Exec exec{test.call, core};
        exec.data = {reinterpret_cast<std::byte *>(c.data()), reinterpret_cast<std::byte *>(a.data()),
                     reinterpret_cast<std::byte *>(b.data())};
        test.call.row->run(exec);
        const size_t at = size_t(std::mismatch(c.begin(), c.end(), want.begin()).first - c.begin());
        ASSERT_EQ(n, at) << name << " on " << asc::name(set) << ": " << std::hex << a[at] << ", " << b[at] << " gave " << c[at] << ", not "
                         << want[at];
      }
    }
  }
  use_instruction_set(instruction_sets().back());
}

/// The array conversions of one instruction set equal the scalar ones, NaN included.
template <InstructionSet S> void expect_conversions_of_numeric_h() {
  std::vector<Half> halves(0x10000), narrowed(0x10000);
  std::vector<float> floats(0x10000);
  for (size_t i = 0; i < halves.size(); ++i) halves[i].bits = uint16_t(i);
  widen_halves<S>(halves.data(), floats.data(), halves.size());
  for (size_t i = 0; i < halves.size(); ++i)
    ASSERT_EQ(std::bit_cast<uint32_t>(half_to_float(halves[i].bits)), std::bit_cast<uint32_t>(floats[i])) << name(S) << " half " << i;
  std::mt19937_64 random(9);
  for (int round = 0; round < 8; ++round) {
    for (float &f : floats) f = std::bit_cast<float>(uint32_t(round ? random() : random() | 0x7F800000)); // the first round: NaN and Inf
    narrow_floats<S>(floats.data(), narrowed.data(), floats.size());
    for (size_t i = 0; i < floats.size(); ++i) ASSERT_EQ(float_to_half(floats[i]), narrowed[i].bits) << name(S) << " float " << floats[i];
  }
}

TEST(Lanes, ConversionsOfAllInstructionSets) {
  for (InstructionSet set : instruction_sets()) {
    switch (set) {
    case InstructionSet::Baseline: expect_conversions_of_numeric_h<InstructionSet::Baseline>(); break;
    case InstructionSet::Avx2: expect_conversions_of_numeric_h<InstructionSet::Avx2>(); break;
    case InstructionSet::Avx512: expect_conversions_of_numeric_h<InstructionSet::Avx512>(); break;
    }
  }
}

/// Long contiguous calls, in place too, give the same bits in every set; lengths meet every tail of the vector loops.
TEST(Lanes, InstructionSetsGiveTheSameBits) {
  constexpr size_t n = 4096;
  std::mt19937_64 random(5);
  for (const char *name : kRowNames)
    for (DType dtype : lane_types(*find_row(name)))
      for (size_t count : {size_t(1), size_t(7), size_t(31), size_t(513), n - 1, n}) {
        std::vector<uint32_t> first(n), second(n);
        for (uint32_t &x : first) x = uint32_t(random_element(random, 4));
        for (uint32_t &x : second) x = uint32_t(random_element(random, 4));
        const bool shift = std::string_view(name).starts_with("shift");
        const uint64_t scalar = shift ? random() % (8 * size_of(dtype) + 1) : random_element(random, size_of(dtype));
        std::vector<uint32_t> want;
        for (InstructionSet set : instruction_sets()) {
          use_instruction_set(set);
          TestCall test(name, 0, dtype);
          test.set("count", count);
          const unsigned tensors = test.call.row->vector->size;
          for (const Arg &arg : test.call.row->args)
            if (arg.kind == ArgKind::Number) test.set("scalar", scalar);
          std::vector<uint32_t> in_place = first;
          CoreState core;
          Exec exec{test.call, core};
          std::byte *const data[] = {reinterpret_cast<std::byte *>(in_place.data()), reinterpret_cast<std::byte *>(in_place.data()),
                                     reinterpret_cast<std::byte *>(second.data())};
          for (unsigned t = 0; t < tensors; ++t) exec.data[test.call.row->vector->tensors[t].arg] = data[t];
          test.call.row->run(exec);
          if (want.empty()) want = in_place;
          ASSERT_EQ(want, in_place) << name << " " << asc::name(dtype) << " count " << count << " on " << asc::name(set);
        }
      }
  use_instruction_set(instruction_sets().back());
}

/// Worked vectors of the specification (vector execution, section 8).
TEST(Lanes, DocumentedStrides) {
  std::vector<int16_t> memory(4096, -1);
  for (int i = 0; i < 512; ++i) memory[1024 + i] = int16_t(1 + i), memory[2048 + i] = int16_t(513 + i);
  const auto run = [&](std::initializer_list<uint64_t> params) {
    TestCall test("add", 1, DType::Int16);
    test.tensor("dst", Memory::UB, 0, 1024).tensor("src0", Memory::UB, 2048, 1024).tensor("src1", Memory::UB, 4096, 1024);
    test.set("mask", 128).set("repeat_times", 2).set("repeat_params", params);
    CoreState core;
    test.run(core, reinterpret_cast<std::byte *>(memory.data()));
  };
  run({1, 1, 1, 8, 16, 8});
  EXPECT_EQ(514, memory[0]);
  EXPECT_EQ(768, memory[127]);
  EXPECT_EQ(898, memory[128]);
  EXPECT_EQ(1152, memory[255]);
  EXPECT_EQ(-1, memory[256]);
  run({1, 2, 1, 8, 16, 8});
  for (int block = 0; block < 8; ++block) {
    EXPECT_EQ(514 + 48 * block, memory[16 * block]);
    EXPECT_EQ(544 + 48 * block, memory[16 * block + 15]);
    EXPECT_EQ(898 + 48 * block, memory[128 + 16 * block]);
  }
}

/// dst = src1 with a repeat stride of 0 chains the repeats: the sum of all of src0.
TEST(Lanes, RepeatsChainThroughDst) {
  std::vector<float> memory(64 * 6);
  for (size_t i = 64; i < memory.size(); ++i) memory[i] = float(i);
  TestCall test("add", 1, DType::Float32);
  test.tensor("dst", Memory::UB, 0, 256).tensor("src0", Memory::UB, 256, 1280).tensor("src1", Memory::UB, 0, 256);
  test.set("mask", 64).set("repeat_times", 5).set("repeat_params", {1, 1, 1, 0, 8, 0});
  CoreState core;
  test.run(core, reinterpret_cast<std::byte *>(memory.data()));
  for (size_t k = 0; k < 64; ++k) EXPECT_EQ(float(5 * k + 64 * (1 + 2 + 3 + 4 + 5)), memory[k]);
}

} // namespace
} // namespace asc
