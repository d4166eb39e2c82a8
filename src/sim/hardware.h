// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What time things take: the public timing facts of the chips as data, and the cost formulae over them. Cycles are AI Core cycles.
#pragma once

#include "apis/api.h"

namespace asc::sim {

inline constexpr unsigned kVectorCoresPerCube = 2;

/// A chip.
struct Hardware {
  std::string_view name; // platform, "Ascend910B1"
  unsigned vector_cores;
  unsigned mhz;
  double hbm_gbs, l2_gbs; // effective rates of the whole die, 10^9 bytes per second
  uint64_t l2_bytes;

  double cycles(double microseconds) const { return microseconds * mhz; }
};
std::span<const Hardware> chips();
const Hardware *find_chip(std::string_view platform);

/// A vector instruction: fixed + per 256-byte repeat the larger of the slope and what the banks of UB need.
struct VectorCost {
  std::string_view key;
  unsigned fixed, slope16;
  double slope32;
  double slope64 = slope32;
};
const VectorCost *find_vector_cost(std::string_view key);
/// `element`: bytes of the widest operand's elements.
uint64_t vector_cycles(const VectorCost &cost, std::span<const Access> accesses, unsigned element);
/// The same for that many repeats, whatever banks they need.
uint64_t vector_cycles(const VectorCost &cost, uint64_t repeats, unsigned element);

/// A transfer engine.
struct DmaCost {
  double start, miss_extra;  // latency; more when the first line is not in L2
  double rate, rate_miss;    // bytes per cycle from L2 and from HBM
  double issue;              // before the engine takes its next instruction
  double packet, packet_all; // per packet with one core active, with all
  double row_min;            // per separate row
};
enum class Path : uint8_t { GmToUb, UbToGm, UbToUb };
const DmaCost &dma_cost(Path path);

/// What the launch means for one core's share of the memories; the same for all blocks of a wave, whatever their order.
struct Traffic {
  const Hardware *chip;
  unsigned active;       // cores at work
  double write_miss = 0; // share of the written bytes that L2 cannot keep
};
struct DmaTime {
  uint64_t issue;     // until the engine takes the next instruction
  uint64_t occupancy; // of the data path
  uint64_t latency;
};
/// `missed`: bytes of the access that come from HBM. `memory_side`: the rows in GM (of either side for UbToUb).
DmaTime dma_time(Path path, const Access &memory_side, uint64_t missed, const Traffic &traffic);

/// Naturally aligned pieces of at most 512 bytes that a burst is cut into.
uint64_t packets(uint64_t address, uint64_t bytes);

/// Cycles of the cube for a block: pieces of 16 x 16 numbers of C and 32 bytes of K, one per cycle; two cycles for float32.
uint64_t cube_cycles(DType type, int64_t m, int64_t n, int64_t k);

/// Scalar unit and synchronisation.
struct ScalarCost {
  unsigned local_access, memory_hit, memory_miss; // GetValue, SetValue
  unsigned loop;                                  // a jump back
  unsigned set_flag, wait_flag, barrier_vector, barrier;
  unsigned cross_core; // from a set to the wait of another core
};
inline constexpr ScalarCost kScalarCost = {20, 20, 300, 4, 1, 1, 16, 1, 300};

/// Launch: before and after the cores run, per started core, at the start of each block, and for a meeting of all cores. Microseconds.
struct LaunchCost {
  double outside, per_core, in_core;
  double all_cores; // from the last set of a flag of all cores to their waits
};
inline constexpr LaunchCost kLaunchCost = {0.5, 0.037, 1.0, 1.5};

} // namespace asc::sim
