// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dequantisation: the register with its scale, and the instructions that scale integers, or their sum.
#include "apis/dequantise.h"
#include "apis/precision.h"

#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/vector_row.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

// ---------------------------------------------------------------- set_deq_scale

constexpr int64_t kLowestOffset = -256, kHighestOffset = 255; // the register has 9 bits for it

constexpr Arg kScaleArgs[] = {
    {.name = "scale", .kind = ArgKind::Number, .dtypes = DType::Float16, .doc = "factor, for conversions of int32 to float16"},
    {.name = "scale_float",
     .kind = ArgKind::Number,
     .dtypes = DType::Float32,
     .doc = "factor, for conversions of int16 to 8 bits",
     .python = "scale"},
    {.name = "offset",
     .kind = ArgKind::Int,
     .dtypes = DType::Int16,
     .low = kLowestOffset,
     .high = kHighestOffset,
     .doc = "what is added after the factor"},
    {.name = "sign_mode", .kind = ArgKind::Int, .dtypes = DType::Bool, .doc = "whether the results are signed: int8, not uint8"},
    {.name = "vdeq",
     .kind = ArgKind::Local,
     .role = Role::Out,
     .dtypes = DType::UInt64,
     .doc = "16 elements for the values of `vdeq_info`"},
    {.name = "vdeq_info", .kind = ArgKind::Struct, .type = "VdeqInfo", .doc = "factors, offsets and signs for each of 16 lanes"},
};
constexpr uint8_t kScale = index_of(kScaleArgs, "scale"), kScaleFloat = index_of(kScaleArgs, "scale_float"),
                  kOffset = index_of(kScaleArgs, "offset"), kSignMode = index_of(kScaleArgs, "sign_mode"),
                  kVdeq = index_of(kScaleArgs, "vdeq"), kVdeqInfo = index_of(kScaleArgs, "vdeq_info");

constexpr Form kScaleForms[] = {
    {"SetDeqScale($scale)"},
    {"SetDeqScale($scale_float, $offset, $sign_mode)"},
    {"SetDeqScale<$T>($vdeq, $vdeq_info)"},
};

/// Scale, offset and sign of one lane as the register has them.
uint64_t packed(uint64_t scale, int64_t offset, bool sign) {
  return uint32_t(scale) | uint64_t(offset & 0x1FF) << 37 | (sign ? kDeqSign : 0);
}

using DeqScale = CoreState::DeqScale;

void set_deq_scale(const Call &call, CoreState &core) {
  if (call.has(kScale))
    core.deq_scale = call.at(kScale).bits, core.deq_scale_kind = DeqScale::Half;
  else if (call.has(kScaleFloat))
    core.deq_scale = packed(call.at(kScaleFloat).bits, call.value(kOffset), call.value(kSignMode)), core.deq_scale_kind = DeqScale::Float;
  else
    core.deq_scale = uint64_t(call.address(kVdeq).offset()) / kBlockBytes & 0x3FFF, core.deq_scale_kind = DeqScale::Table;
}

void scale_access(const Call &call, const CoreState &, Accesses &accesses) {
  if (!call.has(kVdeq)) return;
  Access &access = accesses.add();
  access.arg = kVdeq;
  access.write = true;
  access.address = call.address(kVdeq);
  access.bytes = kListLength * sizeof(uint64_t);
}

void run_set_deq_scale(Exec &e) {
  set_deq_scale(e.call, e.core);
  if (!e.call.has(kVdeq)) return;
  for (unsigned lane = 0; lane < kListLength; ++lane) {
    const uint64_t word = packed(e.call.at(kVdeqInfo, lane).bits, e.call.value(kVdeqInfo, kListLength + lane),
                                 e.call.value(kVdeqInfo, 2 * kListLength + lane));
    std::memcpy(e.data[kVdeq] + lane * sizeof(word), &word, sizeof(word));
  }
}

constexpr const Rule *kScaleRules[] = {&argument_dtype, &in_unified_buffer, &aligned_start, &value_range, &inside_tensor};

// ---------------------------------------------------------------- cast_deq

constexpr TypePair kCastTypes[] = {{DType::Int16, DType::Int8}, {DType::Int16, DType::UInt8}, {DType::Int32, DType::Float16}};

constexpr Arg kCastArgs[] = {
    {.name = "dst",
     .kind = ArgKind::Local,
     .role = Role::Out,
     .dtypes = DType::Int8 | DType::UInt8 | DTypes(DType::Float16),
     .doc = "destination; of int16, every block of src fills one half of a block"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = DType::Int16 | DType::Int32, .doc = "source"},
    kCount,
    mask_number(DType::UInt64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("UnaryRepeatParams"),
    kIsSetMask,
    {.name = "is_vec_deq",
     .kind = ArgKind::Flag,
     .default_value = 1,
     .doc = "of int16: whether each of the 16 lanes of a block has a scale of its own, from set_deq_scale(vdeq, vdeq_info)"},
    {.name = "half_block",
     .kind = ArgKind::Flag,
     .default_value = 1,
     .doc = "of int16: True fills the upper 16 bytes of each block of dst"},
};
constexpr uint8_t kCastDst = index_of(kCastArgs, "dst"), kCastSrc = index_of(kCastArgs, "src"),
                  kIsVecDeq = index_of(kCastArgs, "is_vec_deq"), kHalfBlock = index_of(kCastArgs, "half_block");

bool from_int16(const Call &call) { return call.dtype(kCastSrc) == DType::Int16; }
bool from_table(const Call &call) { return from_int16(call) && call.value(kIsVecDeq); }

constexpr VectorArgs kCastPlaces = [] {
  VectorArgs v = vector_args(kCastArgs);
  v.pairs = kCastTypes;
  v.half_of_dst = [](const Call &call) {
    if (!from_int16(call)) return VectorArgs::Half::None;
    return call.value(kHalfBlock) ? VectorArgs::Half::Upper : VectorArgs::Half::Lower;
  };
  return v;
}();

constexpr Form kCastForms[] = {
    {"CastDeq<$T, $U, $is_vec_deq, $half_block>($dst, $src, $count)"},
    {"CastDeq<$T, $U, $is_set_mask, $is_vec_deq, $half_block>($dst, $src, $mask, $repeat_times, $repeat_params)"},
    {"CastDeq<$T, $U, $is_set_mask, $is_vec_deq, $half_block>($dst, $src, $mask_bits, $repeat_times, $repeat_params)"},
};

constexpr uint32_t kTableBytes = kListLength * sizeof(uint64_t);
int64_t table_start(const CoreState &core) { return int64_t(core.deq_scale & 0x3FFF) * kBlockBytes; }

void cast_access(const Call &call, const CoreState &core, Accesses &accesses) {
  vector_access(call, core, accesses);
  if (accesses.size == 0 || !from_table(call)) return;
  Access &table = accesses.add();
  table.arg = Access::kRegister;
  table.read = true;
  table.address = Address(Memory::UB, 0, table_start(core));
  table.bytes = kTableBytes;
}

/// dst[i] = saturated(round(src[i] * scale) + offset), with scale, offset and sign of lane i of a block (assumption "cast_deq of int16").
struct DequantisedBytes {
  static constexpr uint32_t kScaleBits = 0xFFFFE000; // the instruction has 10 bits of the mantissa
  template <InstructionSet Set>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    float scales[kListLength];
    int32_t offsets[kListLength], low[kListLength], high[kListLength];
    for (unsigned lane = 0; lane < kListLength; ++lane) {
      uint64_t word = context->scalar;
      if (context->table) std::memcpy(&word, context->table + lane * sizeof(word), sizeof(word));
      const bool is_signed = word & kDeqSign;
      scales[lane] = std::bit_cast<float>(uint32_t(word) & kScaleBits);
      offsets[lane] = int32_t((word >> 37 & 0x1FF) ^ 0x100) - 0x100; // 9 bits with a sign
      low[lane] = is_signed ? INT8_MIN : 0, high[lane] = is_signed ? INT8_MAX : UINT8_MAX;
    }
    const auto *from = reinterpret_cast<const int16_t *>(src[0]);
    const auto lanes = [&](size_t at, size_t m) {
      ASC_VECTOR_LOOP
      for (size_t lane = 0; lane < m; ++lane) {
        const float product = quiet(float(from[at + lane]) * scales[lane]);
        constexpr float kMost = 1 << 20; // no offset brings more back into range
        const float inside = product != product ? float(assume::nan_as_integer)
                             : product < -kMost ? -kMost
                             : product > kMost  ? kMost
                                                : product;
        const int32_t value = int32_t((inside + 0x1.8p23f) - 0x1.8p23f) + offsets[lane]; // there, floats are the integers
        dst[at + lane] = std::byte(value < low[lane] ? low[lane] : value > high[lane] ? high[lane] : value);
      }
    };
    size_t at = 0;
    for (; at + kListLength <= n; at += kListLength) lanes(at, kListLength);
    lanes(at, n - at);
  }
  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<DequantisedBytes>(dst, src, n, &context);
  }
};

void cast_deq(Exec &e) {
  if (!from_int16(e.call)) return Lanes(e).own(dequantise_int32, e.core.deq_scale);
  std::array<std::byte, kTableBytes> table;
  const bool has_table = from_table(e.call);
  Accesses accesses;
  if (has_table) cast_access(e.call, e.core, accesses);
  if (accesses.size > 0) std::memcpy(table.data(), in_ub(e, kCastDst, table_start(e.core)), table.size());
  Lanes(e).with_table(DequantisedBytes::kernel, e.core.deq_scale, has_table ? table.data() : nullptr, 0);
}

// ---------------------------------------------------------------- add_deq_relu

constexpr TypePair kTypes[] = {{DType::Int32, DType::Float16}};

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = DType::Float16, .doc = "destination"},
    {.name = "src0", .kind = ArgKind::Local, .role = Role::InOut, .dtypes = DType::Int32, .doc = "first source; holds garbage afterwards"},
    {.name = "src1", .kind = ArgKind::Local, .role = Role::InOut, .dtypes = DType::Int32, .doc = "second source; holds garbage afterwards"},
    kCount,
    mask_number(DType::Int64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("BinaryRepeatParams"),
    kIsSetMask,
};
constexpr uint8_t kDst = index_of(kArgs, "dst"), kCountArg = index_of(kArgs, "count");
constexpr VectorArgs kPlaces = [] {
  VectorArgs v = vector_args(kArgs);
  v.pairs = kTypes;
  return v;
}();

constexpr Form kForms[] = {
    {"AddDeqRelu($dst, $src0, $src1, $count)", "is_set_mask"},
    {"AddDeqRelu<$T, $U, $is_set_mask>($dst, $src0, $src1, $mask, $repeat_times, $repeat_params)"},
    {"AddDeqRelu<$T, $U, $is_set_mask>($dst, $src0, $src1, $mask_bits, $repeat_times, $repeat_params)"},
};

constexpr int64_t kMostElements = kScratchBytes / sizeof(float);

/// Assumption "scratch memory of add_deq_relu": what the sources and the scratch memory hold afterwards is garbage, and the forms with a
/// mask take 256 bytes of it for each repeat.
void access(const Call &call, const CoreState &core, Accesses &accesses) {
  vector_access(call, core, accesses);
  for (unsigned t = 1; t < accesses.size; ++t) accesses.list[t].garbage = true;
  const std::optional<Walk> lanes = walk(call, &core);
  if (!lanes || lanes->repeats == 0) return;
  const uint64_t elements = call.has(kCountArg) ? lanes->elements() : uint64_t(lanes->repeats) * lanes->lanes;
  Access &scratch = accesses.add();
  scratch.arg = Access::kScratch;
  scratch.write = scratch.garbage = true;
  scratch.address = Address(Memory::UB, 0, kScratchStart);
  scratch.bytes = uint32_t(std::min<uint64_t>(elements * sizeof(float), kScratchBytes));
}

/// dst = src * scale, or max((src0 + src1) * scale, 0), the scale applied in three steps that keep large sums in range.
template <bool SumAndRelu> struct Dequantised {
  template <InstructionSet Set>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    const auto *a = reinterpret_cast<const int32_t *>(src[0]);
    const auto *b = SumAndRelu ? reinterpret_cast<const int32_t *>(src[1]) : nullptr;
    Half *out = reinterpret_cast<Half *>(dst);
    const float scale = half_to_float(uint16_t(context->scalar));
    const bool saturate = context->saturate_int;
    float f[kHalfChunk];
    for (size_t at = 0; at < n; at += kHalfChunk) {
      const size_t m = std::min(n - at, kHalfChunk);
      for (size_t i = 0; i < m; ++i) {
        int32_t value = a[at + i];
        if constexpr (SumAndRelu)
          value = saturate ? plus(value, b[at + i], OverflowMode<Overflow::Saturate>())
                           : plus(value, b[at + i], OverflowMode<Overflow::Wrap>());
        const float scaled = quiet(float(value) * 0x1p-17f * scale * 0x1p17f);
        f[i] = SumAndRelu ? maximum(scaled, 0.0f) : scaled;
      }
      narrow_floats<Set>(f, out + at, m);
      if (context->saturate_half)
        for (size_t i = 0; i < m; ++i) out[at + i].bits = saturate_half(out[at + i].bits);
    }
  }
  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<Dequantised>(dst, src, n, &context);
  }
};

void add_deq_relu(Exec &e) {
  Accesses accesses;
  access(e.call, e.core, accesses);
  Lanes(e).own(Dequantised<true>::kernel, e.core.deq_scale);
  for (const Access &access : accesses.span()) {
    if (!access.garbage) continue;
    const bool scratch = access.arg == Access::kScratch;
    std::byte *data = scratch ? in_ub(e, kDst, kScratchStart) : e.data[access.arg];
    access.for_each_run([&](int64_t offset, int64_t bytes) { std::memset(data + offset, 0xFF, size_t(bytes)); });
  }
}

std::optional<Violation> check_scratch(const Call &call, const CoreState *core) {
  if (call.has(kCountArg) && call.known(kCountArg) && call.value(kCountArg) > kMostElements)
    return Violation{kCountArg, quote("count", std::to_string(call.value(kCountArg))),
                     "at most " + std::to_string(kMostElements) + ", for which there is scratch memory", "split the call"};
  const std::optional<Walk> lanes = walk(call, core);
  for (unsigned t = 0; lanes && t < kPlaces.size; ++t) {
    const uint8_t arg = kPlaces.tensors[t].arg;
    if (!call.known(arg) || call.address(arg).memory() != Memory::UB) continue;
    const int64_t end = call.address(arg).offset() + int64_t(lanes->reach(t));
    if (end <= kScratchStart) continue;
    return Violation{arg, std::string(kArgs[arg].name) + " reaches byte " + std::to_string(end - 1) + " of UB",
                     "tensors below byte " + std::to_string(kScratchStart) + ": what follows is scratch memory of this call",
                     "let the tensor end at byte " + std::to_string(kScratchStart - 1) + " or before"};
  }
  return std::nullopt;
}

constexpr Rule scratch_memory = {
    "R118", "room for scratch memory",
    "add_deq_relu keeps intermediate results in the last 8 KiB of the unified buffer, from byte 188416 on: enough for 2048 elements. Its own "
    "tensors must not lie there; other tensors there are overwritten, and reading them afterwards is M302. Source: Ascend C, AddDeqRelu.",
    check_scratch};
constexpr const Rule *kRules[] = {&argument_dtype, &type_pairs,           &in_unified_buffer,   &aligned_start,
                                  &value_range,    &mask_in_counter_mode, &block_stride_of_dst, &no_partial_overlap,
                                  &inside_tensor,  &scratch_memory,       &deq_scale_set};

constexpr Row add_deq_relu_row() {
  Row row =
      vector_row({.name = "add_deq_relu",
                  .ascendc = "AddDeqRelu",
                  .forms = kForms,
                  .rules = kRules,
                  .run = add_deq_relu,
                  .precision = &precision::dequantised,
                  .doc = "Adds integers, scales the sums and keeps the positive part: dst = max((src0 + src1) * scale, 0), with the scale "
                         "of set_deq_scale(scale). The sources, and the last 8 KiB of the unified buffer, hold garbage afterwards.",
                  .source = "Ascend C, AddDeqRelu"},
                 kArgs, kPlaces);
  row.access = access;
  row.scratch = kScratchBytes;
  return row;
}

constexpr const Rule *kCastRules[] = {&argument_dtype,       &type_pairs,          &in_unified_buffer,  &aligned_start, &value_range,
                                      &mask_in_counter_mode, &block_stride_of_dst, &no_partial_overlap, &inside_tensor, &deq_scale_set};
constexpr Row cast_deq_row() {
  Row row = vector_row(
      {.name = "cast_deq",
       .ascendc = "CastDeq",
       .forms = kCastForms,
       .rules = kCastRules,
       .cost = {.key = "cast"},
       .run = cast_deq,
       .precision = &precision::dequantised,
       .doc =
           "Converts integers with the scale of set_deq_scale. int16 to int8 or uint8: dst = round(src * scale) + offset, saturated; the "
           "16 results of a block of src go to one half of a block of dst, whose other half stays as it is. int32 to float16: dst = src "
           "* scale.",
       .source = "Ascend C, CastDeq"},
      kCastArgs, kCastPlaces);
  row.access = cast_access;
  row.recalls = from_table;
  return row;
}

constexpr Row kRows[] = {
    {.name = "set_deq_scale",
     .ascendc = "SetDeqScale",
     .args = kScaleArgs,
     .forms = kScaleForms,
     .rules = kScaleRules,
     .access = scale_access,
     .run = run_set_deq_scale,
     .registers = set_deq_scale,
     .remembers = true,
     .doc = "Sets the scale of instructions that dequantise: one for all lanes, or 16 that are stored to a tensor.",
     .source = "Ascend C, SetDeqScale"},
    add_deq_relu_row(),
    cast_deq_row(),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> dequantise_rows() { return kRows; }

void dequantise_int32(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
  Dequantised<false>::kernel(dst, src, n, context);
}

/// In words, the form of set_deq_scale.
static std::string_view form_of(DeqScale kind) {
  constexpr std::string_view forms[] = {"", "set_deq_scale(scale)", "set_deq_scale(scale, offset, sign_mode)",
                                        "set_deq_scale(vdeq, vdeq_info)"};
  return forms[unsigned(kind)];
}

static std::optional<Violation> check_deq_scale(const Call &call, const CoreState *core) {
  const unsigned dst = call.row->vector->tensors[0].arg, src = call.row->vector->tensors[1].arg;
  const bool bytes = call.dtype(src) == DType::Int16 && size_of(call.dtype(dst)) == 1;
  if (!core || !(bytes || (call.dtype(src) == DType::Int32 && call.dtype(dst) == DType::Float16))) return std::nullopt;
  const DeqScale want = !bytes ? DeqScale::Half : from_table(call) ? DeqScale::Table : DeqScale::Float;
  const std::string types = std::string(name(call.dtype(src))) + " to " + std::string(name(call.dtype(dst)));
  if (core->deq_scale_kind != want)
    return Violation{src,
                     core->deq_scale_kind == DeqScale::Unset
                         ? "a conversion of " + types + " without a scale"
                         : "a conversion of " + types + " after " + std::string(form_of(core->deq_scale_kind)),
                     std::string(form_of(want)) + " before it",
                     want == DeqScale::Table ? "call it first; or pass is_vec_deq=False for one scale" : "call it first"};
  const bool is_signed = core->deq_scale & kDeqSign;
  if (want != DeqScale::Float || is_signed == info(call.dtype(dst)).is_signed) return std::nullopt;
  return Violation{dst, "a conversion to " + std::string(name(call.dtype(dst))) + " after sign_mode=" + (is_signed ? "True" : "False"),
                   is_signed ? "int8" : "uint8", "let sign_mode be True for int8 and False for uint8"};
}

constexpr Rule deq_scale_set = {
    "R140", "scale of a dequantising conversion",
    "Conversions that dequantise take the register that set_deq_scale has written last: of int32, the scale of set_deq_scale(scale); of "
    "int16, scale, offset and sign of set_deq_scale(scale, offset, sign_mode), or with is_vec_deq (the default of cast_deq) the 16 of "
    "set_deq_scale(vdeq, vdeq_info). What another form leaves there means something else. Source: Ascend C, SetDeqScale and CastDeq.",
    check_deq_scale};

} // namespace asc
