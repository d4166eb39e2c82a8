// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rule: calls that break it, with their message, and legal calls next to them.
#include "apis/rules.h"

#include "apis/numeric.h"
#include "apis/row_checks.h"
#include "apis/test_call.h"

#include <gtest/gtest.h>
#include <set>

namespace asc {
namespace {

const Rule &rule(std::string_view code) {
  for (const Rule *rule : all_rules())
    if (rule->code == code) return *rule;
  throw std::logic_error("no rule " + std::string(code));
}

/// Codes of all rules that the call breaks, as the simulator asks (`core`) or the verifier does (null).
std::vector<std::string> broken(const TestCall &test, const CoreState *core) {
  std::vector<std::string> codes;
  for (const Rule *rule : test.call.row->rules)
    if (rule->check(test.call, core)) codes.emplace_back(rule->code);
  return codes;
}
using Codes = std::vector<std::string>;

class Rules : public testing::Test {
protected:
  static void TearDownTestSuite();

  static TestCall count_form(const char *row, DType dtype = DType::Float32) {
    TestCall test(row, 0, dtype);
    place(test);
    return test.set("count", 64);
  }
  static TestCall mask_form(const char *row, DType dtype = DType::Float32) {
    TestCall test(row, 1, dtype);
    place(test);
    return test.set("mask", 256 / size_of(dtype)).set("repeat_times", 2);
  }
  static TestCall copy_form(unsigned form = 0, DType dtype = DType::Float32) {
    TestCall test("data_copy", form, dtype);
    return test.tensor("dst", Memory::UB, 0, 1024).tensor("src", Memory::GM, 0, 4096);
  }
  /// One block of 40 bytes to the unified buffer.
  static TestCall padded_copy(unsigned form, DType dtype = DType::Float32) {
    TestCall test("data_copy_pad", form, dtype);
    test.slot(test.arg(form < 2 ? "data_copy_params" : "copy_params"), 1).bits = 40;
    return test.tensor("dst", Memory::UB, 0, 1024).tensor("src_gm", Memory::GM, 3, 4096);
  }
  /// Tensors of 1 KiB, one after the other.
  static void place(TestCall &test) {
    for (unsigned i = 0; i < test.call.lay->tensors; ++i)
      test.tensor(test.call.row->args[test.call.lay->tensor[i]].name, Memory::UB, 1024 * i, 1024);
  }

  /// The call breaks exactly this rule, with this message.
  void expect(const TestCall &test, const char *code, const char *argument, const char *got, const char *expected) {
    EXPECT_EQ(Codes{code}, broken(test, &core));
    const std::optional<Violation> violation = rule(code).check(test.call, &core);
    ASSERT_TRUE(violation) << code;
    EXPECT_EQ(argument, test.call.row->args[violation->arg].name);
    EXPECT_EQ(got, violation->got);
    EXPECT_EQ(expected, violation->expected);
    EXPECT_FALSE(violation->help.empty());
    seen.insert(code);
  }
  void expect_legal(const TestCall &test) {
    EXPECT_EQ(Codes{}, broken(test, &core));
    EXPECT_EQ(Codes{}, broken(test, nullptr));
  }

  CoreState core;
  static inline std::set<std::string> seen; // rules that a test has broken
};

TEST_F(Rules, R101ElementType) {
  for (DType dtype : {DType::Int16, DType::Int32, DType::Float16, DType::Float32})
    for (const char *row : {"add", "sub", "mul", "max", "min", "adds", "muls", "maxs", "mins", "duplicate"})
      expect_legal(count_form(row, dtype));
  expect(count_form("mul", DType::BFloat16), "R101", "dst", "dst is bfloat16", "int16, int32, float16 or float32");
  for (DType dtype : {DType::Bool, DType::Int8, DType::UInt8, DType::UInt16, DType::UInt32, DType::Int64, DType::UInt64, DType::BFloat16})
    for (const char *row : {"add", "sub", "mul", "max", "min", "adds", "muls"})
      EXPECT_TRUE(rule("R101").check(count_form(row, dtype).call, nullptr)) << row << " " << name(dtype);
  for (DType dtype : {DType::UInt16, DType::UInt32, DType::BFloat16}) expect_legal(count_form("duplicate", dtype));
  for (DType dtype : {DType::Int8, DType::Int64, DType::Float64})
    EXPECT_TRUE(rule("R101").check(count_form("duplicate", dtype).call, nullptr)) << name(dtype);
  for (unsigned t = 1; t < kDTypes; ++t) expect_legal(copy_form(0, DType(t)).set("count", 32));
}

TEST_F(Rules, R102EqualElementTypes) {
  TestCall test = count_form("add");
  test.slot(test.arg("src1")).dtype = DType::Int32;
  expect(test, "R102", "src1", "src1 is int32", "float32 as dst");
}

TEST_F(Rules, R103UnifiedBuffer) {
  TestCall test = count_form("add");
  expect(test.tensor("src0", Memory::L1, 0, 1024), "R103", "src0", "src0 is in L1", "VECIN, VECOUT or VECCALC");
  TestCall typed = count_form("add"); // the verifier knows the position, not the address
  typed.slot(typed.arg("dst")).known = false;
  typed.slot(typed.arg("dst")).position = Position::CO1;
  EXPECT_EQ("dst is in CO1", rule("R103").check(typed.call, nullptr)->got);
  typed.slot(typed.arg("dst")).position = Position::VECOUT;
  EXPECT_FALSE(rule("R103").check(typed.call, nullptr));
}

TEST_F(Rules, R104AlignedStart) {
  TestCall test = count_form("add");
  expect(test.tensor("src1", Memory::UB, 2052, 1024), "R104", "src1", "src1 starts at byte 2052", "a multiple of 32 bytes");
  expect_legal(count_form("add").tensor("src1", Memory::UB, 2080, 1024));
  expect(copy_form().tensor("dst", Memory::UB, 16, 1024).set("count", 8), "R104", "dst", "dst starts at byte 16", "a multiple of 32 bytes");
}

TEST_F(Rules, R105ValueRange) {
  expect(count_form("add").set("count", uint64_t(-1)), "R105", "count", "count is -1", "0 to 2147483647");
  expect(mask_form("adds").set("repeat_times", 256), "R105", "repeat_times", "repeat_times is 256", "0 to 255");
  expect_legal(mask_form("add").set("repeat_times", 0));
  expect(mask_form("add").set("repeat_params", {1, 1, 1, 8, 256, 8}), "R105", "repeat_params", "repeat_params.src0_rep_stride is 256",
         "0 to 255");
  TestCall wide = mask_form("duplicate").set("dst_block_stride", 1).set("dst_repeat_stride", 8);
  expect_legal(wide);
  expect(wide.set("dst_repeat_stride", uint64_t(-1)).set("repeat_times", 1), "R105", "dst_repeat_stride", "dst_repeat_stride is -1",
         "0 to 255");
  expect(mask_form("muls", DType::Int16).set("mask", uint64_t(-2)), "R105", "mask", "mask is -2", "at least 0");
  for (uint64_t mask : {0, 64, 65, 1000}) expect_legal(mask_form("add").set("mask", mask));
  expect(copy_form(1).set("repeat_params", {4096, 0, 0, 0}), "R105", "repeat_params", "repeat_params.block_count is 4096", "0 to 4095");
}

TEST_F(Rules, R107MaskInCounterMode) {
  EXPECT_TRUE(rule("R107").is_warning);
  core.counter_mode = true;
  expect(mask_form("add").set("mask", 3), "R107", "mask",
         "a mask argument in counter mode, where its bit pattern is read as a count of 7 elements",
         "set_mask_norm() before a call with a mask");
  core.mask_lo = 64;
  EXPECT_EQ(Codes{}, broken(mask_form("add").set("is_set_mask", 0), &core));
  EXPECT_EQ(Codes{}, broken(count_form("add"), &core));
  TestCall into_register("compare", 3, DType::Float32); // it has the mask of one repeat
  place(into_register);
  expect(into_register.set("mask", 5), "R107", "mask",
         "a mask argument in counter mode, where its bit pattern is read as a count of 31 elements",
         "set_mask_norm() before a call with a mask");
  TestCall bits("compare", 4, DType::Float16);
  place(bits);
  expect(bits.set("mask_bits", {6, 1}), "R107", "mask_bits",
         "a mask argument in counter mode, where its bit pattern is read as a count of 6 elements",
         "set_mask_norm() before a call with a mask");
  EXPECT_EQ(Codes{}, broken(bits.set("is_set_mask", 0), &core));
  TestCall into_memory = mask_form("compare"); // it looks at no mask
  into_memory.slot(into_memory.arg("dst")).dtype = DType::UInt8;
  EXPECT_EQ(Codes{}, broken(into_memory.set("mask", 3), &core));
}

TEST_F(Rules, R108BlockStrideOfDst) {
  expect(mask_form("add").set("repeat_params", {0, 1, 1, 8, 8, 8}), "R108", "repeat_params", "repeat_params.dst_blk_stride is 0",
         "1 to 255");
  expect(mask_form("duplicate").set("dst_block_stride", 0).set("dst_repeat_stride", 8), "R108", "dst_block_stride", "dst_block_stride is 0",
         "1 to 255");
  expect_legal(mask_form("add").set("repeat_params", {1, 0, 0, 8, 8, 0}));
}

TEST_F(Rules, R109OverlapInARepeat) {
  expect(count_form("add").tensor("dst", Memory::UB, 1056, 1024), "R109", "dst",
         "dst starts at byte 1056 and src0 at byte 1024; they overlap in part within repeat 0",
         "no common bytes, or the same start and strides");
  expect_legal(count_form("add").tensor("dst", Memory::UB, 1024, 1024));                                      // in place
  expect_legal(count_form("add").tensor("src0", Memory::UB, 0, 1024).tensor("src1", Memory::UB, 0, 1024));    // x += x
  expect_legal(count_form("add").set("count", 8).tensor("dst", Memory::UB, 1056, 1024));                      // 32 bytes beside each other
  expect_legal(mask_form("add").set("mask", 8).set("repeat_times", 1).tensor("dst", Memory::UB, 1056, 1024)); // the same with a mask
  expect_legal(mask_form("adds").tensor("dst", Memory::UB, 1024, 1024));
  // the same start, other block strides
  expect(mask_form("adds").set("repeat_times", 1).set("repeat_params", {2, 1, 16, 8}).tensor("dst", Memory::UB, 1024, 1024), "R109", "dst",
         "dst starts at byte 1024 and src at byte 1024; they overlap in part within repeat 0",
         "no common bytes, or the same start and strides");
}

TEST_F(Rules, R109OverlapAcrossRepeats) {
  // dst one repeat ahead of src: repeat 1 reads what repeat 0 wrote; one repeat behind is legal
  expect(mask_form("adds").tensor("src", Memory::UB, 1024, 1024).tensor("dst", Memory::UB, 1280, 1024), "R109", "dst",
         "dst starts at byte 1280 and src at byte 1024; repeat 1 reads what an earlier repeat of the call writes",
         "no common bytes, or the same start and strides");
  expect_legal(mask_form("adds").tensor("src", Memory::UB, 1280, 1024).tensor("dst", Memory::UB, 1024, 1024));
  // Accumulation: dst is src1 and one of the two repeat strides is 0.
  for (const char *row : {"add", "sub", "mul", "max", "min", "add_relu", "sub_relu"})
    for (DType dtype : {DType::Float32, DType::Float16, DType::Int32}) {
      if (!find_row(row)->args[0].dtypes.has(dtype)) continue;
      expect_legal(mask_form(row, dtype).tensor("src1", Memory::UB, 0, 1024).set("repeat_params", {1, 1, 1, 0, 8, 0}));
      expect_legal(mask_form(row, dtype).tensor("src1", Memory::UB, 0, 1024).set("repeat_params", {1, 1, 1, 8, 8, 0}));
    }
  const char *expected = "no common bytes, or the same start and strides";
  expect(mask_form("add", DType::Int16).tensor("src1", Memory::UB, 0, 1024).set("repeat_params", {1, 1, 1, 0, 8, 0}), "R109", "dst",
         "dst starts at byte 0 and src1 at byte 0; repeat 1 reads what an earlier repeat of the call writes", expected);
  expect(mask_form("add").tensor("src0", Memory::UB, 0, 1024).set("repeat_params", {1, 1, 1, 0, 0, 8}), "R109", "dst",
         "dst starts at byte 0 and src0 at byte 0; repeat 1 reads what an earlier repeat of the call writes", expected);
  for (const char *row : {"div", "fused_mul_add"})
    EXPECT_EQ(Codes{"R109"}, broken(mask_form(row).tensor("src1", Memory::UB, 0, 1024).set("repeat_params", {1, 1, 1, 0, 8, 0}), &core));
  // a dst that is read
  expect(mask_form("fused_mul_add").set("repeat_params", {1, 1, 1, 4, 8, 8}), "R109", "dst",
         "dst starts at byte 0 and dst at byte 0; repeat 1 reads what an earlier repeat of the call writes", expected);
  expect_legal(mask_form("fused_mul_add").set("mask", 32).set("repeat_params", {1, 1, 1, 4, 8, 8}));
  expect_legal(mask_form("add").set("repeat_params", {1, 1, 1, 4, 8, 8}));
}

TEST_F(Rules, R109CopiesDoNotOverlap) {
  TestCall test("data_copy", 0, DType::Float32);
  test.tensor("dst", Memory::UB, 32, 1024).tensor("src", Memory::UB, 0, 1024).set("count", 16);
  expect(test, "R109", "dst", "dst starts at byte 32 and src at byte 0; they have bytes in common",
         "no common bytes, or the same start and strides");
  expect_legal(test.set("count", 8));
}

TEST_F(Rules, R110InsideItsTensors) {
  expect(count_form("add").tensor("src0", Memory::UB, 1024, 128), "R110", "src0", "the call reaches 64 elements (256 bytes) into src0",
         "at most 32 elements (128 bytes), the size of src0");
  expect_legal(count_form("add").tensor("src0", Memory::UB, 1024, 256));
  // 3 repeats, dst 16 blocks apart: the last one starts at byte 1024 and reaches lane 10
  TestCall strided = mask_form("adds").set("mask", 10).set("repeat_times", 3).set("repeat_params", {1, 1, 16, 8});
  strided.tensor("src", Memory::UB, 4096, 1024);
  expect(strided, "R110", "dst", "the call reaches 266 elements (1064 bytes) into dst",
         "at most 256 elements (1024 bytes), the size of dst");
  expect_legal(strided.tensor("dst", Memory::UB, 0, 1064));
  // a tensor without a size is not checked here
  expect_legal(copy_form().tensor("src", Memory::GM, 0, 0).set("count", 64));
  expect(copy_form().tensor("src", Memory::GM, 0, 128).set("count", 64), "R110", "src", "the call reaches 64 elements (256 bytes) into src",
         "at most 32 elements (128 bytes), the size of src");
  expect(copy_form(1).set("repeat_params", {3, 8, 0, 8}), "R110", "dst", "the call reaches 320 elements (1280 bytes) into dst",
         "at most 256 elements (1024 bytes), the size of dst");
  // counter mode: whole repeats and a tail
  core.counter_mode = true, core.mask_lo = 130;
  TestCall counter = mask_form("add").set("is_set_mask", 0).tensor("dst", Memory::UB, 0, 512);
  EXPECT_EQ("the call reaches 130 elements (520 bytes) into dst", rule("R110").check(counter.call, &core)->got);
  EXPECT_FALSE(rule("R110").check(counter.call, nullptr)) << "the verifier does not know the registers";
  // all repeats at one place: a whole one reaches further than the tail
  counter.set("repeat_params", {1, 1, 1, 0, 0, 0}).tensor("dst", Memory::UB, 0, 128);
  EXPECT_EQ("the call reaches 64 elements (256 bytes) into dst", rule("R110").check(counter.call, &core)->got);
}

TEST_F(Rules, R111Direction) {
  const char *expected = "global memory to VECIN, VECOUT or VECCALC, back, or between two of these";
  expect(copy_form().set("count", 8).tensor("dst", Memory::GM, 8192, 1024), "R111", "dst", "a copy from GM to GM", expected);
  expect(copy_form().set("count", 8).tensor("dst", Memory::L1, 0, 1024), "R111", "dst", "a copy from GM to L1", expected);
  expect_legal(copy_form().set("count", 8));
  expect_legal(copy_form().set("count", 8).tensor("dst", Memory::GM, 0, 1024).tensor("src", Memory::UB, 0, 1024));
}

TEST_F(Rules, R164Fractals) {
  const auto to = [](DType dtype) { return copy_form(3, dtype).set("nd2nz_params", {1, 4, 16, 0, 16, 4, 1, 0}); };
  const auto from = [](DType dtype) {
    return copy_form(4, dtype)
        .tensor("dst", Memory::GM, 0, 1024)
        .tensor("src", Memory::UB, 0, 1024)
        .set("nz2nd_params", {1, 4, 16, 1, 4, 16, 1});
  };
  expect_legal(to(DType::Float16));
  expect_legal(to(DType::Int8).set("nd2nz_params", {1, 4, 32, 0, 32, 4, 1, 0}));
  expect_legal(from(DType::Float16));
  expect_legal(from(DType::Float32));
  expect(to(DType::Int64).set("nd2nz_params", {1, 4, 4, 0, 16, 4, 1, 0}), "R164", "nd2nz_params", "elements of 64 bits",
         "elements of 8, 16 or 32 bits");
  EXPECT_EQ((Codes{"R164", "R165"}), broken(to(DType::Float16).set("nd2nz_params", {2, 4, 16, 64, 16, 4, 1, 72}), &core));
  EXPECT_EQ("intri_params.dst_nz_matrix_stride is 72",
            rule("R164").check(to(DType::Float16).set("nd2nz_params", {2, 4, 16, 64, 16, 4, 1, 72}).call, &core)->got);
  expect(from(DType::Int8), "R164", "nz2nd_params", "elements of 8 bits", "elements of 16 or 32 bits");
  expect(from(DType::Float16).set("nz2nd_params", {1, 4, 24, 1, 4, 24, 1}), "R164", "nz2nd_params", "intri_params.d_value is 24",
         "a multiple of 16");
  expect(from(DType::Float16).set("nz2nd_params", {2, 3, 16, 1, 0, 16, 48}), "R164", "nz2nd_params",
         "intri_params.src_nd_matrix_stride is 1 (256 elements)",
         "elements that are a multiple of n_value times the bytes of an element, 6");
  EXPECT_FALSE(
      rule("R164").check(from(DType::Float16).set("nz2nd_params", {2, 3, 16, 1, 0, 16, 48}).unknown("nz2nd_params").call, nullptr));
  expect(from(DType::Float16).set("nz2nd_params", {1, 0, 16, 1, 4, 16, 1}), "R105", "nz2nd_params", "intri_params.n_value is 0",
         "1 to 8192");
}

TEST_F(Rules, R165FractalsOfTheLibrary) {
  EXPECT_TRUE(rule("R165").is_warning);
  expect(copy_form(3, DType::Float16).set("nd2nz_params", {1, 4, 16, 0, 16, 8, 2, 0}), "R165", "nd2nz_params",
         "intri_params.dst_nz_n_stride is 2, which the library of vector cores takes for 1", "1");
  EXPECT_FALSE(rule("R165").check(copy_form(3, DType::Float16).set("nd2nz_params", {1, 4, 16, 0, 16, 8, 2, 0}).unknown("nd2nz_params").call,
                                  nullptr));
}

TEST_F(Rules, R166Slices) {
  const auto slices = [] {
    return copy_form(5, DType::Float32)
        .tensor("dst", Memory::UB, 0, 1024)
        .tensor("src", Memory::GM, 0, 1024)
        .set("slice_list1", {1, 0, 15, 0, 1, 16})
        .set("slice_list2", {1, 0, 17, 2, 1, 18})
        .set("dim_value", 1);
  };
  expect_legal(slices());
  expect(slices().set("slice_list2", {1, 0, 19, 2, 1, 18}), "R166", "slice_list2", "slice_list2[0].end_index is 19",
         "more than start_index, 0, and at most shape_value, 18");
  expect(slices().set("slice_list1", {1, 0, 7, 0, 1, 8}), "R166", "slice_list1", "slices of dst with 1 segments in 1 rows",
         "2 segments in 1 rows, as src has");
  expect(slices().set("slice_list2", {2, 0, 17, 2, 1, 18}), "R166", "slice_list1", "lists of 1 and 2 slices", "as many for dst as for src");
  EXPECT_FALSE(rule("R166").check(slices().set("slice_list1", {1, 0, 7, 0, 1, 8}).unknown("slice_list2").call, nullptr));
}

TEST_F(Rules, R112WholeBlocks) {
  TestCall test = copy_form(0, DType::Float16).set("count", 20);
  expect(test, "R112", "count", "count is 20 (40 bytes)", "a multiple of 32 bytes");
  EXPECT_EQ("use 16 or 32, or data_copy_pad, which copies any number of bytes", rule("R112").check(test.call, nullptr)->help);
  EXPECT_EQ("use 16, or data_copy_pad, which copies any number of bytes", rule("R112").check(test.set("count", 3).call, nullptr)->help);
  expect_legal(copy_form(0, DType::Int8).set("count", 96));
}

TEST_F(Rules, R113GlobalAlignment) {
  expect(copy_form().tensor("src", Memory::GM, 6, 4000).set("count", 8), "R113", "src", "src starts at byte 6 of its array",
         "a multiple of 4 bytes, the size of float32");
  expect_legal(copy_form().tensor("src", Memory::GM, 4, 4000).set("count", 8));
  expect_legal(copy_form(0, DType::UInt8).tensor("src", Memory::GM, 7, 4000).set("count", 32));
}

TEST_F(Rules, R114MaskLength) {
  TestCall test("set_vector_mask", 1, DType::Int32);
  test.set("length", 65).set("dtype", uint64_t(DType::Float32)).set("mode", 0);
  expect(test, "R114", "length", "length is 65", "0 to 64 in NORMAL mode (float32 has 64 elements in a repeat of 256 bytes)");
  expect_legal(test.set("mode", 1));
  expect_legal(test.set("mode", 0).set("length", 64));
}

TEST_F(Rules, R130EmptyWatchWindow) {
  const auto window = [](uint64_t start, uint64_t end, uint64_t enable) {
    TestCall test("check_local_memory_ia", 0, DType::Void);
    return test.set("check_params", {0, start, end, 0, 0, 0, 1, 0, 0, enable});
  };
  expect(window(9, 3, 1), "R130", "check_params", "start_addr is 9 and end_addr is 3", "an end_addr greater than start_addr");
  expect(window(9, 9, 1), "R130", "check_params", "start_addr is 9 and end_addr is 9", "an end_addr greater than start_addr");
  expect_legal(window(9, 10, 1));
  expect_legal(window(9, 3, 0));
  EXPECT_TRUE(rule("R130").is_warning);
  expect(window(0, 65536, 1), "R105", "check_params", "check_params.end_addr is 65536", "0 to 65535");
}

TEST_F(Rules, R115BarrierOfTheScalarPipe) {
  TestCall test("pipe_barrier", 0, DType::Void);
  expect(test.set("pipe", uint64_t(Pipe::S)), "R115", "pipe", "pipe is PIPE_S", "another pipe");
  expect_legal(test.set("pipe", uint64_t(Pipe::ALL)));
}

TEST_F(Rules, R129PipeOfACrossCoreFlag) {
  TestCall test("cross_core_set_flag", 0, DType::Void);
  expect(test.set("pipe", uint64_t(Pipe::S)), "R129", "pipe", "pipe is PIPE_S",
         "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 or PIPE_FIX");
  expect_legal(test.set("pipe", uint64_t(Pipe::MTE3)));
}

TEST_F(Rules, R116ShiftDistance) {
  for (const char *row : {"shift_left", "shift_right"}) {
    expect(count_form(row, DType::Int16).set("scalar", uint64_t(-1)), "R116", "scalar", "scalar is -1", "0 to 16, the bits of int16");
    expect(mask_form(row, DType::UInt32).set("scalar", 33), "R116", "scalar", "scalar is 33", "0 to 32, the bits of uint32");
    for (DType dtype : {DType::Int16, DType::UInt16, DType::Int32, DType::UInt32})
      for (uint64_t distance : {0u, 8 * size_of(dtype)}) expect_legal(count_form(row, dtype).set("scalar", distance));
  }
}

TEST_F(Rules, R117TypesThatGoTogether) {
  const auto cast = [](DType dst, DType src) {
    TestCall test = count_form("add_relu_cast", src);
    test.slot(test.arg("dst")).dtype = dst;
    return test;
  };
  expect_legal(cast(DType::Int8, DType::Float16));
  expect_legal(cast(DType::Float16, DType::Float32));
  expect_legal(cast(DType::Int8, DType::Int16));
  expect(cast(DType::Int8, DType::Float32), "R117", "dst", "dst is int8", "float16 for sources of float32");
  expect(cast(DType::Float16, DType::Float16), "R117", "dst", "dst is float16", "int8 for sources of float16");
  TestCall sources = cast(DType::Int8, DType::Float16);
  sources.slot(sources.arg("src1")).dtype = DType::Int16;
  expect(sources, "R117", "src1", "src1 is int16", "float16 as src0");
}

/// A repeat has 64 elements of a widening instruction: 8 blocks of dst, 4 of a source.
TEST_F(Rules, WidthsOfOperands) {
  const auto widening = [](unsigned form) {
    TestCall test("mul_add_dst", form, DType::Float16);
    place(test);
    test.slot(test.arg("dst")).dtype = DType::Float32;
    return test;
  };
  expect_legal(widening(0).set("count", 256).tensor("src0", Memory::UB, 1024, 512));
  expect(widening(0).set("count", 256).tensor("src0", Memory::UB, 1024, 510), "R110", "src0",
         "the call reaches 256 elements (512 bytes) into src0", "at most 255 elements (510 bytes), the size of src0");
  TestCall strided = widening(1).set("mask", 64).set("repeat_times", 3).set("repeat_params", {1, 1, 2, 8, 4, 8});
  expect_legal(strided.tensor("src0", Memory::UB, 1024, 384).tensor("src1", Memory::UB, 2048, 736));
  expect(strided.tensor("src1", Memory::UB, 2048, 734), "R110", "src1", "the call reaches 368 elements (736 bytes) into src1",
         "at most 367 elements (734 bytes), the size of src1");
  // wider elements over their sources
  expect(widening(0).set("count", 8).tensor("src0", Memory::UB, 0, 1024), "R109", "dst",
         "dst starts at byte 0 and src0 at byte 0; they overlap in part within repeat 0", "no common bytes, or the same start and strides");
}

TEST_F(Rules, R118ScratchMemory) {
  core.deq_scale_kind = CoreState::DeqScale::Half;
  const auto call = [](unsigned form) {
    TestCall test("add_deq_relu", form, DType::Int32);
    place(test);
    test.slot(test.arg("dst")).dtype = DType::Float16;
    return test;
  };
  expect_legal(call(0).set("count", 256));
  expect_legal(call(0).set("count", 32).tensor("src1", Memory::UB, 188416 - 128, 128));
  expect(call(0).set("count", 33).tensor("src1", Memory::UB, 188416 - 128, 256), "R118", "src1", "src1 reaches byte 188419 of UB",
         "tensors below byte 188416: what follows is scratch memory of this call");
  TestCall large = call(0).set("count", 2049);
  for (unsigned t = 0; t < 3; ++t) large.tensor(large.call.row->args[t].name, Memory::UB, 16384 * t, 16384);
  expect(large, "R118", "count", "count is 2049", "at most 2048, for which there is scratch memory");
  expect_legal(large.set("count", 2048));
  // the sources are written, too
  expect(call(0).set("count", 64).tensor("src0", Memory::UB, 0, 1024), "R109", "dst",
         "dst starts at byte 0 and src0 at byte 0; the call overwrites both", "no common bytes, or the same start and strides");
}

TEST_F(Rules, R119RepeatsAndRows) {
  TestCall test("bilinear_interpolation", 0, DType::Float16);
  test.slot(test.arg("src0_offset")).dtype = DType::UInt32;
  test.slot(test.arg("shared_tmp_buffer")).dtype = DType::UInt8;
  for (unsigned t = 0; t < 5; ++t)
    test.tensor(test.call.row->args[test.call.lay->tensor[t]].name, Memory::UB, 16384 * t, t == 3 ? 512 : t == 4 ? 131072 : 16384);
  test.set("mask", 128).set("h_repeat", 4).set("dst_blk_stride", 1).set("v_r_offset", 128).set("v_repeat", 8);
  expect_legal(test);
  expect(test.set("h_repeat", 32), "R119", "v_repeat", "h_repeat * v_repeat is 256", "at most 255");
  expect(test.set("h_repeat", 4).set("v_r_offset", 136), "R119", "v_r_offset", "v_r_offset is 136",
         "a multiple of 16, the elements of a block");
}

TEST_F(Rules, R121BlocksOfWholeElements) {
  expect(padded_copy(0).set("data_copy_params", {1, 42, 0, 0, 0}), "R121", "data_copy_params", "data_copy_params.block_len is 42",
         "a multiple of 4, the bytes of a float32");
  expect(padded_copy(2).set("copy_params", {1, 42, 0, 0}), "R121", "copy_params", "data_copy_params.block_len is 42",
         "a multiple of 4, the bytes of a float32");
  expect_legal(padded_copy(0, DType::Float16).set("data_copy_params", {1, 42, 0, 0, 0}));
}

TEST_F(Rules, R122Paddings) {
  expect_legal(padded_copy(0).set("pad_params", {1, 8, 8, 0}));
  expect(padded_copy(0).set("pad_params", {1, 9, 0, 0}), "R122", "pad_params", "pad_params.left_padding is 9 (36 bytes)",
         "at most 8 (32 bytes)");
  expect(padded_copy(2, DType::Int64).set("pad_bits", {0, 4, 5, 0}), "R122", "pad_bits", "pad_params.right_padding is 5 (40 bytes)",
         "at most 4 (32 bytes)");
  expect(padded_copy(0, DType::Float64).set("pad_params", {1, 0, 0, 1}), "R122", "pad_params", "pad_params.padding_value is not 0",
         "0, which is all that 64-bit elements can be filled with");
  expect_legal(padded_copy(0, DType::Float64).set("pad_params", {0, 0, 0, 1}));
  const TestCall too_many = padded_copy(0, DType::Int8).set("pad_params", {1, 33, 0, 0});
  EXPECT_EQ((Codes{"R105", "R122"}), broken(too_many, &core));
}

TEST_F(Rules, R123PositionOfThePadValue) {
  TestCall test("set_pad_value", 0, DType::Void);
  for (Position position : {Position::MAX, Position::VECIN, Position::VECOUT}) expect_legal(test.set("pos", uint64_t(position)));
  expect(test.set("pos", uint64_t(Position::A1)), "R123", "pos", "pos is A1", "MAX, VECIN or VECOUT");
}

/// The bytes that only fill up the last block may lie behind the tensor.
TEST_F(Rules, R110CountsNoFiller) {
  expect_legal(padded_copy(0).tensor("dst", Memory::UB, 0, 40));
  expect(padded_copy(0).tensor("dst", Memory::UB, 0, 36), "R110", "dst", "the call reaches 10 elements (40 bytes) into dst",
         "at most 9 elements (36 bytes), the size of dst");
  expect(padded_copy(0).tensor("dst", Memory::UB, 0, 40).set("data_copy_params", {2, 40, 0, 0, 0}), "R110", "dst",
         "the call reaches 26 elements (104 bytes) into dst", "at most 10 elements (40 bytes), the size of dst");
}

/// In the verifier any value may be unknown: no rule may then be broken by what it cannot know, nor fail.
TEST_F(Rules, ScalarCast) {
  TestCall test("scalar_cast", 0, DType::Float32);
  test.set("dtype", uint64_t(DType::Int32)).set("round_mode", uint64_t(RoundMode::Rint));
  EXPECT_EQ(Codes{}, broken(test, &core));
  const char *whole = "CAST_RINT, CAST_FLOOR, CAST_CEIL or CAST_ROUND";
  expect(test.set("round_mode", uint64_t(RoundMode::Trunc)), "R124", "round_mode", "round_mode is CAST_TRUNC to int32", whole);
  expect(test.set("round_mode", uint64_t(RoundMode::None)), "R124", "round_mode", "round_mode is CAST_NONE to int32", whole);
  test.set("dtype", uint64_t(DType::Float16)).set("round_mode", uint64_t(RoundMode::Odd));
  EXPECT_EQ(Codes{}, broken(test, &core));
  expect(test.set("round_mode", uint64_t(RoundMode::Ceil)), "R124", "round_mode", "round_mode is CAST_CEIL to float16", "CAST_ODD");
  expect(test.set("dtype", uint64_t(DType::Int16)), "R101", "dtype", "dtype is int16", "int32 or float16");
}

TEST_F(Rules, Dump) {
  TestCall test("dump_tensor", 0, DType::Float32), point("dump_acc_chk_point", 0, DType::Float32);
  const auto at = [&](Memory memory, int64_t offset) { return test.tensor("tensor", memory, offset, 1 << 17).set("dump_size", 8); };
  for (Memory memory : {Memory::GM, Memory::UB, Memory::L1, Memory::L0C}) EXPECT_EQ(Codes{}, broken(at(memory, 4096), &core));
  const char *places = "a tensor in global memory, UB, L1 or L0C";
  expect(at(Memory::L0A, 0), "R125", "tensor", "tensor is in L0A", places);
  expect(at(Memory::L0B, 0), "R125", "tensor", "tensor is in L0B", places);
  EXPECT_EQ(Codes{}, broken(at(Memory::GM, 4), &core));
  expect(at(Memory::GM, 2), "R126", "tensor", "the elements to show start at byte 2 of GM", "a multiple of 4 bytes");
  expect(at(Memory::L1, 16), "R126", "tensor", "the elements to show start at byte 16 of L1", "a multiple of 32 bytes");
  expect(at(Memory::L0C, 32), "R126", "tensor", "the elements to show start at byte 32 of L0C", "a multiple of 64 bytes");
  point.tensor("tensor", Memory::UB, 0, 1024).set("dump_size", 8).set("count_off", 16);
  EXPECT_EQ(Codes{}, broken(point, &core));
  expect(point.set("count_off", 4), "R126", "count_off", "the elements to show start at byte 16 of UB", "a multiple of 32 bytes");
  EXPECT_EQ(Codes{}, broken(at(Memory::UB, 0).set("dump_size", 7680), &core));
  expect(at(Memory::UB, 0).set("dump_size", 7681), "R127", "dump_size", "dump_size is 7681 (30724 bytes), so nothing is shown",
         "at most 7680 elements (30 KiB)");
}

TEST_F(Rules, TimeStamp) {
  TestCall test("print_time_stamp", 0, DType::Void);
  EXPECT_EQ(Codes{}, broken(test.set("desc_id", 65536), &core));
  expect(test.set("desc_id", 65535), "R128", "desc_id", "desc_id is 65535", "more than 65535");
}

TestCall reduction(std::string_view row, unsigned form, DType dtype = DType::Float32) {
  TestCall test(row, form, dtype);
  test.tensor("dst", Memory::UB, 0, 1024).tensor("src", Memory::UB, 1024, 2048);
  const auto has = [&](const char *name) {
    const uint8_t arg = find_index(test.call.row->args, name);
    return arg != Layout::kAbsent && test.call.has(arg);
  };
  for (const char *name : {"dst_rep_stride", "src_blk_stride"})
    if (has(name)) test.set(name, 1);
  if (has("shared_tmp_buffer")) test.tensor("shared_tmp_buffer", Memory::UB, 4096, 1024);
  if (has("src_rep_stride")) test.set("src_rep_stride", 8);
  return test;
}

TEST_F(Rules, R150StartOfResults) {
  TestCall sum = reduction("whole_reduce_sum", 0).set("mask", 64).set("repeat_time", 2);
  expect_legal(sum.tensor("dst", Memory::UB, 4, 1024));
  expect(sum.tensor("dst", Memory::UB, 2, 1024), "R150", "dst", "dst starts at byte 2", "a multiple of 4 bytes");
  TestCall max = reduction("whole_reduce_max", 0).set("mask", 64).set("repeat_time", 2);
  expect(max.tensor("dst", Memory::UB, 4, 1024), "R150", "dst", "dst starts at byte 4", "a multiple of 8 bytes");
  expect_legal(max.set("order", 2));
  TestCall index = reduction("whole_reduce_min", 0, DType::Float16).set("mask", 128).set("repeat_time", 2).set("order", 3);
  expect(index.tensor("dst", Memory::UB, 2, 1024), "R150", "dst", "dst starts at byte 2", "a multiple of 4 bytes");
  TestCall block = reduction("block_reduce_max", 0, DType::Float16).set("mask", 128).set("repeat", 2);
  expect(block.tensor("dst", Memory::UB, 24, 1000), "R150", "dst", "dst starts at byte 24", "a multiple of 16 bytes");
  TestCall pair = reduction("pair_reduce_sum", 0, DType::Float16).set("mask", 128).set("repeat_time", 2);
  expect(pair.tensor("dst", Memory::UB, 16, 1000), "R150", "dst", "dst starts at byte 16", "a multiple of 32 bytes");
}

TEST_F(Rules, ReductionsOverTheirSources) {
  TestCall test = reduction("whole_reduce_sum", 0).set("mask", 64).set("repeat_time", 4);
  expect_legal(test.tensor("dst", Memory::UB, 1024, 1024));
  expect(test.tensor("dst", Memory::UB, 1024 + 512, 512), "R109", "dst",
         "dst starts at byte 1536 and src at byte 1024; repeat 2 reads what an earlier repeat of the call writes",
         "no common bytes, or the same start and strides");
  expect(test.set("repeat_time", 1).tensor("dst", Memory::UB, 1028, 512), "R109", "dst",
         "dst starts at byte 1028 and src at byte 1024; they overlap in part within repeat 0",
         "no common bytes, or the same start and strides");
}

TEST_F(Rules, ReductionsInsideTheirTensors) {
  TestCall test = reduction("whole_reduce_max", 0).set("mask", 64).set("repeat_time", 8).set("dst_rep_stride", 3);
  expect_legal(test.tensor("dst", Memory::UB, 0, 176));
  expect(test.tensor("dst", Memory::UB, 0, 172), "R110", "dst", "the call reaches 44 elements (176 bytes) into dst",
         "at most 43 elements (172 bytes), the size of dst");
  expect(test.tensor("dst", Memory::UB, 0, 1024).set("repeat_time", 9), "R110", "src",
         "the call reaches 576 elements (2304 bytes) into src", "at most 512 elements (2048 bytes), the size of src");
  EXPECT_FALSE(rule("R110").check(test.set("is_set_mask", 0).call, nullptr)) << "the verifier does not know the registers";
}

TEST_F(Rules, R151LimitsOfReductions) {
  TestCall sum = reduction("reduce_sum", 1).set("mask", 64).set("repeat_time", 4);
  expect_legal(sum.tensor("dst", Memory::UB, 4, 64));
  expect(sum.tensor("dst", Memory::UB, 2, 64), "R151", "dst", "dst starts at byte 2", "a multiple of 4 bytes");
  TestCall max = reduction("reduce_max", 0).set("count", 512).set("cal_index", 1);
  expect_legal(max);
  expect(max.tensor("dst", Memory::UB, 4, 64), "R151", "dst", "dst starts at byte 4", "a multiple of 8 bytes");
  expect(reduction("reduce_min", 0).set("count", 0), "R151", "count", "count is 0", "at least 1");
  TestCall many = reduction("reduce_max", 1).set("mask", 64).set("repeat_time", 1025).set("src_rep_stride", 0).set("cal_index", 1);
  expect(many.tensor("shared_tmp_buffer", Memory::UB, 4096, 100000), "R151", "repeat_time", "1025 repeats", "at most 1024");
  expect_legal(many.set("cal_index", 0));
  TestCall far =
      reduction("reduce_max", 1, DType::Float16).set("mask", 128).set("repeat_time", 3).set("src_rep_stride", 2048).set("cal_index", 1);
  expect(far.tensor("src", Memory::UB, 1024, 190000), "R151", "repeat_time", "indices up to 65663",
         "at most 65535, which 16 bits can hold");
  core.counter_mode = true;
  EXPECT_EQ("a mask argument in counter mode",
            rule("R151").check(reduction("reduce_sum", 1).set("mask", 64).set("repeat_time", 4).call, &core)->got);
}

TestCall merge(unsigned form = 0) {
  TestCall test("mrg_sort", form, DType::Float32);
  test.tensor("dst", Memory::UB, 8192, 1024);
  for (unsigned i = 0; i < test.call.lay->tensors - 1u; ++i) test.tensor(test.call.row->args[1 + i].name, Memory::UB, 128 * i, 128);
  return test;
}

TEST_F(Rules, R152OneTypeOfScores) {
  TestCall test("sort32", 0, DType::Float32);
  test.tensor("dst", Memory::UB, 0, 256).tensor("src0", Memory::UB, 1024, 128).tensor("src1", Memory::UB, 2048, 128).set("repeat_time", 1);
  test.slot(test.arg("src1")).dtype = DType::UInt32;
  expect_legal(test);
  test.slot(test.arg("src0")).dtype = DType::Float16;
  expect(test, "R152", "src0", "src0 is float16", "float32 as dst");
}

TEST_F(Rules, R153ListsOfAMerge) {
  expect_legal(merge().set("params", {16, 16, 0, 0, 0, 3, 1}));
  expect(merge().set("params", {16, 16, 0, 0, 0, 7, 1}), "R153", "params", "valid_bit is 7 for 2 lists", "3");
  expect(merge(2).set("params", {16, 16, 0, 0, 0, 5, 1}), "R153", "params", "valid_bit is 5 for 4 lists", "3, 7 or 15");
  expect(merge().tensor("src2", Memory::UB, 132, 124).set("params", {16, 8, 0, 0, 0, 3, 1}), "R153", "src2", "src2 starts at byte 132",
         "a multiple of 8 bytes");
  expect(merge(2).set("params", {2, 2, 2, 2, 1, 15, 2}), "R153", "params", "2 merges in one call",
         "1, or four lists of equal length, one behind the other, without suspension");
  TestCall adjacent = merge(2).set("params", {16, 16, 16, 16, 0, 15, 2});
  for (unsigned i = 0; i < 4; ++i) adjacent.tensor(adjacent.call.row->args[1 + i].name, Memory::UB, 128 * i, 4096);
  expect_legal(adjacent.tensor("dst", Memory::UB, 8192, 1024));
  expect(merge().tensor("dst", Memory::UB, 64, 1024).set("params", {16, 16, 0, 0, 0, 3, 1}), "R109", "dst",
         "dst starts at byte 64 and sort_list at byte 0; they have bytes in common", "no common bytes, or the same start and strides");
}

TEST_F(Rules, R154PatternOfGatherMask) {
  TestCall test("gather_mask", 1, DType::Float32);
  test.tensor("dst", Memory::UB, 0, 1024).tensor("src0", Memory::UB, 1024, 1024).tensor("pattern_bits", Memory::UB, 2048, 1024);
  test.slot(test.arg("pattern_bits")).dtype = DType::UInt32;
  expect_legal(test);
  test.slot(test.arg("pattern_bits")).dtype = DType::UInt16;
  expect(test, "R154", "pattern_bits", "src1_pattern is uint16", "uint32");
}

TEST_F(Rules, R140DequantisingScale) {
  TestCall cast("cast", 0, DType::Int32);
  place(cast);
  cast.slot(cast.arg("dst")).dtype = DType::Float16;
  expect(cast, "R140", "src", "a conversion of int32 to float16 without a scale", "set_deq_scale(scale) before it");
  core.deq_scale_kind = CoreState::DeqScale::Half;
  expect_legal(cast);
  core.deq_scale_kind = CoreState::DeqScale::Float;
  expect(cast, "R140", "src", "a conversion of int32 to float16 after set_deq_scale(scale, offset, sign_mode)",
         "set_deq_scale(scale) before it");

  TestCall bytes("cast_deq", 0, DType::Int16);
  place(bytes);
  bytes.slot(bytes.arg("dst")).dtype = DType::Int8;
  expect(bytes, "R140", "src", "a conversion of int16 to int8 after set_deq_scale(scale, offset, sign_mode)",
         "set_deq_scale(vdeq, vdeq_info) before it");
  bytes.set("is_vec_deq", 0);
  expect(bytes, "R140", "dst", "a conversion to int8 after sign_mode=False", "uint8");
  core.deq_scale = kDeqSign;
  expect_legal(bytes);
  bytes.slot(bytes.arg("dst")).dtype = DType::UInt8;
  expect(bytes, "R140", "dst", "a conversion to uint8 after sign_mode=True", "int8");
}

TEST_F(Rules, R141RoundingMode) {
  const auto cast = [](DType src, DType dst, RoundMode mode) {
    TestCall test("cast", 0, src);
    place(test);
    test.slot(test.arg("dst")).dtype = dst;
    return test.set("round_mode", uint64_t(mode));
  };
  expect_legal(cast(DType::Float32, DType::Float16, RoundMode::Odd));
  expect(cast(DType::Float32, DType::BFloat16, RoundMode::Odd), "R141", "round_mode", "round_mode is CAST_ODD from float32 to bfloat16",
         "CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND or CAST_TRUNC");
  expect(cast(DType::Float16, DType::Float32, RoundMode::Rint), "R141", "round_mode", "round_mode is CAST_RINT from float16 to float32",
         "CAST_NONE");
  expect(cast(DType::Float16, DType::Int32, RoundMode::None), "R141", "round_mode", "round_mode is CAST_NONE from float16 to int32",
         "CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND or CAST_TRUNC");
}

TEST_F(Rules, R142R143Comparisons) {
  const auto compare = [](unsigned form, DType dtype, uint64_t mode) {
    TestCall test("compare", form, dtype);
    place(test);
    if (form < 3) test.slot(test.arg("dst")).dtype = DType::UInt8;
    return test.set("cmp_mode", mode);
  };
  expect_legal(compare(0, DType::Int32, 2));
  expect_legal(compare(3, DType::Float32, 0));
  expect(compare(0, DType::Int32, 0), "R142", "cmp_mode", "cmp_mode is LT on int32", "EQ");
  expect(compare(3, DType::Int32, 2), "R142", "src0", "src0 is int32 in a comparison into CMPMASK", "float16 or float32");
  expect_legal(compare(0, DType::Float16, 0).set("count", 128));
  expect(compare(0, DType::Float16, 0).set("count", 100), "R143", "count", "count is 100",
         "a multiple of 128: float16 has 128 elements in a repeat of 256 bytes");
  expect(compare(0, DType::Float32, 0).set("count", 65), "R143", "count", "count is 65",
         "a multiple of 64: float32 has 64 elements in a repeat of 256 bytes");
  TestCall mixed = compare(0, DType::Float32, 0);
  mixed.slot(mixed.arg("src1")).dtype = DType::Float16;
  expect(mixed, "R102", "src1", "src1 is float16", "float32 as src0");
  // bits over their own sources
  expect(compare(0, DType::Float32, 0).set("count", 64).tensor("dst", Memory::UB, 1024, 1024), "R109", "dst",
         "dst starts at byte 1024 and src0 at byte 1024; they have bytes in common", "no common bytes, or the same start and strides");
}

TEST_F(Rules, R144MaskRegister) {
  TestCall get("get_cmp_mask", 0, DType::UInt8);
  expect_legal(get.tensor("dst", Memory::UB, 48, 16));
  expect(get.tensor("dst", Memory::UB, 40, 16), "R144", "dst", "dst starts at byte 40", "a multiple of 16 bytes");
  expect(get.tensor("dst", Memory::UB, 48, 15), "R110", "dst", "the call reaches 16 elements (16 bytes) into dst",
         "at most 15 elements (15 bytes), the size of dst");
}

TEST_F(Rules, R145R146Selections) {
  const auto select = [](unsigned form, uint64_t mode) {
    TestCall test("select", form, DType::Float32);
    place(test);
    test.slot(test.arg("sel_mask")).dtype = DType::UInt8;
    return test.set("sel_mode", mode).set("count", 64);
  };
  expect_legal(select(0, 1));
  expect_legal(select(1, 0));
  expect_legal(select(1, 2));
  expect(select(0, 2), "R145", "sel_mode", "sel_mode is VSEL_TENSOR_TENSOR_MODE and src1 a number", "VSEL_TENSOR_SCALAR_MODE");
  expect(select(1, 1), "R145", "sel_mode", "sel_mode is VSEL_TENSOR_SCALAR_MODE and src1 a tensor",
         "VSEL_CMPMASK_SPR or VSEL_TENSOR_TENSOR_MODE");
  expect(select(1, 2).tensor("src1", Memory::UB, 188416 - 128, 1024), "R146", "src1", "src1 reaches byte 188543 of UB",
         "tensors that leave bytes 188416..188543 alone: they are scratch memory of this call");
  expect_legal(select(1, 0).tensor("src1", Memory::UB, 188416 - 128, 1024));
  // the bits: inside their tensor, and apart from dst
  expect(select(1, 2).set("count", 256).tensor("sel_mask", Memory::UB, 8192, 31), "R110", "sel_mask",
         "the call reaches 32 elements (32 bytes) into sel_mask", "at most 31 elements (31 bytes), the size of sel_mask");
  expect(select(1, 2).tensor("sel_mask", Memory::UB, 32, 32), "R109", "dst",
         "dst starts at byte 0 and sel_mask at byte 32; they have bytes in common", "no common bytes, or the same start and strides");
}

TEST_F(Rules, R170Transposition) {
  const auto call = [](unsigned form, DType dtype, int64_t type) {
    TestCall test("transpose", form, dtype);
    for (unsigned i = 0; i < test.call.lay->tensors; ++i)
      test.tensor(test.call.row->args[test.call.lay->tensor[i]].name, Memory::UB, 16384 * i, 16384);
    if (form == 0) return test;
    test.slot(test.arg("shared_tmp_buffer")).dtype = DType::UInt8;
    return test.set("params", {2, 3, 2, 16, uint64_t(type)});
  };
  constexpr int64_t square = 10, last = 11, first = 12;
  for (DType dtype : {DType::Int16, DType::UInt16, DType::Float16}) expect_legal(call(0, dtype, 0));
  expect(call(0, DType::Float32, 0), "R101", "dst_matrix", "dst is float32", "int16, uint16 or float16");
  expect_legal(call(1, DType::UInt16, square).set("params", {0, 0, 16, 16, square}));
  expect(call(1, DType::Int16, square), "R170", "dst", "dst is int16", "uint16 for ND2ND_B16");
  expect(call(1, DType::UInt16, square), "R170", "params", "params has h_size 2 and w_size 16", "16 and 16 for ND2ND_B16");
  expect(call(1, DType::Float16, 1), "R170", "params", "params.transpose_type is TRANSPOSE_NZ2ND_0213",
         "ND2ND_B16, NCHW2NHWC or NHWC2NCHW");
  for (int64_t type : {last, first}) {
    expect_legal(call(1, DType::Float32, type));
    expect(call(1, DType::Float16, type).set("params", {1, 1, 3, 5, uint64_t(type)}), "R170", "params",
           "params has h_size 3 and w_size 5, 30 bytes", "planes of a multiple of 32 bytes");
    expect(call(1, DType::Float16, type).set("params", {1, 1, 64, 64, uint64_t(type)}), "R170", "params",
           "params has h_size 64 and w_size 64, 4096 elements", "at most 4095");
  }
  // a square may be transposed in place, nothing else
  expect_legal(call(0, DType::Int16, 0).tensor("src_matrix", Memory::UB, 0, 512));
  EXPECT_EQ(Codes{"R109"}, broken(call(0, DType::Int16, 0).tensor("src_matrix", Memory::UB, 32, 512), &core));
  EXPECT_EQ(Codes{"R109"}, broken(call(1, DType::Int16, last).tensor("src", Memory::UB, 0, 512), &core));
}

TEST_F(Rules, R171AndR172BlocksToTranspose) {
  TestCall list("trans_data_to_5hd", 0, DType::Float16);
  for (unsigned i = 0; i < list.call.lay->tensors; ++i)
    list.tensor(list.call.row->args[list.call.lay->tensor[i]].name, Memory::UB, 1024 * i, 512);
  expect_legal(list);
  expect(list.set("params", {0, 0, 1, 0, 4}), "R172", "params", "params.src_rep_stride is 4 with one repeat",
         "0: the blocks are moved by the stride even then");
  expect_legal(list.set("params", {0, 0, 2, 1, 4}));
  expect(list.set("params", {0, 0, 9, 2, 1}), "R110", "dst_list[0]", "the call reaches 272 elements (544 bytes) into dst_list[0]",
         "at most 256 elements (512 bytes), the size of dst_list[0]");
  list.tensor("src_list[3]", Memory::UB, 1040, 512);
  EXPECT_EQ((Codes{"R104", "R109"}), broken(list.set("params", {0, 0, 1, 0, 0}), &core));

  TestCall addresses("trans_data_to_5hd", 1, DType::Float16);
  for (unsigned i = 0; i < kListLength; ++i)
    addresses.slot(addresses.arg("dst_addresses"), i).bits = 32 * i, addresses.slot(addresses.arg("src_addresses"), i).bits = 512 + 32 * i;
  expect_legal(addresses);
  addresses.slot(addresses.arg("src_addresses"), 5).bits = 16;
  expect(addresses, "R171", "src_addresses", "src_list[5] is 16", "a multiple of 32 below 196608");
  addresses.slot(addresses.arg("src_addresses"), 5).bits = info(Memory::UB).bytes;
  expect(addresses, "R171", "src_addresses", "src_list[5] is 196608", "a multiple of 32 below 196608");
}

TEST_F(Rules, R160ElementsOfAnAtomicStore) {
  TestCall store("data_copy", 0, DType::Int32);
  store.tensor("dst", Memory::GM, 0, 64).tensor("src", Memory::UB, 0, 64).set("count", 16);
  expect_legal(store);
  core.atomic = {DType::Int32, AtomicOp::Max};
  EXPECT_EQ(Codes{}, broken(store, &core));
  for (const DType type : {DType::Float32, DType::Int16}) {
    core.atomic = {type, AtomicOp::Sum};
    const std::string meant(name(type)), got = "elements of int32 are stored while atomic stores combine elements of " + meant;
    expect(store, "R160", "dst", got.c_str(), ("tensors of " + meant).c_str());
  }
  EXPECT_EQ(Codes{}, broken(store.tensor("dst", Memory::UB, 1024, 64), &core)) << "no store to global memory";
}

TEST_F(Rules, R161MemoryOfCacheLines) {
  for (const auto &[form, arg] : {std::pair(0u, "dcci_dst"), {2u, "dcci_last"}}) {
    TestCall clean("data_cache_clean_and_invalid", form, DType::Int32);
    expect(clean.tensor("dst", Memory::GM, 0, 64).set(arg, 3), "R161", arg, "dcci_dst is CACHELINE_ATOMIC",
           "CACHELINE_ALL, CACHELINE_UB or CACHELINE_OUT");
    expect_legal(clean.set(arg, 2));
  }
}

TEST_F(Rules, UnknownValuesBreakNothing) {
  for (const Row *row : rows())
    for (unsigned f = 0; f < row->forms.size(); ++f) {
      if (row->forms[f].of_cube) continue; // no call of these gets as far
      const bool floats = !row->args.empty() && row->args[0].is_tensor() && row->args[0].dtypes.has(DType::Float32) &&
                          row->name != "gather_mask"; // whose pattern has elements as wide as the others
      TestCall test(row->name, f, floats ? DType::Float32 : DType::Int16);
      for (unsigned i = 0; i < test.call.lay->tensors; ++i) {
        const unsigned arg = test.call.lay->tensor[i];
        const DTypes legal = row->args[arg].dtypes;
        if (!legal.has(test.call.dtype(arg)))
          test.slot(arg).dtype = legal.has(DType::Float32) ? DType::Float32 : DType(std::countr_zero(legal.bits));
        if (row->vector && !row->vector->pairs.empty())
          test.slot(arg).dtype = i == 0 ? row->vector->pairs[0].dst : row->vector->pairs[0].src;
      }
      for (unsigned s = 0; s < test.call.lay->slots; ++s) test.call.slots[s].known = test.call.slots[s].dtype == DType::Void;
      EXPECT_EQ(Codes{}, broken(test, nullptr)) << row->name << " form " << f;
    }
  // one unknown at a time, around a violation that depends on it
  EXPECT_EQ(Codes{}, broken(count_form("add").set("count", 999).unknown("count"), nullptr));
  EXPECT_EQ(Codes{}, broken(count_form("shift_left", DType::Int16).set("scalar", 99).unknown("scalar"), nullptr));
  EXPECT_EQ(Codes{}, broken(mask_form("add").set("repeat_times", 9).unknown("repeat_times"), nullptr));
  EXPECT_EQ(Codes{}, broken(count_form("add").tensor("dst", Memory::UB, 1028, 64).unknown("dst"), nullptr));
  EXPECT_EQ(Codes{"R110"}, broken(mask_form("add").set("repeat_times", 9), nullptr));
}

TEST_F(Rules, StaticOnesDependOnTypesAndModes) {
  const std::set<std::string_view> codes = {"R101", "R102", "R117", "R141", "R142", "R145", "R152"};
  for (const Rule *rule : all_rules()) EXPECT_EQ(codes.contains(rule->code), rule->is_static) << rule->code;
}

/// gtest calls this after the last test of the suite: every rule of the table was broken by one of them.
void Rules::TearDownTestSuite() {
  if (testing::UnitTest::GetInstance()->current_test_suite()->test_to_run_count() <
      testing::UnitTest::GetInstance()->current_test_suite()->total_test_count())
    return;
  for (const Rule *rule : all_rules()) EXPECT_TRUE(seen.contains(std::string(rule->code))) << rule->code << " has no test that breaks it";
}

} // namespace
} // namespace asc
