// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spreading elements: each fills a block.
#include "apis/families.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

#include <cstring>

namespace asc {
namespace {

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = k16Or32Bits, .doc = "destination"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = k16Or32Bits, .doc = "source: eight elements for each repeat, without gaps"},
    {.name = "repeat_times",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt8,
     .low = 0,
     .high = 255,
     .doc = "number of repeats of eight blocks"},
    repeat_params("BrcbRepeatParams"),
};
constexpr uint8_t kDst = index_of(kArgs, "dst"), kSrc = index_of(kArgs, "src0"), kRepeats = index_of(kArgs, "repeat_times"),
                  kParams = index_of(kArgs, "repeat_params");

/// Only the strides of dst are those of other vector instructions.
constexpr VectorArgs kPlaces = [] {
  VectorArgs v;
  v.tensors[0] = {kDst, {kParams, 0}, {kParams, 1}};
  v.size = 1;
  v.own_accesses = true;
  return v;
}();

constexpr Form kForms[] = {{"Brcb($dst, $src0, $repeat_times, $repeat_params)"}};
constexpr const Rule *kRules[] = {&argument_dtype, &equal_dtypes,        &in_unified_buffer,  &aligned_start,
                                  &value_range,    &block_stride_of_dst, &no_partial_overlap, &inside_tensor};

void access(const Call &call, const CoreState &, Accesses &accesses) {
  const uint32_t repeats = uint8_t(call.value(kRepeats));
  if (repeats == 0) return;
  Access &dst = accesses.add();
  dst.arg = kDst, dst.address = call.address(kDst);
  dst.write = true;
  dst.repeats = repeats, dst.blocks = kRepeatBlocks, dst.bytes = kBlockBytes;
  dst.block_stride = int64_t(uint8_t(call.value(kParams, 0))) * kBlockBytes;
  dst.repeat_stride = int64_t(uint8_t(call.value(kParams, 1))) * kBlockBytes;
  Access &src = accesses.add();
  src.arg = kSrc, src.address = call.address(kSrc);
  src.read = true;
  src.bytes = repeats * kRepeatBlocks * size_of(call.dtype(kSrc));
}

/// The library turns all lanes on; the mode stays, and neither mode has a say.
void registers(const Call &, CoreState &core) { core.mask_lo = core.mask_hi = ~uint64_t(0); }

template <class T> void spread(std::byte *dst, const std::byte *src, const Access &blocks) {
  for (uint32_t r = 0; r < blocks.repeats; ++r) {
    T elements[kRepeatBlocks];
    std::memcpy(elements, src + r * sizeof(elements), sizeof(elements));
    for (uint32_t b = 0; b < kRepeatBlocks; ++b) {
      std::byte *to = dst + r * blocks.repeat_stride + b * blocks.block_stride;
      for (uint32_t k = 0; k < kBlockBytes / sizeof(T); ++k) std::memcpy(to + k * sizeof(T), &elements[b], sizeof(T));
    }
  }
}

void brcb(Exec &e) {
  if (!e.accesses.empty()) {
    const auto run = size_of(e.call.dtype(kDst)) == sizeof(uint16_t) ? spread<uint16_t> : spread<uint32_t>;
    run(e.data[kDst], e.data[kSrc], e.accesses[0]);
  }
  registers(e.call, e.core);
}

constexpr Row kRows[] = {
    {.name = "brcb",
     .ascendc = "Brcb",
     .pipe = Pipe::V,
     .args = kArgs,
     .forms = kForms,
     .rules = kRules,
     .cost = {CostShape::Vector, "brcb"},
     .access = access,
     .run = brcb,
     .registers = registers,
     .precision = &precision::exact,
     .doc =
         "Spreads elements over blocks: every element of block i of dst = src0[i]. Masks have no influence; afterwards all lanes are on.",
     .source = "Ascend C, Brcb",
     .vector = &kPlaces},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> brcb_rows() { return kRows; }

} // namespace asc
