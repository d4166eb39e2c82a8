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
  bool saturate_int = false, saturate_half = false, saturate_cast = true;
  uint64_t scalar = 0;              // bits of the scalar operand
  const std::byte *table = nullptr; // what the instruction has besides: of the first lane
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

/// The loop over the lanes of an operation. `Op` gets the lanes of its sources, then that of dst if it is read (`Dst`), then the scalar if
/// there is one, then how the lane computes: RoundTo or OverflowMode.
template <class Op, class T, unsigned Sources, bool Dst, bool Scalar> struct LaneLoop {
  /// Type in which a lane computes.
  using Lane = std::conditional_t<std::is_same_v<T, Half>, float, T>;
  /// dst as it was, and the sources.
  struct Operands {
    const Lane *dst, *a, *b;
  };

  template <class Mode> ASC_INLINE static Lane apply(const Operands &in, Lane scalar, size_t i) {
    const auto with_scalar = [&](auto... lanes) {
      if constexpr (Scalar)
        return Lane(Op{}(lanes..., scalar, Mode{}));
      else
        return Lane(Op{}(lanes..., Mode{}));
    };
    if constexpr (Sources > 1 && Dst)
      return with_scalar(in.a[i], in.b[i], in.dst[i]);
    else if constexpr (Sources > 1)
      return with_scalar(in.a[i], in.b[i]);
    else if constexpr (Dst)
      return with_scalar(in.a[i], in.dst[i]);
    else
      return with_scalar(in.a[i]);
  }

  template <class Mode> ASC_INLINE static void loop(Lane *out, const Operands &in, Lane scalar, size_t n) {
    ASC_VECTOR_LOOP
    for (size_t i = 0; i < n; ++i) out[i] = apply<Mode>(in, scalar, i);
  }

  template <InstructionSet S>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    const std::byte *second = Sources > 1 ? src[1] : nullptr;
    if constexpr (std::is_same_v<T, Half>) {
      float a[kHalfChunk], b[kHalfChunk], before[kHalfChunk];
      const float scalar = half_to_float(uint16_t(context->scalar));
      for (size_t at = 0; at < n; at += kHalfChunk) {
        const size_t m = n - at < kHalfChunk ? n - at : kHalfChunk;
        Half *out = reinterpret_cast<Half *>(dst) + at;
        widen_halves<S>(reinterpret_cast<const Half *>(src[0]) + at, a, m);
        if constexpr (Sources > 1) widen_halves<S>(reinterpret_cast<const Half *>(second) + at, b, m);
        if constexpr (Dst) widen_halves<S>(out, before, m);
        loop<RoundTo<Half>>(a, {before, a, b}, scalar, m);
        narrow_floats<S>(a, out, m);
        if (context->saturate_half)
          for (size_t i = 0; i < m; ++i) out[i].bits = saturate_half(out[i].bits);
      }
    } else {
      const auto scalar = std::bit_cast<T>(std::conditional_t < sizeof(T) == 2, uint16_t, uint32_t > (context->scalar));
      T *out = reinterpret_cast<T *>(dst);
      const Operands in = {out, reinterpret_cast<const T *>(src[0]), reinterpret_cast<const T *>(second)};
      if constexpr (std::is_floating_point_v<T>)
        loop<RoundTo<T>>(out, in, scalar, n);
      else if (context->saturate_int)
        loop<OverflowMode<Overflow::Saturate>>(out, in, scalar, n);
      else
        loop<OverflowMode<Overflow::Wrap>>(out, in, scalar, n);
    }
  }

  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<LaneLoop>(dst, src, n, &context);
  }
};

/// Element types of sources and of dst, which differ.
template <class S, class D> struct Converting {};

/// LaneLoop for Converting<S, D>. A lane computes in the type of LaneLoop's lanes of S; `Op` rounds, or gets, what it needs: the mode is
/// RoundTo of the wider type, or OverflowMode<Saturate>. The result is rounded to dst.
template <class Op, class S, class D, unsigned Sources, bool Dst, bool Scalar> struct ConvertingLoop {
  using Lane = std::conditional_t<std::is_same_v<S, Half>, float, S>;
  using Wider = std::conditional_t<(sizeof(D) > sizeof(S)), D, S>;
  using Mode = std::conditional_t<std::is_integral_v<S>, OverflowMode<Overflow::Saturate>, RoundTo<Wider>>;
  using Loop = LaneLoop<Op, std::conditional_t<std::is_integral_v<S>, S, float>, Sources, Dst, Scalar>;

  template <InstructionSet Set, class T> ASC_INLINE static void read(const std::byte *from, size_t at, Lane *lanes, size_t n) {
    const T *elements = reinterpret_cast<const T *>(from) + at;
    if constexpr (std::is_same_v<T, Half>) {
      widen_halves<Set>(elements, lanes, n);
    } else {
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) lanes[i] = elements[i];
    }
  }
  template <InstructionSet Set> ASC_INLINE static void write(const Lane *lanes, std::byte *to, size_t at, size_t n) {
    D *elements = reinterpret_cast<D *>(to) + at;
    if constexpr (std::is_same_v<D, Half>) {
      narrow_floats<Set>(lanes, elements, n);
    } else {
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) elements[i] = saturated<D>(lanes[i]);
    }
  }

  template <InstructionSet Set>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    Lane a[kHalfChunk], b[kHalfChunk], before[kHalfChunk];
    const Lane scalar = Scalar ? Lane(half_to_float(uint16_t(context->scalar))) : Lane(0); // of the sources, which are halves then
    static_assert(!Scalar || std::is_same_v<S, Half>);
    for (size_t at = 0; at < n; at += kHalfChunk) {
      const size_t m = n - at < kHalfChunk ? n - at : kHalfChunk;
      read<Set, S>(src[0], at, a, m);
      if constexpr (Sources > 1) read<Set, S>(src[1], at, b, m);
      if constexpr (Dst) read<Set, D>(dst, at, before, m);
      Loop::template loop<Mode>(a, {before, a, b}, scalar, m);
      write<Set>(a, dst, at, m);
      if (std::is_same_v<D, Half> && context->saturate_half) {
        Half *out = reinterpret_cast<Half *>(dst) + at;
        for (size_t i = 0; i < m; ++i) out[i].bits = saturate_half(out[i].bits);
      }
    }
  }

  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<ConvertingLoop>(dst, src, n, &context);
  }
};

/// Calls `fn(sources, n, repeat)` with the lanes of some operands side by side: all at once if they lie so in memory, else repeat by
/// repeat. Lanes that are off are zeros there.
using LaneReader = void (*)(void *state, const std::byte *const *sources, size_t n, uint32_t repeat);
void read_lanes(const Walk &walk, std::span<std::byte *const> operands, LaneReader fn, void *state);
template <class Fn> void read_lanes(const Walk &walk, std::span<std::byte *const> operands, Fn &&fn) {
  const auto call = [](void *state, const std::byte *const *sources, size_t n, uint32_t repeat) {
    (*static_cast<std::remove_reference_t<Fn> *>(state))(sources, n, repeat);
  };
  read_lanes(walk, operands, +call, &fn);
}

/// The instruction that is being executed.
class Lanes {
public:
  explicit Lanes(Exec &exec) : exec_(exec) {}

  // Lanes of the element types `Types`, and of the pairs `Pairs` (Converting) where dst has another type than the sources; float16 computes
  // in float and rounds the result. `mode` is RoundTo or OverflowMode.

  /// dst = op(src, mode).
  template <DTypes Types, class Op> void unary(Op) { run(kernel_of<Op, Types, 1, false, false>()); }
  /// dst = op(src0, src1, mode).
  template <DTypes Types, class... Pairs, class Op> void binary(Op) { run(kernel_of<Op, Types, 2, false, false, Pairs...>()); }
  /// dst = op(src0, src1, dst, mode).
  template <DTypes Types, class... Pairs, class Op> void binary_onto_dst(Op) { run(kernel_of<Op, Types, 2, true, false, Pairs...>()); }
  /// dst = op(src, scalar, mode), `scalar` being the argument's number.
  template <DTypes Types, class Op> void with_scalar(unsigned scalar, Op) {
    context_.scalar = exec_.call.at(scalar).bits;
    run(kernel_of<Op, Types, 1, false, true>());
  }
  /// dst = op(src, dst, scalar, mode), the scalar being of the type of src.
  template <DTypes Types, class... Pairs, class Op> void with_scalar_onto_dst(unsigned scalar, Op) {
    context_.scalar = exec_.call.at(scalar).bits;
    run(kernel_of<Op, Types, 1, true, true, Pairs...>());
  }
  /// dst = op(src, mode) on the bits of elements of any type with 2 or 4 bytes: lanes of uint16 or uint32.
  template <class Op> void unary_on_bits(Op) {
    run(element() == 2 ? LaneLoop<Op, uint16_t, 1, false, false>::kernel : LaneLoop<Op, uint32_t, 1, false, false>::kernel);
  }
  /// dst = scalar, bits as they are.
  void fill(unsigned scalar);
  /// dst = what `kernel`, which gets `scalar`, makes of the sources.
  void own(LaneKernel kernel, uint64_t scalar) {
    context_.scalar = scalar;
    run(kernel);
  }
  /// The same with a table besides, that of the second repeat being `per_repeat` bytes behind that of the first, and so on.
  void with_table(LaneKernel kernel, uint64_t scalar, const std::byte *table, uint32_t per_repeat) {
    context_.table = table;
    per_repeat_ = per_repeat;
    own(kernel, scalar);
  }

private:
  template <bool Offered, class Op, class T, unsigned Sources, bool Dst, bool Scalar> static LaneKernel kernel_if() {
    if constexpr (Offered)
      return LaneLoop<Op, T, Sources, Dst, Scalar>::kernel;
    else
      return nullptr;
  }
  template <class Op, DTypes Types, unsigned Sources, bool Dst, bool Scalar, class... Pairs> LaneKernel kernel_of() const {
    LaneKernel converting = nullptr;
    const auto try_pair = [&]<class S, class D>(Converting<S, D>) {
      if (dtype(0) == lane_type<D> && dtype(1) == lane_type<S>) converting = ConvertingLoop<Op, S, D, Sources, Dst, Scalar>::kernel;
    };
    (try_pair(Pairs{}), ...);
    if (converting) return converting;
    switch (dtype(0)) {
    case DType::Int16: return kernel_if<Types.has(DType::Int16), Op, int16_t, Sources, Dst, Scalar>();
    case DType::Int32: return kernel_if<Types.has(DType::Int32), Op, int32_t, Sources, Dst, Scalar>();
    case DType::UInt16: return kernel_if<Types.has(DType::UInt16), Op, uint16_t, Sources, Dst, Scalar>();
    case DType::UInt32: return kernel_if<Types.has(DType::UInt32), Op, uint32_t, Sources, Dst, Scalar>();
    case DType::Float16: return kernel_if<Types.has(DType::Float16), Op, Half, Sources, Dst, Scalar>();
    case DType::Float32: return kernel_if<Types.has(DType::Float32), Op, float, Sources, Dst, Scalar>();
    default: return nullptr;
    }
  }
  /// Of tensor `t`: 0 is dst.
  DType dtype(unsigned t) const { return exec_.call.dtype(exec_.call.row->vector->tensors[t].arg); }
  uint32_t element() const { return size_of(dtype(0)); }
  bool is_whole(const Walk &lanes, const std::byte *dst) const;
  /// Runs a kernel over the walk of the call, and gives the registers their new values.
  void run(LaneKernel kernel);

  Exec &exec_;
  LaneContext context_;
  uint32_t per_repeat_ = 0; // bytes of the table
};

} // namespace asc
