// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interval map against a plain array of one value per byte.
#include "observers/interval_map.h"

#include <gtest/gtest.h>
#include <random>

namespace asc {
namespace {

/// The intervals of [begin, end), neighbours of equal value joined across pages.
std::vector<std::tuple<uint64_t, uint64_t, uint32_t>> intervals(IntervalMap &map, uint64_t begin, uint64_t end) {
  std::vector<std::tuple<uint64_t, uint64_t, uint32_t>> result;
  map.visit(begin, end, [&](uint64_t from, uint64_t to, uint32_t value) {
    if (!result.empty() && std::get<2>(result.back()) == value && from % IntervalMap::kPageBytes == 0)
      std::get<1>(result.back()) = to;
    else
      result.emplace_back(from, to, value);
  });
  return result;
}
using Intervals = decltype(intervals(std::declval<IntervalMap &>(), 0, 0));

TEST(IntervalMap, JoinsEqualNeighbours) {
  IntervalMap map;
  for (uint64_t i = 0; i < 1000; ++i) map.assign(4 * i, 4 * i + 4, 7); // as a loop of set_value
  EXPECT_EQ(intervals(map, 0, 5000), (Intervals{{0, 4000, 7}, {4000, 5000, 0}}));
  map.assign(100, 200, 8);
  EXPECT_EQ(intervals(map, 0, 4000), (Intervals{{0, 100, 7}, {100, 200, 8}, {200, 4000, 7}}));
  map.assign(100, 200, 7);
  EXPECT_EQ(intervals(map, 0, 4000), (Intervals{{0, 4000, 7}}));
}

TEST(IntervalMap, CrossesPages) {
  constexpr uint64_t page = IntervalMap::kPageBytes;
  IntervalMap map;
  map.assign(page - 10, 3 * page + 10, 1);
  EXPECT_EQ(intervals(map, 0, 4 * page), (Intervals{{0, page - 10, 0}, {page - 10, 3 * page + 10, 1}, {3 * page + 10, 4 * page, 0}}));
}

TEST(IntervalMap, TellsEachIntervalWhatItWas) {
  IntervalMap map;
  map.assign(10, 20, 1);
  map.assign(20, 30, 2);
  Intervals seen;
  map.update(5, 25, [&](uint64_t from, uint64_t to, uint32_t value) {
    seen.emplace_back(from, to, value);
    return value + 10;
  });
  EXPECT_EQ(seen, (Intervals{{5, 10, 0}, {10, 20, 1}, {20, 25, 2}}));
  EXPECT_EQ(intervals(map, 0, 40), (Intervals{{0, 5, 0}, {5, 10, 10}, {10, 20, 11}, {20, 25, 12}, {25, 30, 2}, {30, 40, 0}}));
}

TEST(IntervalMap, EqualsAnArrayOfBytes) {
  constexpr uint64_t size = 3 * IntervalMap::kPageBytes, low = IntervalMap::kPageBytes - 300; // most traffic at a border of pages
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    IntervalMap map;
    std::vector<uint32_t> bytes(size, 0);
    for (unsigned step = 0; step < 2000; ++step) {
      const bool far = random() % 50 == 0;
      const uint64_t begin = far ? random() % size : low + random() % 600;
      const uint64_t end = std::min<uint64_t>(size, begin + 1 + random() % (far ? size : 64));
      const uint32_t value = random() % 4;
      if (random() % 2) {
        map.assign(begin, end, value);
        std::fill(bytes.begin() + begin, bytes.begin() + end, value);
      } else {
        uint64_t reached = begin;
        map.update(begin, end, [&](uint64_t from, uint64_t to, uint32_t old) {
          EXPECT_EQ(from, reached);
          for (uint64_t i = from; i < to; ++i) EXPECT_EQ(bytes[i], old);
          std::fill(bytes.begin() + from, bytes.begin() + to, (old + value) % 4);
          reached = to;
          return (old + value) % 4;
        });
        EXPECT_EQ(reached, end);
      }
      if (HasFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
    Intervals expected;
    for (uint64_t i = 0; i < size; ++i)
      if (i > 0 && bytes[i] == bytes[i - 1])
        std::get<1>(expected.back()) = i + 1;
      else
        expected.emplace_back(i, i + 1, bytes[i]);
    ASSERT_EQ(intervals(map, 0, size), expected) << "seed " << seed;
    std::vector<uint32_t> seen(size, 0);
    map.for_each([&](uint64_t from, uint64_t to, uint32_t value) { std::fill(seen.begin() + from, seen.begin() + to, value); });
    EXPECT_EQ(seen, bytes);
  }
}

TEST(IntervalMap, Renumbers) {
  IntervalMap map;
  map.assign(10, 20, 1);
  map.assign(20, 30, 2);
  map.renumber([](uint32_t value) { return value * 3; });
  EXPECT_EQ(intervals(map, 0, 40), (Intervals{{0, 10, 0}, {10, 20, 3}, {20, 30, 6}, {30, 40, 0}}));
}

} // namespace
} // namespace asc
