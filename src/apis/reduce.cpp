// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See reduce.h.
#include "apis/reduce.h"

#include "apis/lanes.h"
#include "apis/pieces.h"

#include <algorithm>
#include <cstring>

namespace asc {

// ---------------------------------------------------------------- sums

namespace {

template <bool kHalf> struct TreeLoop {
  template <InstructionSet Set> ASC_INLINE static void run(float *lanes, size_t n, unsigned leaves, bool saturate) {
    float sums[kSumChunk / 2];
    Half halves[kHalf ? kSumChunk / 2 : 1];
    for (; leaves > 1; leaves /= 2) {
      n /= 2;
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) sums[i] = lanes[2 * i] + lanes[2 * i + 1];
      if constexpr (kHalf) {
        narrow_floats<Set>(sums, halves, n);
        if (saturate)
          for (size_t i = 0; i < n; ++i) halves[i].bits = saturate_half(halves[i].bits);
        widen_halves<Set>(halves, lanes, n);
      } else {
        std::memcpy(lanes, sums, n * sizeof(float));
      }
    }
    ASC_VECTOR_LOOP
    for (size_t i = 0; i < n; ++i) lanes[i] = quiet(lanes[i]);
  }
};

} // namespace

void tree_sums(float *lanes, size_t n, unsigned leaves, SumOf type) {
  if (type.half)
    run_on_best<TreeLoop<true>>(lanes, n, leaves, type.saturate);
  else
    run_on_best<TreeLoop<false>>(lanes, n, leaves, false);
}

float sum(float a, float b, SumOf type) {
  const float exact = quiet(a + b);
  if (!type.half) return exact;
  const uint16_t bits = float_to_half(exact);
  return half_to_float(type.saturate ? saturate_half(bits) : bits);
}

void tree_sums(float *lanes, uint8_t *on, size_t n, unsigned leaves, SumOf type) {
  for (; leaves > 1; leaves /= 2) {
    n /= 2;
    for (size_t i = 0; i < n; ++i) {
      const size_t a = 2 * i, b = a + 1;
      lanes[i] = on[a] && on[b] ? sum(lanes[a], lanes[b], type) : on[a] ? lanes[a] : lanes[b];
      on[i] = on[a] || on[b];
    }
  }
  for (size_t i = 0; i < n; ++i) lanes[i] = quiet(lanes[i]);
}

// ---------------------------------------------------------------- extremes

namespace {

template <bool kLargest> ASC_INLINE bool more(float a, float b) { return kLargest ? a > b : a < b; }

template <bool kLargest> struct ExtremeLoop {
  static constexpr size_t kWidth = 16;

  template <InstructionSet Set> ASC_INLINE static void run(const float *lanes, size_t n, Extreme *found) {
    float best[kWidth];
    uint32_t nan[kWidth] = {};
    size_t whole = n / kWidth * kWidth;
    if (whole) std::memcpy(best, lanes, sizeof(best));
    for (size_t at = 0; at < whole; at += kWidth) {
      ASC_VECTOR_LOOP
      for (size_t k = 0; k < kWidth; ++k) {
        const float lane = lanes[at + k];
        nan[k] |= lane != lane;
        best[k] = more<kLargest>(lane, best[k]) ? lane : best[k];
      }
    }
    float value = whole ? best[0] : lanes[0];
    bool any_nan = false;
    const auto take = [&](float lane) {
      any_nan |= lane != lane;
      value = more<kLargest>(lane, value) ? lane : value;
    };
    if (whole)
      for (size_t k = 0; k < kWidth; ++k) take(best[k]), any_nan |= nan[k] != 0;
    for (size_t i = whole; i < n; ++i) take(lanes[i]);
    size_t index = 0;
    if (any_nan)
      while (lanes[index] == lanes[index]) ++index;
    else
      while (lanes[index] != value) ++index;
    *found = {quiet(lanes[index]), uint32_t(index)};
  }
};

} // namespace

Extreme first_extreme(const float *lanes, size_t n, bool largest) {
  Extreme found;
  if (largest)
    run_on_best<ExtremeLoop<true>>(lanes, n, &found);
  else
    run_on_best<ExtremeLoop<false>>(lanes, n, &found);
  return found;
}

bool exceeds(float a, float b, bool largest) { return b == b && (a != a || (largest ? a > b : a < b)); }

Extreme first_extreme(const float *lanes, const uint8_t *on, size_t n, bool largest) {
  size_t first = 0;
  while (!on[first]) ++first;
  Extreme found = {lanes[first], uint32_t(first)};
  for (size_t i = first + 1; i < n; ++i)
    if (on[i] && exceeds(lanes[i], found.value, largest)) found = {lanes[i], uint32_t(i)};
  found.value = quiet(found.value);
  return found;
}

// ---------------------------------------------------------------- lanes

struct RepeatLanes::Buffers {
  Pieces whole, last;
};

RepeatLanes::RepeatLanes(const Walk &walk, const std::byte *data, DType dtype)
    : walk_(walk), data_(data), dtype_(dtype),
      buffers_(walk.masked || walk.strides[0].block != 1 ? new Buffers{{walk, walk.lanes}, {walk, walk.tail}} : nullptr) {}
RepeatLanes::~RepeatLanes() { delete buffers_; }

namespace {

struct WidenLoop {
  template <InstructionSet Set> ASC_INLINE static void run(const Half *halves, float *lanes, size_t n) {
    widen_halves<Set>(halves, lanes, n);
  }
};

void widen(const std::byte *from, size_t n, DType dtype, float *lanes) {
  if (dtype == DType::Float32) {
    std::memcpy(lanes, from, n * sizeof(float));
    return;
  }
  for (size_t at = 0; at < n; at += kHalfChunk) {
    Half halves[kHalfChunk];
    const size_t m = std::min(n - at, kHalfChunk);
    std::memcpy(halves, from + at * sizeof(Half), m * sizeof(Half));
    run_on_best<WidenLoop>(static_cast<const Half *>(halves), lanes + at, m);
  }
}

} // namespace

size_t RepeatLanes::load(uint32_t repeat, float *lanes) const {
  const bool ends = repeat + 1 == walk_.repeats;
  const size_t n = ends ? walk_.tail : walk_.lanes;
  const std::byte *from = data_ + size_t(repeat) * walk_.strides[0].repeat * kBlockBytes;
  if (!buffers_) {
    widen(from, n, dtype_, lanes);
    return n;
  }
  alignas(64) std::byte buffer[kRepeatBytes] = {};
  (ends ? buffers_->last : buffers_->whole).load(buffer, from, size_t(walk_.strides[0].block) * kBlockBytes, 0);
  widen(buffer, n, dtype_, lanes);
  return n;
}

void RepeatLanes::load(uint32_t first, size_t repeats, float *lanes) const {
  if (!buffers_ && walk_.strides[0].repeat == kRepeatBlocks)
    return widen(data_ + size_t(first) * kRepeatBytes, repeats * walk_.lanes, dtype_, lanes);
  for (size_t r = 0; r < repeats; ++r) load(uint32_t(first + r), lanes + r * walk_.lanes);
}

void RepeatLanes::flags(uint8_t *on) const {
  for (uint32_t k = 0; k < walk_.lanes; ++k) on[k] = walk_.mask[k / 64] >> k % 64 & 1;
}

void store_lane(std::byte *to, float lane, DType dtype) {
  if (dtype == DType::Float32) {
    std::memcpy(to, &lane, sizeof(lane));
    return;
  }
  const uint16_t bits = float_to_half(lane);
  std::memcpy(to, &bits, sizeof(bits));
}

} // namespace asc
