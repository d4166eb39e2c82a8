// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers: elements or blocks of a tensor from where a tensor of offsets says.
#include "apis/families.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

constexpr const Rule *kRules[] = {&argument_dtype, &equal_dtypes,         &in_unified_buffer,  &aligned_start,
                                  &value_range,    &mask_in_counter_mode, &no_partial_overlap, &inside_tensor};

/// The arguments that are read.
struct Operands {
  uint8_t src, offsets;
  uint32_t bytes; // that an offset leads to
};
Access &add(Accesses &accesses, const Call &call, uint8_t arg) {
  Access &access = accesses.add();
  access.arg = arg;
  access.read = true;
  access.address = call.address(arg);
  return access;
}
/// The offsets that `places` has, and what they lead to: from byte `base` of src on.
void gather_access(const Call &call, const Operands &operands, const Access &places, int64_t base, Accesses &accesses) {
  Access &offsets = add(accesses, call, operands.offsets);
  offsets.element = sizeof(uint32_t);
  offsets.bytes = places.blocks * uint32_t(sizeof(uint32_t));
  offsets.repeats = places.repeats;
  offsets.repeat_stride = offsets.bytes;
  offsets.tail = places.tail / operands.bytes * uint32_t(sizeof(uint32_t));
  offsets.masked = places.masked, offsets.mask = places.mask;
  const std::byte *values = accesses.bytes_at(offsets.address, uint64_t(offsets.extent().second));

  Access &src = add(accesses, call, operands.src);
  if (!values) { // all that may be read
    src.bytes = uint32_t(call.known(operands.src, 1) ? call.length(operands.src) : info(Memory::UB).bytes);
    return;
  }
  src = places;
  src.arg = operands.src, src.address = call.address(operands.src);
  src.read = true;
  src.start = base;
  src.given_offsets = true;
  src.at_offsets(values);
}

/// The access that the offsets of a call lead to: the last one, once they are known.
const Access &gathered(const Exec &e) { return e.accesses.back(); }

// ---------------------------------------------------------------- gather: elements

constexpr Arg kElementArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = k16Or32Bits, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = k16Or32Bits, .doc = "elements to choose from"},
    {.name = "src_offset",
     .kind = ArgKind::Local,
     .dtypes = DType::UInt32,
     .doc = "for each element of dst the byte of src where it is, without gaps between repeats: a multiple of the element's size"},
    {.name = "src_base",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt32,
     .low = 0,
     .high = UINT32_MAX,
     .doc = "bytes to add to every offset"},
    {.name = "count",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt32,
     .low = 0,
     .high = UINT32_MAX,
     .doc = "number of elements, from the start of dst and src_offset"},
    mask_number(DType::UInt64),
    kMaskBits,
    {.name = "repeat_times", .kind = ArgKind::Int, .dtypes = DType::UInt8, .low = 0, .high = 255, .doc = "number of repeats of 256 bytes"},
    {.name = "dst_rep_stride",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt16,
     .low = 0,
     .high = UINT16_MAX,
     .doc = "blocks (32 bytes) from one repeat of dst to the next"},
};
constexpr uint8_t kDst = index_of(kElementArgs, "dst"), kSrc = index_of(kElementArgs, "src"),
                  kOffset = index_of(kElementArgs, "src_offset"), kBase = index_of(kElementArgs, "src_base");

constexpr VectorArgs kElementPlaces = [] {
  VectorArgs v;
  v.tensors[0] = {kDst, {}, {index_of(kElementArgs, "dst_rep_stride")}};
  v.size = 1;
  v.count = index_of(kElementArgs, "count");
  v.mask = index_of(kElementArgs, "mask");
  v.mask_bits = index_of(kElementArgs, "mask_bits");
  v.repeat_times = index_of(kElementArgs, "repeat_times");
  v.own_accesses = true;
  v.most_stride = UINT16_MAX;
  return v;
}();

constexpr Form kElementForms[] = {
    {"Gather($dst, $src, $src_offset, $src_base, $count)"},
    {"Gather($dst, $src, $src_offset, $src_base, $mask, $repeat_times, $dst_rep_stride)"},
    {"Gather($dst, $src, $src_offset, $src_base, $mask_bits, $repeat_times, $dst_rep_stride)"},
};

void element_access(const Call &call, const CoreState &core, Accesses &accesses) {
  const std::optional<Walk> lanes = walk(call, &core);
  if (!lanes || lanes->repeats == 0) return;
  vector_access(call, core, accesses);
  Access places;
  places.element = uint8_t(lanes->element), places.bytes = lanes->element;
  places.repeats = lanes->repeats, places.blocks = lanes->lanes;
  places.tail = lanes->tail == lanes->lanes ? 0 : lanes->tail * lanes->element;
  places.masked = lanes->masked, places.mask = lanes->mask;
  gather_access(call, {kSrc, kOffset, lanes->element}, places, int64_t(uint32_t(call.value(kBase))), accesses);
}

/// dst[i] = the element at src + places.start + offset `first + i`.
template <class T> void gather_elements(std::byte *dst, const std::byte *src, const Access &places, size_t first, size_t n) {
  const std::byte *from = src + places.start, *offsets = places.offsets + first * sizeof(uint32_t);
  for (size_t i = 0; i < n; ++i) {
    uint32_t offset;
    std::memcpy(&offset, offsets + i * sizeof(offset), sizeof(offset));
    std::memcpy(dst + i * sizeof(T), from + offset, sizeof(T));
  }
}

template <class T> void gather_lanes(std::byte *dst, const std::byte *src, const Access &places, const Walk &lanes) {
  if (lanes.dense(0)) return gather_elements<T>(dst, src, places, 0, lanes.elements());
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    std::byte *to = dst + size_t(r) * lanes.strides[0].repeat * kBlockBytes;
    const size_t first = size_t(r) * lanes.lanes;
    const uint32_t n = r + 1 == lanes.repeats ? lanes.tail : lanes.lanes;
    if (!lanes.masked) {
      gather_elements<T>(to, src, places, first, n);
      continue;
    }
    for (uint32_t k = 0; k < n; ++k)
      if (lanes.mask[k / 64] >> k % 64 & 1) gather_elements<T>(to + k * sizeof(T), src, places, first + k, 1);
  }
}

void gather(Exec &e) {
  if (const Walk lanes = *walk(e.call, &e.core); lanes.repeats != 0) {
    const auto run = lanes.element == sizeof(uint16_t) ? gather_lanes<uint16_t> : gather_lanes<uint32_t>;
    run(e.data[kDst], e.data[kSrc], gathered(e), lanes);
  }
  vector_registers(e.call, e.core);
}

// ---------------------------------------------------------------- gatherb: blocks

constexpr DTypes kBlockTypes = DType::UInt16 | DType::UInt32;
constexpr Arg kBlockArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kBlockTypes, .doc = "destination"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = kBlockTypes, .doc = "blocks of 32 bytes to choose from"},
    {.name = "offset",
     .kind = ArgKind::Local,
     .dtypes = DType::UInt32,
     .doc = "for each block of dst the byte of src0 where it is, a multiple of 32: eight for each repeat"},
    {.name = "repeat_times",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt8,
     .low = 0,
     .high = 255,
     .doc = "number of repeats of eight blocks"},
    repeat_params("GatherRepeatParams"),
};
constexpr uint8_t kBlockDst = index_of(kBlockArgs, "dst"), kBlockSrc = index_of(kBlockArgs, "src0"),
                  kBlockOffset = index_of(kBlockArgs, "offset"), kRepeats = index_of(kBlockArgs, "repeat_times"),
                  kParams = index_of(kBlockArgs, "repeat_params");

constexpr Form kBlockForms[] = {{"Gatherb($dst, $src0, $offset, $repeat_times, $repeat_params)"}};
constexpr const Rule *kBlockRules[] = {&argument_dtype, &equal_dtypes,       &in_unified_buffer, &aligned_start,
                                       &value_range,    &no_partial_overlap, &inside_tensor};

/// What the call writes: blocks, by its strides. A block stride of 0 is one of 1.
Access blocks_of(const Call &call) {
  Access dst;
  dst.arg = kBlockDst, dst.address = call.address(kBlockDst);
  dst.write = true;
  dst.repeats = uint8_t(call.value(kRepeats)), dst.blocks = kRepeatBlocks, dst.bytes = kBlockBytes;
  dst.block_stride = std::max<int64_t>(uint8_t(call.value(kParams, 0)), 1) * kBlockBytes;
  dst.repeat_stride = int64_t(uint8_t(call.value(kParams, 1))) * kBlockBytes;
  return dst;
}

void block_access(const Call &call, const CoreState &, Accesses &accesses) {
  const Access dst = blocks_of(call);
  if (dst.empty()) return;
  accesses.add() = dst;
  Access places;
  places.bytes = kBlockBytes, places.repeats = dst.repeats, places.blocks = dst.blocks;
  gather_access(call, {kBlockSrc, kBlockOffset, kBlockBytes}, places, 0, accesses);
}

/// The library turns all lanes on; the mode stays, and neither mode has a say.
void all_lanes_on(const Call &, CoreState &core) { core.mask_lo = core.mask_hi = ~uint64_t(0); }

void gatherb(Exec &e) {
  const Access dst = blocks_of(e.call);
  std::byte blocks[kRepeatBlocks][kBlockBytes];
  for (uint32_t r = 0; r < dst.repeats; ++r) {
    for (uint32_t b = 0; b < kRepeatBlocks; ++b)
      std::memcpy(blocks[b], e.data[kBlockSrc] + gathered(e).offset(r * kRepeatBlocks + b), kBlockBytes);
    for (uint32_t b = 0; b < kRepeatBlocks; ++b)
      std::memcpy(e.data[kBlockDst] + r * dst.repeat_stride + b * dst.block_stride, blocks[b], kBlockBytes);
  }
  all_lanes_on(e.call, e.core);
}

// ---------------------------------------------------------------- what these cores lack

constexpr Arg kScatterArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = k16Or32Bits, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = k16Or32Bits, .doc = "source"},
    {.name = "dst_offset",
     .kind = ArgKind::Local,
     .dtypes = DType::UInt32,
     .doc = "for each element of src the byte of dst where it goes: a multiple of the element's size"},
    {.name = "dst_base",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt32,
     .low = 0,
     .high = UINT32_MAX,
     .doc = "bytes to add to every offset"},
    {.name = "count", .kind = ArgKind::Int, .dtypes = DType::UInt32, .low = 0, .high = UINT32_MAX, .doc = "number of elements"},
    mask_number(DType::UInt64),
    kMaskBits,
    {.name = "repeat_times", .kind = ArgKind::Int, .dtypes = DType::UInt8, .low = 0, .high = 255, .doc = "number of repeats of 256 bytes"},
    {.name = "src_rep_stride",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt8,
     .low = 0,
     .high = 255,
     .doc = "blocks (32 bytes) from one repeat of src to the next"},
};
constexpr Form kScatterForms[] = {
    {"Scatter($dst, $src, $dst_offset, $dst_base, $count)"},
    {"Scatter($dst, $src, $dst_offset, $dst_base, $mask, $repeat_times, $src_rep_stride)"},
    {"Scatter($dst, $src, $dst_offset, $dst_base, $mask_bits, $repeat_times, $src_rep_stride)"},
};

constexpr Row kRows[] = {
    vector_row({.name = "gather",
                .ascendc = "Gather",
                .forms = kElementForms,
                .rules = kRules,
                .access = element_access,
                .run = gather,
                .precision = &precision::exact,
                .doc = "Gathers elements: dst[i] = the element of src at byte src_base + src_offset[i].",
                .source = "Ascend C, Gather"},
               kElementArgs, kElementPlaces),
    {.name = "gatherb",
     .ascendc = "Gatherb",
     .pipe = Pipe::V,
     .args = kBlockArgs,
     .forms = kBlockForms,
     .rules = kBlockRules,
     .cost = {CostShape::Vector, "gatherb"},
     .access = block_access,
     .run = gatherb,
     .registers = all_lanes_on,
     .precision = &precision::exact,
     .doc =
         "Gathers blocks of 32 bytes: block i of dst = the block of src0 at byte offset[i]. Masks have no influence; afterwards all lanes "
         "are on.",
     .source = "Ascend C, Gatherb"},
    {.name = "scatter",
     .ascendc = "Scatter",
     .pipe = Pipe::V,
     .args = kScatterArgs,
     .forms = kScatterForms,
     .doc = "Scatters elements: the element of dst at byte dst_base + dst_offset[i] = src[i]. Not on these chips.",
     .source = "Ascend C, Scatter",
     .instead = "invert the offsets and use gather, which moves elements of any type of 16 or 32 bits; rows go where they belong in global "
                "memory by data_copy"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_gather_rows() { return kRows; }

} // namespace asc
