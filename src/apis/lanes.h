// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary that vector instructions are written in: an operation on one lane becomes the instruction, with masks, strides, repeats
// and counter mode.
#pragma once

#include "apis/instruction_set.h"
#include "apis/numeric.h"
#include "apis/vector.h"

namespace asc {

/// What an operation needs besides its lanes.
struct LaneContext {
  bool saturate_int = false, saturate_half = false;
  uint64_t scalar = 0; // bits of the scalar operand
};

/// dst[i] = op(src[0][i], src[1][i], ...) for i < n. Each source is either exactly dst or has no byte in common with it.
using LaneKernel = void (*)(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context);

// Conversions of whole arrays, per instruction set.
void halves_to_floats(const Half *src, float *dst, size_t n);
void floats_to_halves(const float *src, Half *dst, size_t n);
#if defined(__x86_64__)
[[ASC_AVX2]] void halves_to_floats_avx2(const Half *src, float *dst, size_t n);
[[ASC_AVX2]] void floats_to_halves_avx2(const float *src, Half *dst, size_t n);
[[ASC_AVX512]] void halves_to_floats_avx512(const Half *src, float *dst, size_t n);
[[ASC_AVX512]] void floats_to_halves_avx512(const float *src, Half *dst, size_t n);
template <InstructionSet S>
inline constexpr auto widen_halves = S == InstructionSet::Avx512 ? halves_to_floats_avx512
                                     : S == InstructionSet::Avx2 ? halves_to_floats_avx2
                                                                 : halves_to_floats;
template <InstructionSet S>
inline constexpr auto narrow_floats = S == InstructionSet::Avx512 ? floats_to_halves_avx512
                                      : S == InstructionSet::Avx2 ? floats_to_halves_avx2
                                                                  : floats_to_halves;
#else
template <InstructionSet S> inline constexpr auto widen_halves = halves_to_floats;
template <InstructionSet S> inline constexpr auto narrow_floats = floats_to_halves;
#endif

inline constexpr size_t kHalfChunk = 512; // halves computed at a time: operands stay in the first-level cache

/// The loop over lanes of an operation on `Sources` tensors; the last operand of `Op` is the scalar if `Scalar`.
template <class Op, class T, unsigned Sources, bool Scalar> struct LaneLoop {
  /// Type in which a lane computes.
  using Lane = std::conditional_t<std::is_same_v<T, Half>, float, T>;

  template <Overflow O> ASC_INLINE static Lane apply(const Lane *a, const Lane *b, Lane scalar, size_t i) {
    if constexpr (Scalar)
      return Op{}(a[i], scalar, OverflowMode<O>{});
    else
      return Op{}(a[i], b[i], OverflowMode<O>{});
  }

  template <Overflow O> ASC_INLINE static void loop(Lane *dst, const Lane *a, const Lane *b, Lane scalar, size_t n) {
    ASC_VECTOR_LOOP
    for (size_t i = 0; i < n; ++i) dst[i] = apply<O>(a, b, scalar, i);
  }

  template <InstructionSet S>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    const std::byte *second = Sources > 1 ? src[1] : nullptr;
    if constexpr (std::is_same_v<T, Half>) {
      float a[kHalfChunk], b[kHalfChunk];
      const float scalar = half_to_float(uint16_t(context->scalar));
      for (size_t at = 0; at < n; at += kHalfChunk) {
        const size_t m = n - at < kHalfChunk ? n - at : kHalfChunk;
        Half *out = reinterpret_cast<Half *>(dst) + at;
        widen_halves<S>(reinterpret_cast<const Half *>(src[0]) + at, a, m);
        if constexpr (Sources > 1) widen_halves<S>(reinterpret_cast<const Half *>(second) + at, b, m);
        loop<Overflow::Wrap>(a, a, b, scalar, m);
        narrow_floats<S>(a, out, m);
        if (context->saturate_half)
          for (size_t i = 0; i < m; ++i) out[i].bits = saturate_half(out[i].bits);
      }
    } else {
      const auto scalar = std::bit_cast<T>(std::conditional_t < sizeof(T) == 2, uint16_t, uint32_t > (context->scalar));
      const auto *a = reinterpret_cast<const T *>(src[0]), *b = reinterpret_cast<const T *>(second);
      if (std::is_integral_v<T> && context->saturate_int)
        loop<Overflow::Saturate>(reinterpret_cast<T *>(dst), a, b, scalar, n);
      else
        loop<Overflow::Wrap>(reinterpret_cast<T *>(dst), a, b, scalar, n);
    }
  }

  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<LaneLoop>(dst, src, n, &context);
  }
};

/// The instruction that is being executed.
class Lanes {
public:
  explicit Lanes(Exec &exec) : exec_(exec) {}

  /// dst = op(src0, src1, mode) on int16, int32, float16 and float32 lanes; float16 computes in float.
  template <class Op> void binary(Op) { run(kernel_of<Op, 2, false>()); }
  /// dst = op(src, scalar, mode), `scalar` being the argument's number.
  template <class Op> void with_scalar(unsigned scalar, Op) {
    context_.scalar = exec_.call.at(scalar).bits;
    run(kernel_of<Op, 1, true>());
  }
  /// dst = scalar, bits as they are.
  void fill(unsigned scalar);

private:
  template <class Op, unsigned Sources, bool Scalar> LaneKernel kernel_of() const {
    switch (exec_.call.dtype(exec_.call.row->vector->tensors[0].arg)) {
    case DType::Int16: return LaneLoop<Op, int16_t, Sources, Scalar>::kernel;
    case DType::Int32: return LaneLoop<Op, int32_t, Sources, Scalar>::kernel;
    case DType::Float16: return LaneLoop<Op, Half, Sources, Scalar>::kernel;
    case DType::Float32: return LaneLoop<Op, float, Sources, Scalar>::kernel;
    default: return nullptr;
    }
  }
  /// Runs a kernel over the walk of the call, and gives the registers their new values.
  void run(LaneKernel kernel);

  Exec &exec_;
  LaneContext context_;
};

} // namespace asc
