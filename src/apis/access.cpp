// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses whose places stand in memory.
#include "apis/api.h"
#include "apis/instruction_set.h"

#include <algorithm>
#include <bit>

namespace asc {
namespace {

struct Summary {
  uint32_t lowest = UINT32_MAX, highest = 0, all_bits = 0;
};

struct Summarise {
  template <InstructionSet> ASC_INLINE static void run(const std::byte *offsets, size_t n, Summary *summary) {
    uint32_t lowest = summary->lowest, highest = summary->highest, all_bits = summary->all_bits;
    for (size_t i = 0; i < n; ++i) {
      uint32_t value;
      std::memcpy(&value, offsets + i * sizeof(value), sizeof(value));
      lowest = std::min(lowest, value), highest = std::max(highest, value), all_bits |= value;
    }
    *summary = {lowest, highest, all_bits};
  }
};

} // namespace

void Access::at_offsets(const std::byte *first) {
  offsets = first;
  if (empty()) return;
  Summary summary;
  if (!masked) {
    run_on_best<Summarise>(first, offset_count(), &summary);
  } else {
    for (size_t i = 0; i < offset_count(); ++i) {
      if (!has_offset(i)) continue;
      const uint32_t value = offset(i);
      summary = {std::min(summary.lowest, value), std::max(summary.highest, value), summary.all_bits | value};
    }
  }
  lowest = summary.lowest, highest = summary.highest, all_bits = summary.all_bits;
}

} // namespace asc
