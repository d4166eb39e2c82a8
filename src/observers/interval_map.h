// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value for every byte of a memory, stored as the intervals of equal value: what the checkers remember about memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace asc {

/// Maps byte offsets to 32-bit values; a byte that was never assigned has 0. Memory is cut into pages, so that an update moves the segments
/// of one page at most, and each page is a sorted list of segments that merges equal neighbours.
class IntervalMap {
public:
  using Value = uint32_t;
  static constexpr uint64_t kPageBytes = 64 * 1024;

  IntervalMap() = default;
  IntervalMap(IntervalMap &&) = default; // no copies: `recent_` points into `pages_`
  IntervalMap &operator=(IntervalMap &&) = default;

  /// Calls `fn(begin, end, value)` for the intervals of [begin, end), in order; long ones come in pieces.
  template <class Fn> void visit(uint64_t begin, uint64_t end, Fn &&fn) {
    for_each_page(begin, end, [&](Page &page, uint64_t base, uint32_t low, uint32_t high) {
      for (size_t i = find(page, low); i < page.size() && page[i].begin < high; ++i)
        fn(base + std::max(page[i].begin, low), base + std::min(end_of(page, i), high), page[i].value);
    });
  }

  /// Replaces the value of every interval of [begin, end) by `fn(begin, end, value)`.
  template <class Fn> void update(uint64_t begin, uint64_t end, Fn &&fn) {
    for_each_page(begin, end, [&](Page &page, uint64_t base, uint32_t low, uint32_t high) {
      const size_t first = find(page, low);
      const Segment old = page[first];
      const uint32_t stop = end_of(page, first);
      fresh_.clear();
      if (stop >= high) { // inside one segment, as nearly always
        const Value value = fn(base + low, base + high, old.value);
        if (value == old.value) return;
        if (old.begin == low && first + 1 == page.size() && high < kPageBytes) { // goes on where it ended: memory that is used in order
          if (first > 0 && page[first - 1].value == value)
            page[first].begin = high;
          else
            page[first].value = value, page.push_back({high, old.value});
          return;
        }
        if (old.begin == low && stop == high) {
          page[first].value = value;
          merge(page, first);
          return;
        }
        if (old.begin < low) fresh_.push_back(old);
        fresh_.push_back({low, value});
        if (stop > high) fresh_.push_back({high, old.value});
        replace(page, first, first + 1);
        return;
      }
      if (old.begin < low) fresh_.push_back(old);
      size_t last = first;
      for (; last < page.size() && page[last].begin < high; ++last) {
        const uint32_t from = std::max(page[last].begin, low), to = std::min(end_of(page, last), high);
        append({from, fn(base + from, base + to, page[last].value)});
      }
      if (end_of(page, last - 1) > high) append({high, page[last - 1].value});
      replace(page, first, last);
    });
  }

  /// The interval around `offset`, as far as its page reaches.
  std::pair<uint64_t, uint64_t> around(uint64_t offset) {
    std::pair<uint64_t, uint64_t> interval;
    for_each_page(offset, offset + 1, [&](Page &page, uint64_t base, uint32_t low, uint32_t) {
      const size_t i = find(page, low);
      interval = {base + page[i].begin, base + end_of(page, i)};
    });
    return interval;
  }

  void assign(uint64_t begin, uint64_t end, Value value) {
    update(begin, end, [value](uint64_t, uint64_t, Value) { return value; });
  }

  /// Calls `fn(begin, end, value)` for all intervals of the touched pages, in order.
  template <class Fn> void for_each(Fn &&fn) const {
    std::vector<uint64_t> numbers;
    for (const auto &[number, page] : pages_) numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
    for (uint64_t number : numbers) {
      const Page &page = pages_.at(number);
      for (size_t i = 0; i < page.size(); ++i)
        fn(number * kPageBytes + page[i].begin, number * kPageBytes + end_of(page, i), page[i].value);
    }
  }

  /// Replaces every value by `fn(value)`, which keeps different values different.
  template <class Fn> void renumber(Fn &&fn) {
    for (auto &[number, page] : pages_)
      for (Segment &segment : page) segment.value = fn(segment.value);
  }

private:
  struct Segment { // reaches to the begin of the next one, or to the end of the page
    uint32_t begin;
    Value value;
  };
  using Page = std::vector<Segment>; // never empty, the first begins at 0

  struct Recent { // spares the look-up
    uint64_t number = ~uint64_t(0);
    Page *page = nullptr;
  };

  static uint32_t end_of(const Page &page, size_t i) { return i + 1 < page.size() ? page[i + 1].begin : uint32_t(kPageBytes); }

  /// The segment that contains `offset`.
  static size_t find(const Page &page, uint32_t offset) {
    if (page.back().begin <= offset) return page.size() - 1; // nearly always of memory that is used in order
    return size_t(std::upper_bound(page.begin(), page.end(), offset, [](uint32_t o, const Segment &s) { return o < s.begin; }) -
                  page.begin()) -
           1;
  }

  template <class Fn> void for_each_page(uint64_t begin, uint64_t end, Fn &&fn) {
    while (begin < end) {
      const uint64_t number = begin / kPageBytes, base = number * kPageBytes, stop = std::min(end, base + kPageBytes);
      Recent &recent = recent_[number % recent_.size()];
      if (recent.number != number) {
        auto [it, added] = pages_.try_emplace(number);
        if (added) it->second.reserve(8), it->second.push_back({0, 0});
        recent = {number, &it->second}; // pages stay where they are when others join
      }
      fn(*recent.page, base, uint32_t(begin - base), uint32_t(stop - base));
      begin = stop;
    }
  }

  /// Joins segment `i` with neighbours of the same value.
  static void merge(Page &page, size_t i) {
    if (i + 1 < page.size() && page[i + 1].value == page[i].value) page.erase(page.begin() + i + 1);
    if (i > 0 && page[i - 1].value == page[i].value) page.erase(page.begin() + i);
  }

  void append(Segment segment) {
    if (fresh_.empty() || fresh_.back().value != segment.value) fresh_.push_back(segment);
  }

  /// Puts `fresh_` in the place of segments [first, last).
  void replace(Page &page, size_t first, size_t last) {
    if (last < page.size() && page[last].value == fresh_.back().value) ++last;
    const bool joins = first > 0 && page[first - 1].value == fresh_.front().value;
    const auto from = fresh_.begin() + joins;
    const size_t count = size_t(fresh_.end() - from), kept = std::min(count, last - first);
    std::copy(from, from + kept, page.begin() + first);
    if (count > kept)
      page.insert(page.begin() + last, from + kept, fresh_.end());
    else
      page.erase(page.begin() + first + kept, page.begin() + last);
  }

  std::unordered_map<uint64_t, Page> pages_;
  std::array<Recent, 4> recent_;
  Page fresh_;
};

} // namespace asc
