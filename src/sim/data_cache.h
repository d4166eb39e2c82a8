// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data cache of a scalar unit as the device has it (option dcache): lines of 64 bytes of global memory that no other core and no pipe
// keeps up to date, and that are written back whole.
#pragma once

#include "apis/cache.h"

#include <cstring>
#include <vector>

namespace asc::sim {

class DataCache {
public:
  static constexpr unsigned kLines = 512; // 32 KiB; "places of lines in the data cache"

  /// `bytes`: of the line that are inside its array; they are at `memory`.
  struct Place {
    std::byte *memory;
    unsigned bytes;
  };

  void start() { lines_.clear(); }
  /// Bytes of one element, which may lie in two lines. `place(line)` says where a line is in memory.
  template <class Fn> void read(Address address, std::byte *to, unsigned size, Fn &&place) {
    each(address, size, place, [&](Line &line, unsigned at, unsigned from) { to[from] = line.bytes[at]; });
  }
  template <class Fn> void write(Address address, const std::byte *from, unsigned size, Fn &&place) {
    each(address, size, place, [&](Line &line, unsigned at, unsigned i) { line.bytes[at] = from[i], line.dirty = true; });
  }
  template <class Fn> void load(Address address, Fn &&place) { line_of(cache_line(address), place); }
  template <class Fn> void clean(Address address, Fn &&place) {
    if (lines_.empty()) return;
    if (Line &line = lines_[cache_line(address) % kLines]; line.number == cache_line(address)) give_up(line, place);
  }
  template <class Fn> void clean_all(Fn &&place) {
    for (Line &line : lines_) give_up(line, place);
  }

private:
  struct Line {
    uint64_t number = 0; // 0: empty; lines of global memory have larger numbers
    bool dirty = false;
    std::array<std::byte, kCacheLine> bytes;
  };
  template <class Fn> void give_up(Line &line, Fn &&place) {
    if (line.dirty) {
      const Place to = place(line.number);
      std::memcpy(to.memory, line.bytes.data(), to.bytes);
    }
    line.number = 0, line.dirty = false;
  }
  template <class Fn> Line &line_of(uint64_t number, Fn &&place) {
    if (lines_.empty()) lines_.resize(kLines);
    Line &line = lines_[number % kLines];
    if (line.number == number) return line;
    give_up(line, place);
    const Place from = place(number);
    std::memcpy(line.bytes.data(), from.memory, from.bytes);
    line.number = number;
    return line;
  }
  template <class Fn, class Use> void each(Address address, unsigned size, Fn &&place, Use &&use) {
    for (unsigned i = 0; i < size; ++i) use(line_of((address.word + i) / kCacheLine, place), unsigned((address.word + i) % kCacheLine), i);
  }

  std::vector<Line> lines_; // empty: not used yet
};

} // namespace asc::sim
