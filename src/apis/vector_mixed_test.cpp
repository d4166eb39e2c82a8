// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes instructions with operands of different widths read and write; their values are tested from Python.
#include "apis/test_call.h"

#include <gtest/gtest.h>
#include <random>

namespace asc {
namespace {

constexpr size_t kBytes = 512 * 1024;
using Bytes = std::vector<bool>;

/// The bytes of an operand by the formula of the specification.
void add_lanes(Bytes &bytes, uint32_t start, uint32_t element, uint32_t block, uint32_t repeat, uint32_t repeats, uint32_t tail,
               uint32_t lanes, unsigned __int128 mask) {
  const uint32_t per_block = 32 / element;
  for (uint32_t r = 0; r < repeats; ++r)
    for (uint32_t k = 0; k < (r + 1 == repeats ? tail : lanes); ++k)
      if (mask >> k & 1)
        std::fill_n(bytes.begin() + start + (r * repeat + k / per_block * block) * 32 + k % per_block * element, element, true);
}

struct Types {
  const char *row;
  DType src, dst;
};
constexpr Types kTypes[] = {
    {"mul_add_dst", DType::Float16, DType::Float32}, {"mul_add_dst", DType::Float16, DType::Float16},
    {"mul_cast", DType::Float16, DType::UInt8},      {"add_relu_cast", DType::Float32, DType::Float16},
    {"sub_relu_cast", DType::Int16, DType::Int8},    {"add_deq_relu", DType::Int32, DType::Float16},
};

TEST(VectorMixed, Accesses) {
  std::mt19937_64 random(3);
  const auto below = [&](uint64_t n) { return uint32_t(random() % n); };
  for (unsigned i = 0; i < 2000; ++i) {
    const auto [row, src, dst] = kTypes[below(std::size(kTypes))];
    const unsigned form = below(3);
    SCOPED_TRACE(std::string(row) + " " + std::string(name(src)) + " form " + std::to_string(form));
    const uint32_t widths[] = {size_of(dst), size_of(src), size_of(src)};
    const uint32_t widest = std::max(widths[0], widths[1]), lanes = 256 / widest;
    TestCall test(row, form, src);
    uint32_t starts[3], blocks[3], steps[3];
    for (unsigned t = 0; t < 3; ++t) {
      starts[t] = (t * 128 + below(64)) * 32;
      blocks[t] = form == 0 ? 1 : below(4);
      steps[t] = form == 0 ? 8 * widths[t] / widest : below(20);
      test.tensor(t == 0 ? "dst" : t == 1 ? "src0" : "src1", Memory::UB, starts[t], kBytes);
    }
    test.slot(test.arg("dst")).dtype = dst;
    CoreState core;
    uint32_t repeats = below(9), tail = lanes;
    unsigned __int128 mask = ~(unsigned __int128)(0);
    if (form == 0) {
      const uint32_t count = below(2000);
      test.set("count", count);
      repeats = (count + lanes - 1) / lanes, tail = count - (repeats - 1) * lanes;
    } else {
      test.set("repeat_times", repeats).set("repeat_params", {blocks[0], blocks[1], blocks[2], steps[0], steps[1], steps[2]});
      if (form == 1) {
        const uint32_t first = below(lanes + 1);
        test.set("mask", first);
        mask = first == 128 ? mask : ((unsigned __int128)(1) << first) - 1;
      } else {
        const uint64_t low = random(), high = random();
        test.set("mask_bits", {low, high});
        mask = (unsigned __int128)(high) << 64 | low;
      }
    }

    const Accesses accesses = test.accesses(core);
    for (unsigned t = 0; t < 3; ++t) {
      Bytes want(kBytes), read(kBytes), written(kBytes);
      add_lanes(want, starts[t], widths[t], blocks[t], steps[t], repeats, tail, lanes, mask);
      for (const Access &access : accesses.span())
        if (access.arg == t)
          access.for_each_run([&](int64_t offset, int64_t bytes) {
            if (access.read) std::fill_n(read.begin() + starts[t] + offset, bytes, true);
            if (access.write) std::fill_n(written.begin() + starts[t] + offset, bytes, true);
          });
      const Role role = test.call.row->args[t].role;
      ASSERT_EQ(role != Role::Out ? want : Bytes(kBytes), read) << "operand " << t;
      ASSERT_EQ(role != Role::In ? want : Bytes(kBytes), written) << "operand " << t;
    }
  }
}

TEST(VectorMixed, ScratchMemoryOfAddDeqRelu) {
  const auto scratch = [](TestCall &test) {
    uint32_t bytes = 0;
    const Accesses accesses = test.accesses(CoreState());
    for (const Access &access : accesses.span())
      if (access.arg == Access::kScratch) {
        EXPECT_TRUE(access.write && access.garbage && !access.read);
        EXPECT_EQ(188416, access.address.offset());
        bytes = access.bytes;
      }
    return bytes;
  };
  TestCall count("add_deq_relu", 0, DType::Int32);
  count.slot(count.arg("dst")).dtype = DType::Float16;
  EXPECT_EQ(0u, scratch(count));
  EXPECT_EQ(400u, scratch(count.set("count", 100)));
  EXPECT_EQ(8192u, scratch(count.set("count", 2048)));
  TestCall mask("add_deq_relu", 1, DType::Int32);
  mask.slot(mask.arg("dst")).dtype = DType::Float16;
  EXPECT_EQ(768u, scratch(mask.set("mask", 5).set("repeat_times", 3)));
  EXPECT_EQ(8192u, scratch(mask.set("repeat_times", 255)));
}

} // namespace
} // namespace asc
