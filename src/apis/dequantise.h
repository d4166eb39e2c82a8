// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What conversions that dequantise share: the arithmetic on int32, and the rule about set_deq_scale.
#pragma once

#include "apis/lanes.h"

namespace asc {

/// dst = float16(src * scale), a LaneKernel; `context.scalar` is the register that set_deq_scale writes.
void dequantise_int32(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context);

/// Memory that the library takes for intermediate results of some calls: the last 8 KiB of the unified buffer.
inline constexpr int64_t kScratchBytes = 8192, kScratchStart = int64_t(info(Memory::UB).bytes) - kScratchBytes;

extern const Rule deq_scale_set; // R140: which form of set_deq_scale a conversion needs

} // namespace asc
