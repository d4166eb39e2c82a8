// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of the compact cost model for the dav-c220 chips (910B and 910_93): core counts and clocks, vector, transfer and launch
// costs, as published by the vendor's documents and tools or fitted to published measurements. Chips without a figure of their own use that
// of the nearest sibling.
#include "sim/hardware.h"

#include <algorithm>
#include <cmath>

namespace asc::sim {

static constexpr uint64_t kMiB = 1024 * 1024;

static constexpr Hardware kChips[] = {
    {"Ascend910B1", 48, 1850, 1520, 5900, 192 * kMiB},    {"Ascend910B2", 48, 1800, 1480, 5700, 192 * kMiB},
    {"Ascend910B2C", 48, 1800, 1480, 5700, 192 * kMiB},   {"Ascend910B3", 40, 1800, 1480, 5700, 192 * kMiB},
    {"Ascend910B4", 40, 1650, 600, 3000, 96 * kMiB},      {"Ascend910B4-1", 40, 1650, 600, 3000, 96 * kMiB},
    {"Ascend910_9362", 40, 1800, 1250, 2400, 168 * kMiB}, {"Ascend910_9372", 40, 1800, 1250, 2400, 168 * kMiB},
    {"Ascend910_9381", 48, 1800, 1350, 5200, 192 * kMiB}, {"Ascend910_9382", 48, 1800, 1350, 5200, 192 * kMiB},
    {"Ascend910_9391", 48, 1800, 1350, 5200, 192 * kMiB}, {"Ascend910_9392", 48, 1800, 1350, 5200, 192 * kMiB},
};
std::span<const Hardware> chips() { return kChips; }
const Hardware *find_chip(std::string_view platform) {
  const auto it = std::find_if(std::begin(kChips), std::end(kChips), [&](auto &c) { return c.name == platform; });
  return it == std::end(kChips) ? nullptr : it;
}

// ---------------------------------------------------------------- vector

static constexpr VectorCost kVector[] = {
    {"add", 20, 1, 1},
    {"sub", 20, 1, 1},
    {"mul", 21, 1, 1},
    {"max", 18, 1, 1},
    {"min", 18, 1, 1},
    {"adds", 20, 1, 1},
    {"muls", 21, 1, 1},
    {"maxs", 18, 1, 1},
    {"mins", 18, 1, 1},
    {"abs", 18, 1, 1},
    {"relu", 18, 1, 1},
    {"lrelu", 21, 1, 1},
    {"not", 17, 1, 1},
    {"and", 17, 1, 1},
    {"or", 17, 1, 1},
    {"shl", 20, 1, 1},
    {"shr", 20, 1, 1},
    {"axpy", 28, 1, 1},
    {"madd", 25, 2, 2},
    {"mla", 25, 2, 2},
    {"div", 27, 8, 4},
    {"exp", 27, 4, 2},
    {"ln", 28, 4, 2},
    {"sqrt", 27, 4, 2},
    {"rec", 18, 1, 1},
    {"rsqrt", 18, 1, 1},
    {"cast", 20, 1, 1, 2},
    {"cadd", 32, 7, 7},
    {"cmax", 30, 7, 7},
    {"cgadd", 26, 7, 1},
    {"cgmax", 20, 7, 1},
    {"cpadd", 20, 1, 1},
    {"copy", 16, 1, 1},
    {"dup", 15, 1, 1},
    {"brcb", 15, 1, 1},
    {"gather", 20, 24, 12},
    {"gatherb", 20, 3, 3},
    {"gather_mask", 34, 2, 2.7},
    {"gather_mask_custom", 70, 2, 2.7},
    {"sort32", 22, 16, 16},
    {"cmp", 24, 1, 1},
    {"cmps", 24, 1, 1},
    {"sel", 19, 1, 1},
    {"transpose", 22, 4, 4},
    {"transpose8", 25, 8, 8},
    // Sequences of the library: the sums of their instructions.
    {"add_deq_relu", 141, 7, 7}, // add, cast, three muls, cast, relu
    {"mrg_sort", 22, 16, 16},    // two records a cycle
    {"extract", 68, 4, 5.4},     // two gather_mask
    {"reduce_sum", 71, 7, 7},    // cadd, and an access of S to UB and back
    {"reduce_max", 99, 7, 7},    // two cmax, the second of few repeats, and S
    {"bilinear", 76, 5, 5},      // gatherb, brcb, mul, adds
};
const VectorCost *find_vector_cost(std::string_view key) {
  const auto it = std::find_if(std::begin(kVector), std::end(kVector), [&](auto &c) { return c.key == key; });
  return it == std::end(kVector) ? nullptr : it;
}

namespace {
constexpr unsigned kBlock = 32, kRepeat = 256, kGroups = 16;

/// An access cut into repeats of up to 8 blocks, addresses in blocks.
struct Shape {
  int64_t start, repeat_stride, block_stride;
  unsigned blocks;
  uint64_t repeats;
  bool read, write;
};

Shape shape_of(const Access &a) {
  const int64_t start = a.address.offset() / kBlock;
  if (a.bytes > kBlock || a.blocks == 1) { // contiguous rows
    const uint64_t per_row = (uint64_t(a.bytes) + kRepeat - 1) / kRepeat;
    const int64_t stride = a.bytes > kRepeat ? kRepeat / kBlock : a.repeat_stride / kBlock;
    return {start, stride, 1, std::min(kRepeat, a.bytes + kBlock - 1) / kBlock, per_row * a.repeats * a.blocks, a.read, a.write};
  }
  return {start, a.repeat_stride / kBlock, a.block_stride / kBlock, a.blocks, a.repeats, a.read, a.write};
}

/// The most rows that one bank group has to read or to write for a repeat; a row named twice is read once.
unsigned port_rows(std::span<const Shape> shapes, uint64_t repeat, bool write) {
  std::array<std::array<int64_t, 24>, kGroups> rows; // two sources or one destination need 16 at most
  std::array<unsigned, kGroups> used = {};
  unsigned most = 1;
  for (const Shape &s : shapes) {
    if (write ? !s.write : !s.read) continue;
    for (unsigned b = 0; b < s.blocks; ++b) {
      const int64_t row = s.start + int64_t(repeat) * s.repeat_stride + b * s.block_stride;
      const unsigned group = unsigned(row) % kGroups;
      auto &list = rows[group];
      unsigned &n = used[group];
      if (n == list.size() || std::find(list.begin(), list.begin() + n, row) != list.begin() + n) continue;
      list[n++] = row;
      most = std::max(most, n);
    }
  }
  return most;
}
} // namespace

uint64_t vector_cycles(const VectorCost &cost, std::span<const Access> accesses, unsigned element) {
  const double slope = element == 8 ? cost.slope64 : element == 4 ? cost.slope32 : cost.slope16;
  std::array<Shape, kMaxArgs> all; // a call touches no more places
  unsigned n = 0;
  uint64_t repeats = 0;
  for (const Access &a : accesses)
    if (!a.empty()) all[n] = shape_of(a), repeats = std::max(repeats, all[n++].repeats);
  if (repeats == 0) return cost.fixed;
  const std::span<const Shape> shapes(all.data(), n);
  // Groups depend on addresses modulo 16 blocks: the pattern repeats after 16 repeats at most, and does not change when all operands
  // advance alike.
  bool alike = true;
  for (const Shape &s : shapes) alike &= (s.repeat_stride - shapes[0].repeat_stride) % int64_t(kGroups) == 0 && (s.read || s.write);
  const uint64_t period = alike ? 1 : std::min<uint64_t>(repeats, kGroups);
  double total = 0;
  for (uint64_t r = 0; r < period; ++r) {
    const double rows = std::max(port_rows(shapes, r, false), port_rows(shapes, r, true));
    total += std::max(slope, rows) * double((repeats - r + period - 1) / period);
  }
  return cost.fixed + uint64_t(std::ceil(total));
}

uint64_t vector_cycles(const VectorCost &cost, uint64_t repeats, unsigned element) {
  return cost.fixed + uint64_t(std::ceil((element >= 4 ? cost.slope32 : cost.slope16) * double(repeats)));
}

// ---------------------------------------------------------------- cube

uint64_t cube_cycles(DType type, int64_t m, int64_t n, int64_t k) {
  const auto pieces = [](int64_t size, int64_t piece) { return uint64_t((size + piece - 1) / piece); };
  return pieces(m, 16) * pieces(n, 16) * pieces(k, 32 / int64_t(size_of(type))) * (type == DType::Float32 ? 2 : 1);
}

// ---------------------------------------------------------------- transfers

static constexpr DmaCost kDma[] = {
    {222, 160, 128, 68.5, 20, 3.3, 8, 3.7}, // GM to UB
    {250, 0, 110, 90, 20, 3.3, 12, 2.8},    // UB to GM
    {16, 0, 256, 256, 0, 0, 0, 1},          // UB to UB, on the vector pipe
};
const DmaCost &dma_cost(Path path) { return kDma[unsigned(path)]; }

uint64_t packets(uint64_t address, uint64_t bytes) {
  uint64_t n = 0;
  while (bytes > 0) {
    const uint64_t aligned = address % 512 == 0 ? 512 : address & -address; // largest power of two that divides it
    if (aligned == 512 && bytes >= 512) {
      n += bytes / 512;
      address += bytes / 512 * 512;
      bytes %= 512;
      continue;
    }
    const uint64_t piece = std::min(aligned, std::bit_floor(bytes));
    ++n, address += piece, bytes -= piece;
  }
  return n;
}

DmaTime dma_time(Path path, const Access &a, uint64_t missed, const Traffic &traffic) {
  const DmaCost &cost = dma_cost(path);
  const unsigned cores = traffic.chip->vector_cores;
  const double busy = cores > 1 ? double(traffic.active - 1) / (cores - 1) : 0; // 0 for one core, 1 for all
  const double packet = cost.packet + (cost.packet_all - cost.packet) * busy;
  const double share = 1e3 / traffic.chip->mhz / traffic.active; // GB/s of the die to bytes per cycle of this core
  const bool local = path == Path::UbToUb;
  const double hit_rate = local ? cost.rate : std::min(cost.rate, traffic.chip->l2_gbs * share);
  const double miss_rate = local ? cost.rate : std::min(cost.rate_miss, traffic.chip->hbm_gbs * share);

  // Rows that follow each other without a gap are one burst.
  uint64_t rows = uint64_t(a.repeats) * a.blocks, length = a.bytes;
  const bool one = rows <= 1 || (a.blocks > 1 && a.repeats == 1 && a.block_stride == int64_t(a.bytes)) ||
                   (a.blocks == 1 && a.repeat_stride == int64_t(a.bytes));
  const uint64_t total = rows * length;
  if (one) rows = 1, length = total;
  const double rate = total == 0 ? hit_rate : double(total) / (double(missed) / miss_rate + double(total - missed) / hit_rate);

  double occupancy = 0;
  const auto row = [&](uint64_t address) {
    return std::max({double(length) / rate, double(packets(address, length)) * packet, one ? 0.0 : cost.row_min});
  };
  if (total > 0) {
    const uint64_t start = uint64_t(a.address.offset());
    for (uint32_t r = 0; r < (one ? 1 : a.repeats); ++r)
      for (uint32_t b = 0; b < (one ? 1 : a.blocks); ++b) occupancy += row(start + uint64_t(r * a.repeat_stride + b * a.block_stride));
  }
  return {uint64_t(cost.issue), uint64_t(std::ceil(std::max(cost.issue, occupancy))),
          uint64_t(cost.start + (missed > 0 ? cost.miss_extra : 0))};
}

} // namespace asc::sim
