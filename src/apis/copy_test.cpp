// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apis/copy.h"

#include "apis/test_call.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace asc {
namespace {

std::vector<std::byte> random_bytes(size_t n, std::mt19937_64 &random) {
  std::vector<std::byte> bytes(n);
  for (std::byte &b : bytes) b = std::byte(random());
  return bytes;
}

TEST(Copy, StreamsAnyAlignmentAndLength) {
  std::mt19937_64 random(1);
  const std::vector<std::byte> src = random_bytes(8192, random);
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::byte> dst = random_bytes(8192, random), want = dst;
    const size_t from = random() % 100, to = random() % 100, bytes = i % 2 ? random() % 200 : random() % 8000;
    std::memcpy(want.data() + to, src.data() + from, bytes);
    stream_copy(dst.data() + to, src.data() + from, bytes);
    ASSERT_EQ(want, dst) << bytes << " bytes from " << from << " to " << to;
  }
}

/// data_copy in all directions and forms against the byte semantics of the specification.
TEST(Copy, DataCopyMovesBlocks) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    const DType dtypes[] = {DType::Bool,    DType::Int8,  DType::Float16, DType::BFloat16,
                            DType::Float32, DType::Int64, DType::UInt64,  DType::Float64};
    const DType dtype = dtypes[random() % std::size(dtypes)];
    const unsigned form = unsigned(random() % 2);
    const Memory memories[][2] = {{Memory::UB, Memory::GM}, {Memory::GM, Memory::UB}, {Memory::UB, Memory::UB}};
    const auto &[to_memory, from_memory] = memories[random() % 3];
    TestCall test("data_copy", form, dtype);
    const size_t to = 32 * (random() % 64), from = 48000 + 32 * (random() % 64);
    test.tensor("dst", to_memory, int64_t(to), 40000).tensor("src", from_memory, int64_t(from), 40000);

    std::vector<std::byte> memory = random_bytes(96000, random), want = memory;
    std::vector<bool> written(memory.size()), read(memory.size());
    const auto move = [&](size_t dst, size_t src, size_t bytes) {
      std::memcpy(&want[dst], &memory[src], bytes);
      std::fill_n(written.begin() + ptrdiff_t(dst), bytes, true);
      std::fill_n(read.begin() + ptrdiff_t(src), bytes, true);
    };
    if (form == 0) {
      const uint64_t count = random() % 5000;
      test.set("count", count);
      move(to, from, count * size_of(dtype) / 32 * 32);
    } else {
      const uint64_t n = random() % 9, length = random() % 70, src_gap = random() % 3 * 7, dst_gap = random() % 3 * 5;
      test.set("repeat_params", {n, length, src_gap, dst_gap});
      for (size_t b = 0; b < n; ++b) move(to + 32 * b * (length + dst_gap), from + 32 * b * (length + src_gap), 32 * length);
    }

    CoreState core;
    test.run(core, memory.data());
    ASSERT_EQ(want, memory);
    std::vector<bool> got_written(memory.size()), got_read(memory.size());
    const Accesses accesses = test.accesses(core);
    for (const Access &access : accesses.span())
      access.for_each_run([&](int64_t offset, int64_t bytes) {
        std::fill_n((access.write ? got_written : got_read).begin() + access.address.offset() + offset, bytes, true);
      });
    ASSERT_EQ(written, got_written);
    ASSERT_EQ(read, got_read);
    const Pipe want_pipe = from_memory == Memory::GM ? Pipe::MTE2 : to_memory == Memory::GM ? Pipe::MTE3 : Pipe::V;
    ASSERT_EQ(want_pipe, test.call.row->pipe_of(test.call));
  }
}

/// Documented example: half, two blocks of three, source gap 1, destination gap 2.
TEST(Copy, DocumentedGaps) {
  std::vector<uint16_t> memory(512, 0xFFFF);
  for (int i = 0; i < 128; ++i) memory[256 + i] = uint16_t(i);
  TestCall test("data_copy", 1, DType::Float16);
  test.tensor("dst", Memory::UB, 0, 512).tensor("src", Memory::GM, 512, 256).set("repeat_params", {2, 3, 1, 2});
  CoreState core;
  test.run(core, reinterpret_cast<std::byte *>(memory.data()));
  for (int i = 0; i < 48; ++i) EXPECT_EQ(i, memory[i]);
  for (int i = 48; i < 80; ++i) EXPECT_EQ(0xFFFF, memory[i]);
  for (int i = 0; i < 48; ++i) EXPECT_EQ(64 + i, memory[80 + i]);
}

} // namespace
} // namespace asc
