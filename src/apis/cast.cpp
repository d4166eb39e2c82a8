// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of elements to another type, with a rounding mode.
#include "apis/dequantise.h"
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/precision.h"
#include "apis/rounding.h"
#include "apis/vector_row.h"

#include <algorithm>

namespace asc {
namespace {

// ---------------------------------------------------------------- pairs of types, and their modes

constexpr unsigned mode(RoundMode m) { return 1u << unsigned(m); }
constexpr unsigned kExact = mode(RoundMode::None);
constexpr unsigned kFive =
    mode(RoundMode::Rint) | mode(RoundMode::Floor) | mode(RoundMode::Ceil) | mode(RoundMode::Round) | mode(RoundMode::Trunc);
constexpr unsigned kSix = kFive | kExact, kSeven = kSix | mode(RoundMode::Odd);

struct Conversion {
  TypePair types;
  unsigned modes;
};
constexpr auto kConversions = [] {
  using enum DType;
  return std::to_array<Conversion>({
      {{Int8, Float16}, kExact},    {{UInt8, Float16}, kExact}, {{Int16, Float16}, kSix},      {{Int16, Float32}, kExact},
      {{Float16, Int8}, kSix},      {{Float16, UInt8}, kSix},   {{Float16, Int16}, kFive},     {{Float16, Int32}, kFive},
      {{Float16, Float32}, kExact}, {{BFloat16, Int32}, kFive}, {{BFloat16, Float32}, kExact}, {{Int32, Int16}, kExact},
      {{Int32, Float16}, kSeven},   {{Int32, Float32}, kSix},   {{Int32, Int64}, kExact},      {{Float32, Float16}, kSeven},
      {{Float32, BFloat16}, kFive}, {{Float32, Int16}, kFive},  {{Float32, Int32}, kFive},     {{Float32, Int64}, kFive},
      {{Float32, Float32}, kFive},  {{Int64, Int32}, kExact},   {{Int64, Float32}, kFive},
  });
}();
constexpr auto kPairs = [] {
  std::array<TypePair, std::size(kConversions)> pairs;
  for (size_t i = 0; i < pairs.size(); ++i) pairs[i] = kConversions[i].types;
  return pairs;
}();

// ---------------------------------------------------------------- lanes

template <class T> inline constexpr bool is_half = std::is_same_v<T, Half>;
template <class T> inline constexpr bool is_bfloat16 = std::is_same_v<T, BFloat16>;

/// dst[i] = D(src[i]), rounded as M says.
template <class S, class D, RoundMode M> struct CastLoop {
  /// What a lane of the source is taken as: exact for all types.
  using Lane = std::conditional_t<is_half<S> || is_bfloat16<S>, float, S>;

  template <InstructionSet Set> ASC_INLINE static const Lane *lanes(const S *from, Lane *buffer, size_t n) {
    if constexpr (is_half<S>) {
      widen_halves<Set>(from, buffer, n);
      return buffer;
    } else if constexpr (is_bfloat16<S>) {
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) buffer[i] = bfloat16_to_float(from[i].bits);
      return buffer;
    } else {
      return from;
    }
  }

  static float single(Lane x) {
    if constexpr (std::is_same_v<Lane, float>)
      return std::is_same_v<S, float> ? whole<M>(x) : x;
    else if constexpr (sizeof(Lane) < 4 || M == RoundMode::Rint)
      return float(x);
    else if constexpr (sizeof(Lane) == 4)
      return to_float<M>(double(x));
    else
      return to_float<M>(to_odd_double(x));
  }
  static D integer(Lane x, bool saturate) {
    if constexpr (std::is_integral_v<Lane>)
      return saturate ? clamp_to<D>(x) : D(x);
    else
      return saturate ? nearest_integer<D>(whole<M>(x)) : D(low_bits(whole<M>(x)));
  }

  template <InstructionSet Set> ASC_INLINE static void convert(const Lane *in, D *out, size_t n, const LaneContext &context) {
    if constexpr (is_half<D> && M == RoundMode::Rint) {
      float singles[kHalfChunk];
      const float *values = singles;
      if constexpr (std::is_same_v<Lane, float>) {
        values = in;
      } else {
        ASC_VECTOR_LOOP
        for (size_t i = 0; i < n; ++i) singles[i] = float(in[i]);
      }
      narrow_floats<Set>(values, out, n);
    } else if constexpr (is_half<D>) {
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) out[i].bits = to_half<M>(float(in[i]));
    } else if constexpr (is_bfloat16<D>) {
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) out[i].bits = to_bfloat16<M>(in[i]);
    } else if constexpr (std::is_same_v<D, float> && sizeof(Lane) == 8) {
      for (size_t i = 0; i < n; ++i) out[i] = single(in[i]);
    } else if constexpr (std::is_same_v<D, float>) {
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) out[i] = single(in[i]);
    } else if (context.saturate_cast) {
      ASC_VECTOR_LOOP
      for (size_t i = 0; i < n; ++i) out[i] = integer(in[i], true);
    } else {
      for (size_t i = 0; i < n; ++i) out[i] = integer(in[i], false);
    }
    if (!context.saturate_half) return;
    if constexpr (is_half<D>)
      for (size_t i = 0; i < n; ++i) out[i].bits = saturate_half(out[i].bits);
    if constexpr (is_bfloat16<D>)
      for (size_t i = 0; i < n; ++i) out[i].bits = saturate_bfloat16(out[i].bits);
  }

  template <InstructionSet Set>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    const S *from = reinterpret_cast<const S *>(src[0]);
    D *to = reinterpret_cast<D *>(dst);
    if constexpr (is_half<S> && std::is_same_v<D, float>) {
      widen_halves<Set>(from, to, n);
    } else {
      Lane buffer[kHalfChunk];
      for (size_t at = 0; at < n; at += kHalfChunk) {
        const size_t m = std::min(n - at, kHalfChunk);
        convert<Set>(lanes<Set>(from + at, buffer, m), to + at, m, *context);
      }
    }
  }
  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<CastLoop>(dst, src, n, &context);
  }
};

template <DType> struct TypeOf;
template <> struct TypeOf<DType::Int8> {
  using Type = int8_t;
};
template <> struct TypeOf<DType::UInt8> {
  using Type = uint8_t;
};
template <> struct TypeOf<DType::Int16> {
  using Type = int16_t;
};
template <> struct TypeOf<DType::Int32> {
  using Type = int32_t;
};
template <> struct TypeOf<DType::Int64> {
  using Type = int64_t;
};
template <> struct TypeOf<DType::Float16> {
  using Type = Half;
};
template <> struct TypeOf<DType::BFloat16> {
  using Type = BFloat16;
};
template <> struct TypeOf<DType::Float32> {
  using Type = float;
};

/// The kernel of a conversion in a mode that it has.
template <size_t C> LaneKernel kernel_of(RoundMode m) {
  constexpr Conversion c = kConversions[C];
  if constexpr (c.types.src == DType::Int32 && c.types.dst == DType::Float16) {
    return dequantise_int32;
  } else {
    using S = typename TypeOf<c.types.src>::Type;
    using D = typename TypeOf<c.types.dst>::Type;
    const auto directed = [&]<RoundMode M>() -> LaneKernel {
      if constexpr (c.modes & mode(M))
        return CastLoop<S, D, M>::kernel;
      else
        return nullptr;
    };
    switch (m) {
    case RoundMode::Floor: return directed.template operator()<RoundMode::Floor>();
    case RoundMode::Ceil: return directed.template operator()<RoundMode::Ceil>();
    case RoundMode::Round: return directed.template operator()<RoundMode::Round>();
    case RoundMode::Trunc: return directed.template operator()<RoundMode::Trunc>();
    case RoundMode::Odd: return directed.template operator()<RoundMode::Odd>();
    default: return CastLoop<S, D, RoundMode::Rint>::kernel;
    }
  }
}
constexpr auto kKernels = []<size_t... C>(std::index_sequence<C...>) {
  return std::array<LaneKernel (*)(RoundMode), sizeof...(C)>{kernel_of<C>...};
}(std::make_index_sequence<std::size(kConversions)>());

// ---------------------------------------------------------------- cast

constexpr DTypes types_of(DType TypePair::*side) {
  DTypes types;
  for (const TypePair &pair : kPairs) types = types | DTypes(pair.*side);
  return types;
}
constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = types_of(&TypePair::dst), .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = types_of(&TypePair::src), .doc = "source"},
    {.name = "round_mode",
     .kind = ArgKind::Enum,
     .type = "RoundMode",
     .doc = "how what dst cannot hold is rounded; CAST_NONE where all values fit, and as CAST_RINT"},
    kCount,
    mask_number(DType::UInt64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("UnaryRepeatParams"),
    kIsSetMask,
};
constexpr uint8_t kDst = index_of(kArgs, "dst"), kSrc = index_of(kArgs, "src"), kMode = index_of(kArgs, "round_mode");
constexpr VectorArgs kVector = [] {
  VectorArgs v = vector_args(kArgs);
  v.pairs = kPairs;
  return v;
}();

constexpr Form kForms[] = {
    {"Cast($dst, $src, $round_mode, $count)"},
    {"Cast<$T, $U, $is_set_mask>($dst, $src, $round_mode, $mask, $repeat_times, $repeat_params)"},
    {"Cast<$T, $U, $is_set_mask>($dst, $src, $round_mode, $mask_bits, $repeat_times, $repeat_params)"},
};

/// Which conversion a call is; their number if it is none.
size_t conversion_of(const Call &call) {
  const auto same = [&](const Conversion &c) { return c.types.src == call.dtype(kSrc) && c.types.dst == call.dtype(kDst); };
  return size_t(std::find_if(std::begin(kConversions), std::end(kConversions), same) - std::begin(kConversions));
}

void cast(Exec &e) {
  const RoundMode m = RoundMode(e.call.value(kMode));
  const size_t c = conversion_of(e.call);
  const bool legal = c < kKernels.size() && (kConversions[c].modes & mode(m));
  Lanes(e).own(legal ? kKernels[c](m) : nullptr, e.core.deq_scale);
}

std::optional<Violation> check_round_mode(const Call &call, const CoreState *) {
  const size_t c = conversion_of(call);
  if (c == std::size(kConversions) || !call.known(kMode)) return std::nullopt;
  const unsigned modes = kConversions[c].modes;
  if (modes & mode(RoundMode(call.value(kMode)))) return std::nullopt;
  const std::span<const Member> members = find_enum("RoundMode")->members;
  std::vector<std::string_view> legal;
  for (const Member &member : members)
    if (modes & mode(RoundMode(member.value))) legal.push_back(member.name);
  std::string text;
  for (size_t i = 0; i < legal.size(); ++i) text.append(i == 0 ? "" : i + 1 == legal.size() ? " or " : ", ").append(legal[i]);
  return Violation{kMode,
                   "round_mode is " + std::string(members[size_t(call.value(kMode))].name) + " from " +
                       std::string(name(call.dtype(kSrc))) + " to " + std::string(name(call.dtype(kDst))),
                   text, modes == kExact ? "this conversion rounds nothing: use asc.RoundMode.CAST_NONE" : "use one of these modes"};
}
constexpr Rule round_mode = {
    "R141", "rounding mode of a conversion",
    "A conversion has the rounding modes that make sense for its two types: CAST_NONE where every value of the source fits, the others "
    "where results are rounded, CAST_ODD from float32 to float16 only. The page of cast lists them. Source: Ascend C, Cast.",
    check_round_mode, true};
constexpr const Rule *kRules[] = {&argument_dtype,     &type_pairs,    &round_mode,           &in_unified_buffer,
                                  &aligned_start,      &value_range,   &mask_in_counter_mode, &block_stride_of_dst,
                                  &no_partial_overlap, &inside_tensor, &deq_scale_set};

constexpr Row kRows[] = {
    vector_row({.name = "cast",
                .ascendc = "Cast",
                .forms = kForms,
                .rules = kRules,
                .run = cast,
                .precision = &precision::converted,
                .doc =
                    "Converts every element to the type of dst: dst = round(src). What an integer cannot hold becomes its nearest value, "
                    "NaN becomes 0. float32 to float32 rounds to integers. int32 to float16 multiplies by the scale of "
                    "set_deq_scale(scale). CAST_NONE is for int8, uint8, int16 to float16; int16, float16, bfloat16, int32 to float32; "
                    "float16 to int8, uint8; int32 to int16, int64; int64 to int32; float32 to float16. CAST_RINT, CAST_FLOOR, "
                    "CAST_CEIL, CAST_ROUND and CAST_TRUNC are for int16 to float16; float16 to int8, uint8, int16, int32; bfloat16 to "
                    "int32; int32, int64 to float32; float32 to all but int8 and uint8. CAST_ODD is for float32 to float16.",
                .source = "Ascend C, Cast"},
               kArgs, kVector),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> cast_rows() { return kRows; }

} // namespace asc
