// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a vector instruction's operands, and the array conversions of its loops.
#include "apis/lanes.h"
#include "apis/pieces.h"

#include <algorithm>
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
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(dst + i),
                        _mm512_maskz_cvtps_ph(0xFFFF, quiet, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  for (; i < n; ++i) dst[i].bits = float_to_half(src[i]);
}
#endif

// ---------------------------------------------------------------- walking

namespace {

bool is_dense(const Walk &walk, unsigned t, const std::byte *data) {
  return walk.dense(t) && reinterpret_cast<uintptr_t>(data) % walk.bytes[t] == 0;
}

/// Whether the instruction is one plain loop: contiguous, aligned operands that are the same elements or have no byte in common.
bool is_plain(const Walk &walk, std::span<std::byte *const> data) {
  for (unsigned t = 0; t < data.size(); ++t) {
    if (!is_dense(walk, t, data[t])) return false;
    const bool same = data[t] == data[0] && walk.bytes[t] == walk.bytes[0];
    if (!same && data[t] < data[0] + walk.elements() * walk.bytes[0] && data[0] < data[t] + walk.elements() * walk.bytes[t]) return false;
  }
  return true;
}

template <class T> void fill_kernel(std::byte *dst, const std::byte *const *, size_t n, const LaneContext &context) {
  std::fill_n(reinterpret_cast<T *>(dst), n, T(context.scalar));
}

} // namespace

void read_lanes(const Walk &walk, std::span<std::byte *const> operands, LaneReader fn, void *state) {
  if (walk.repeats == 0) return;
  bool dense = true;
  for (unsigned t = 0; t < operands.size(); ++t) dense &= is_dense(walk, t, operands[t]);
  if (dense) return fn(state, operands.data(), walk.elements(), 0);
  alignas(64) std::byte buffers[kMaxVectorTensors][kRepeatBytes] = {};
  const std::byte *sources[kMaxVectorTensors] = {buffers[0], buffers[1], buffers[2], buffers[3]};
  const Pieces whole(walk, walk.lanes), last(walk, walk.tail);
  for (uint32_t r = 0; r < walk.repeats; ++r) {
    const bool ends = r + 1 == walk.repeats;
    for (unsigned t = 0; t < operands.size(); ++t) {
      const auto [block, repeat] = walk.strides[t];
      const unsigned shift = unsigned(std::countr_zero(walk.element) - std::countr_zero(walk.bytes[t]));
      (ends ? last : whole).load(buffers[t], operands[t] + size_t(r) * repeat * kBlockBytes, size_t(block) * kBlockBytes, shift);
    }
    fn(state, sources, ends ? walk.tail : walk.lanes, r);
  }
}

/// Whether a table, a bit for each lane, can be read while dst is written.
bool Lanes::is_whole(const Walk &lanes, const std::byte *dst) const {
  const std::byte *const table = context_.table;
  const size_t elements = lanes.elements();
  return !table || (8 * per_repeat_ == lanes.lanes && (table + (elements + 7) / 8 <= dst || dst + elements * lanes.bytes[0] <= table));
}

void Lanes::run(LaneKernel kernel) {
  const Call &call = exec_.call;
  const VectorArgs &args = *call.row->vector;
  const unsigned size = operands(call);
  if (!kernel) throw std::logic_error(std::string(call.row->name) + " has no lanes of " + std::string(name(dtype(0))));
  context_.saturate_int = exec_.core.saturate_int;
  context_.saturate_half = !exec_.core.keep_inf_nan;
  context_.saturate_cast = exec_.core.saturate_cast;

  const Walk lanes = *walk(call, &exec_.core);
  std::array<std::byte *, kMaxVectorTensors> data = {};
  for (unsigned t = 0; t < size; ++t) data[t] = exec_.data[args.tensors[t].arg];

  if (lanes.repeats == 0) {
    // nothing is on
  } else if (is_plain(lanes, {data.data(), size}) && is_whole(lanes, data[0])) {
    kernel(data[0], data.data() + 1, lanes.elements(), context_);
  } else {
    // Repeats in order; each reads all its sources before it writes. Lanes that are off compute on zeros and are dropped.
    alignas(64) std::byte buffers[kMaxVectorTensors][kRepeatBytes] = {};
    const std::byte *sources[kMaxVectorTensors] = {buffers[1], buffers[2], buffers[3]};
    const Pieces whole(lanes, lanes.lanes), last(lanes, lanes.tail);
    const unsigned first_read = call.row->args[args.tensors[0].arg].role == Role::InOut ? 0 : 1;
    for (uint32_t r = 0; r < lanes.repeats; ++r) {
      const bool ends = r + 1 == lanes.repeats;
      const Pieces &pieces = ends ? last : whole;
      const auto start = [&](unsigned t) { return data[t] + size_t(r) * lanes.strides[t].repeat * kBlockBytes; };
      const auto block_stride = [&](unsigned t) { return size_t(lanes.strides[t].block) * kBlockBytes; };
      const auto shift = [&](unsigned t) { return unsigned(std::countr_zero(lanes.element) - std::countr_zero(lanes.bytes[t])); };
      for (unsigned t = first_read; t < size; ++t) pieces.load(buffers[t], start(t), block_stride(t), shift(t));
      kernel(buffers[0], sources, ends ? lanes.tail : lanes.lanes, context_);
      pieces.store(start(0) + lanes.block_start(0), buffers[0], block_stride(0), lanes.block_bytes(0), shift(0));
      if (context_.table) context_.table += per_repeat_;
    }
  }
  vector_registers(call, exec_.core);
}

void Lanes::fill(unsigned scalar) {
  context_.scalar = exec_.call.at(scalar).bits;
  run(element() == 2 ? fill_kernel<uint16_t> : element() == 4 ? fill_kernel<uint32_t> : nullptr);
}

} // namespace asc
