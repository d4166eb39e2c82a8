// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a vector instruction's operands, and the array conversions of its loops.
#include "apis/lanes.h"

#include <cstring>
#include <stdexcept>
#include <string>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace asc {

// ---------------------------------------------------------------- conversions

void halves_to_floats(const Half *src, float *dst, size_t n) {
  ASC_VECTOR_LOOP
  for (size_t i = 0; i < n; ++i) dst[i] = half_to_float(src[i].bits);
}
void floats_to_halves(const float *src, Half *dst, size_t n) {
  ASC_VECTOR_LOOP
  for (size_t i = 0; i < n; ++i) dst[i].bits = float_to_half(src[i]);
}

#if defined(__x86_64__)
// The conversion instructions agree with numeric.h except that they keep the payload of a NaN.

[[ASC_AVX2]] static void widen_8(const Half *src, float *dst) {
  _mm256_storeu_ps(dst, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(src))));
}
[[ASC_AVX2]] static void narrow_8(const float *src, Half *dst) {
  const __m256 value = _mm256_loadu_ps(src), nan = _mm256_castsi256_ps(_mm256_set1_epi32(int(assume::float_nan)));
  const __m256 quiet = _mm256_blendv_ps(value, nan, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(dst), _mm256_cvtps_ph(quiet, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

[[ASC_AVX2]] void halves_to_floats_avx2(const Half *src, float *dst, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) widen_8(src + i, dst + i);
  for (; i < n; ++i) dst[i] = half_to_float(src[i].bits);
}
[[ASC_AVX2]] void floats_to_halves_avx2(const float *src, Half *dst, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) narrow_8(src + i, dst + i);
  for (; i < n; ++i) dst[i].bits = float_to_half(src[i]);
}

[[ASC_AVX512]] void halves_to_floats_avx512(const Half *src, float *dst, size_t n) {
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    _mm512_storeu_ps(dst + i, _mm512_maskz_cvtph_ps(0xFFFF, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(src + i))));
  for (; i < n; ++i) dst[i] = half_to_float(src[i].bits);
}
[[ASC_AVX512]] void floats_to_halves_avx512(const float *src, Half *dst, size_t n) {
  size_t i = 0;
  const __m512 nan = _mm512_castsi512_ps(_mm512_set1_epi32(int(assume::float_nan)));
  for (; i + 16 <= n; i += 16) {
    const __m512 value = _mm512_loadu_ps(src + i);
    const __m512 quiet = _mm512_mask_mov_ps(value, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q), nan);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(dst + i), _mm512_maskz_cvtps_ph(0xFFFF, quiet, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  for (; i < n; ++i) dst[i].bits = float_to_half(src[i]);
}
#endif

// ---------------------------------------------------------------- walking

namespace {

/// One repeat of an operand, seen lane by lane.
struct RepeatView {
  std::byte *start;
  size_t block_stride; // bytes
};

RepeatView view(std::byte *base, const Walk &walk, unsigned t, uint32_t repeat) {
  return {base + size_t(repeat) * walk.strides[t].repeat * kBlockBytes, walk.strides[t].block * size_t(kBlockBytes)};
}

/// Calls `fn(lane offset in bytes, bytes)` for the lanes of one block of a repeat that are on, in runs.
template <class Fn> void for_each_run_of_lanes(const Walk &walk, uint32_t block, uint32_t lanes, Fn &&fn) {
  const uint32_t per_block = kBlockBytes / walk.element, first = block * per_block, last = std::min(first + per_block, lanes);
  if (!walk.masked) return fn(0u, (last - first) * walk.element);
  for (uint32_t k = first; k < last; ++k)
    if (walk.mask[k / 64] >> (k % 64) & 1) fn((k - first) * walk.element, walk.element);
}

template <class Fn> void for_each_block(const Walk &walk, uint32_t lanes, Fn &&fn) {
  const uint32_t per_block = kBlockBytes / walk.element;
  for (uint32_t block = 0; block * per_block < lanes; ++block) fn(block);
}

void load(std::byte *buffer, const RepeatView &from, const Walk &walk, uint32_t lanes) {
  for_each_block(walk, lanes, [&](uint32_t block) {
    for_each_run_of_lanes(walk, block, lanes, [&](uint32_t offset, uint32_t bytes) {
      std::memcpy(buffer + block * kBlockBytes + offset, from.start + block * from.block_stride + offset, bytes);
    });
  });
}

void store(const RepeatView &to, const std::byte *buffer, const Walk &walk, uint32_t lanes) {
  for_each_block(walk, lanes, [&](uint32_t block) {
    for_each_run_of_lanes(walk, block, lanes, [&](uint32_t offset, uint32_t bytes) {
      std::memcpy(to.start + block * to.block_stride + offset, buffer + block * kBlockBytes + offset, bytes);
    });
  });
}

/// Whether the instruction is one plain loop: contiguous, aligned operands that are the same elements or have no byte in common.
bool is_plain(const Walk &walk, std::span<std::byte *const> data) {
  const size_t bytes = walk.elements() * walk.element;
  for (unsigned t = 0; t < data.size(); ++t) {
    if (!walk.dense(t) || reinterpret_cast<uintptr_t>(data[t]) % walk.element) return false;
    if (data[t] != data[0] && data[t] < data[0] + bytes && data[0] < data[t] + bytes) return false;
  }
  return true;
}

template <class T> void fill_kernel(std::byte *dst, const std::byte *const *, size_t n, const LaneContext &context) {
  std::fill_n(reinterpret_cast<T *>(dst), n, T(context.scalar));
}

} // namespace

void Lanes::run(LaneKernel kernel) {
  const Call &call = exec_.call;
  const VectorArgs &args = *call.row->vector;
  if (!kernel) throw std::logic_error(std::string(call.row->name) + " has no lanes of " + std::string(name(call.dtype(args.tensors[0].arg))));
  context_.saturate_int = exec_.core.saturate_int;
  context_.saturate_half = !exec_.core.keep_inf_nan;

  const Walk lanes = *walk(call, &exec_.core);
  std::array<std::byte *, kMaxVectorTensors> data = {};
  for (unsigned t = 0; t < args.size; ++t) data[t] = exec_.data[args.tensors[t].arg];

  if (lanes.repeats == 0) {
    // nothing is on
  } else if (is_plain(lanes, {data.data(), args.size})) {
    kernel(data[0], data.data() + 1, lanes.elements(), context_);
  } else {
    // Repeats in order; each reads all its sources before it writes. Lanes that are off compute on zeros and are dropped.
    alignas(64) std::byte buffers[kMaxVectorTensors][kRepeatBytes] = {};
    const std::byte *sources[kMaxVectorTensors] = {buffers[1], buffers[2], buffers[3]};
    for (uint32_t r = 0; r < lanes.repeats; ++r) {
      const uint32_t on = r + 1 == lanes.repeats ? lanes.tail : lanes.lanes;
      for (unsigned t = 1; t < args.size; ++t) load(buffers[t], view(data[t], lanes, t, r), lanes, on);
      kernel(buffers[0], sources, on, context_);
      store(view(data[0], lanes, 0, r), buffers[0], lanes, on);
    }
  }
  vector_registers(call, exec_.core);
}

void Lanes::fill(unsigned scalar) {
  context_.scalar = exec_.call.at(scalar).bits;
  const uint32_t element = size_of(exec_.call.dtype(exec_.call.row->vector->tensors[0].arg));
  run(element == 2 ? fill_kernel<uint16_t> : element == 4 ? fill_kernel<uint32_t> : nullptr);
}

} // namespace asc
