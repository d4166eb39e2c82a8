// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dequantisation: the register with its scale, and the instruction that adds integers and scales their sum.
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
  return uint32_t(scale) | uint64_t(offset & 0x1FF) << 37 | uint64_t(sign) << 46;
}

void set_deq_scale(const Call &call, CoreState &core) {
  if (call.has(kScale))
    core.deq_scale = call.at(kScale).bits;
  else if (call.has(kScaleFloat))
    core.deq_scale = packed(call.at(kScaleFloat).bits, call.value(kOffset), call.value(kSignMode));
  else
    core.deq_scale = uint64_t(call.address(kVdeq).offset()) / kBlockBytes & 0x3FFF;
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

/// The library is given no memory for intermediate results: it takes the last 8 KiB of the unified buffer.
constexpr int64_t kScratchBytes = 8192, kScratchStart = int64_t(info(Memory::UB).bytes) - kScratchBytes;
constexpr int64_t kMostElements = kScratchBytes / sizeof(float);

/// Assumption no. 16: what the sources and the scratch memory hold afterwards is garbage, and the forms with a mask take 256 bytes of it
/// for each repeat.
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

/// dst = max((src0 + src1) * scale, 0), the scale applied in three steps that keep large sums in range.
struct DequantisedSum {
  template <InstructionSet Set>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    const auto *a = reinterpret_cast<const int32_t *>(src[0]), *b = reinterpret_cast<const int32_t *>(src[1]);
    Half *out = reinterpret_cast<Half *>(dst);
    const float scale = half_to_float(uint16_t(context->scalar));
    const bool saturate = context->saturate_int;
    float f[kHalfChunk];
    for (size_t at = 0; at < n; at += kHalfChunk) {
      const size_t m = std::min(n - at, kHalfChunk);
      for (size_t i = 0; i < m; ++i) {
        const int32_t sum = saturate ? plus(a[at + i], b[at + i], OverflowMode<Overflow::Saturate>())
                                     : plus(a[at + i], b[at + i], OverflowMode<Overflow::Wrap>());
        f[i] = maximum(quiet(float(sum) * 0x1p-17f * scale * 0x1p17f), 0.0f);
      }
      narrow_floats<Set>(f, out + at, m);
      if (context->saturate_half)
        for (size_t i = 0; i < m; ++i) out[at + i].bits = saturate_half(out[at + i].bits);
    }
  }
  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<DequantisedSum>(dst, src, n, &context);
  }
};

void add_deq_relu(Exec &e) {
  Accesses accesses;
  access(e.call, e.core, accesses);
  Lanes(e).own(DequantisedSum::kernel, e.core.deq_scale);
  for (const Access &access : accesses.span()) {
    if (!access.garbage) continue;
    const bool scratch = access.arg == Access::kScratch;
    std::byte *data = scratch ? e.data[kDst] + (kScratchStart - e.call.address(kDst).offset()) : e.data[access.arg];
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
constexpr const Rule *kRules[] = {&argument_dtype,       &type_pairs,          &in_unified_buffer,  &aligned_start, &value_range,
                                  &mask_in_counter_mode, &block_stride_of_dst, &no_partial_overlap, &inside_tensor, &scratch_memory};

constexpr Row add_deq_relu_row() {
  Row row =
      vector_row({.name = "add_deq_relu",
                  .ascendc = "AddDeqRelu",
                  .forms = kForms,
                  .rules = kRules,
                  .run = add_deq_relu,
                  .doc = "Adds integers, scales the sums and keeps the positive part: dst = max((src0 + src1) * scale, 0), with the scale "
                         "of set_deq_scale(scale). The sources, and the last 8 KiB of the unified buffer, hold garbage afterwards.",
                  .source = "Ascend C, AddDeqRelu"},
                 kArgs, kPlaces);
  row.access = access;
  row.scratch = kScratchBytes;
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
     .doc = "Sets the scale of instructions that dequantise: one for all lanes, or 16 that are stored to a tensor.",
     .source = "Ascend C, SetDeqScale"},
    add_deq_relu_row(),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> dequantise_rows() { return kRows; }

} // namespace asc
