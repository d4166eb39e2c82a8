// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow memory against a plain record per byte.
#include "observers/history.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace asc {
namespace {

struct Byte {
  Mark writer;
  std::map<Pipe, Mark> readers;
};

TEST(Shadow, EqualsARecordPerByte) {
  constexpr int64_t size = 256;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Shadow shadow;
    std::vector<Byte> bytes(size);
    uint64_t epoch = 1;
    for (unsigned step = 0; step < 3000; ++step) {
      epoch += random() % 4 == 0;
      const Mark mark{epoch, 0, uint32_t(random() % 5), Pipe(random() % 6), uint8_t(random() % 2)};
      const uint64_t begin = random() % size, end = std::min<uint64_t>(size, begin + 1 + random() % 40);
      IntervalMap &map = shadow.map(Address(Memory::UB, 0, 0));
      if (random() % 3 == 0) {
        map.assign(begin, end, shadow.written(mark));
        for (uint64_t i = begin; i < end; ++i) bytes[i] = {mark, {}};
      } else {
        // A read that completed before this one began need not be kept.
        const uint64_t completed = epoch > 20 ? epoch - 20 : 0;
        map.update(begin, end, [&](uint64_t, uint64_t, Shadow::Id id) {
          return shadow.read(id, mark, [&](const Mark &reader) { return reader.epoch <= completed; });
        });
        for (uint64_t i = begin; i < end; ++i) {
          std::erase_if(bytes[i].readers, [&](const auto &reader) { return reader.second.epoch <= completed; });
          bytes[i].readers[mark.pipe] = mark;
        }
      }
      if (random() % 20 == 0) shadow.collect_garbage();
      map.visit(0, size, [&](uint64_t from, uint64_t to, Shadow::Id id) {
        std::map<Pipe, Mark> readers;
        shadow.for_each_reader(id, [&](const Mark &reader) { EXPECT_TRUE(readers.emplace(reader.pipe, reader).second) << "one per pipe"; });
        for (uint64_t i = from; i < to; ++i) {
          EXPECT_EQ(shadow[id].writer, bytes[i].writer);
          EXPECT_EQ(readers, bytes[i].readers);
        }
      });
      if (HasFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
  }
}

TEST(Shadow, ALoopLeavesOneInterval) {
  Shadow shadow;
  const auto intervals = [&](Address address) {
    unsigned n = 0;
    shadow.map(address).visit(0, 4096, [&](uint64_t, uint64_t, Shadow::Id) { ++n; });
    return n;
  };
  const Address ub(Memory::UB, 0, 0), global(Memory::GM, 2, 0);
  const Mark load{1, 0, 7, Pipe::S, 0}, store{1, 0, 8, Pipe::S, 0};
  shadow.map(ub).assign(0, 4096, shadow.written({1, 0, 1, Pipe::V, 0}));
  for (uint64_t i = 0; i < 4096; i += 4) {
    shadow.map(ub).update(i, i + 4,
                          [&](uint64_t, uint64_t, Shadow::Id id) { return shadow.read(id, load, [](const Mark &) { return true; }); });
    shadow.map(global).assign(i, i + 4, shadow.written(store));
  }
  EXPECT_EQ(intervals(ub), 1u);
  EXPECT_EQ(intervals(global), 1u);
}

TEST(Shadow, GarbageIsCollected) {
  Shadow shadow;
  const Address ub(Memory::UB, 0, 0);
  shadow.map(ub).assign(0, 64, shadow.written({1, 0, 1, Pipe::V, 0}));
  uint64_t epoch = 1;
  while (!shadow.full()) shadow.map(ub).assign(64, 128, shadow.written({++epoch, 0, 2, Pipe::V, 0}));
  shadow.collect_garbage();
  EXPECT_FALSE(shadow.full());
  std::vector<Mark> writers;
  shadow.map(ub).visit(0, 128, [&](uint64_t, uint64_t, Shadow::Id id) { writers.push_back(shadow[id].writer); });
  EXPECT_EQ(writers, (std::vector<Mark>{{1, 0, 1, Pipe::V, 0}, {epoch, 0, 2, Pipe::V, 0}}));
}

TEST(Shadow, RangesOfAnAccess) {
  const auto ranges = [](const Access &access) {
    std::vector<std::pair<uint64_t, uint64_t>> result;
    for_each_range(access, [&](uint64_t begin, uint64_t end) { result.emplace_back(begin, end); });
    return result;
  };
  using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;
  Access access;
  access.address = Address(Memory::UB, 0, 1000);
  EXPECT_EQ(ranges(access), Ranges{});
  access.bytes = 32;
  EXPECT_EQ(ranges(access), (Ranges{{1000, 1032}}));
  access.repeats = 2, access.blocks = 8, access.block_stride = 32, access.repeat_stride = 256;
  EXPECT_EQ(ranges(access), (Ranges{{1000, 1512}}));
  access.tail = 40;
  EXPECT_EQ(ranges(access), (Ranges{{1000, 1296}}));
  access.tail = 0, access.blocks = 2, access.block_stride = 64;
  EXPECT_EQ(ranges(access), (Ranges{{1000, 1032}, {1064, 1096}, {1256, 1288}, {1320, 1352}}));
  access.repeats = 0;
  EXPECT_EQ(ranges(access), Ranges{});
}

} // namespace
} // namespace asc
