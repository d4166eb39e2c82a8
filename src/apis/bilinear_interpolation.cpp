// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bilinear interpolation: gathers blocks, multiplies them by weights and adds rows of them, in float16.
#include "apis/families.h"
#include "apis/numeric.h"
#include "apis/precision.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

constexpr uint32_t kLanes = kRepeatBytes / sizeof(Half), kLanesOfBlock = kBlockBytes / sizeof(Half);

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = DType::Float16, .doc = "destination"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = DType::Float16, .doc = "blocks to choose from"},
    {.name = "src0_offset",
     .kind = ArgKind::Local,
     .dtypes = DType::UInt32,
     .doc = "where the blocks of a repeat are in src0: eight numbers of bytes for each repeat"},
    {.name = "src1", .kind = ArgKind::Local, .dtypes = DType::Float16, .doc = "weights, one for each repeat or for each block"},
    {.name = "mask",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt64,
     .low = 0,
     .doc = "the first `mask` elements of every repeat are added; more than a repeat has are all of them"},
    {.name = "mask_bits",
     .kind = ArgKind::Mask,
     .doc = "[low, high]: bit k of the 128 bits turns on element k of every repeat",
     .python = "mask"},
    {.name = "h_repeat", .kind = ArgKind::Int, .dtypes = DType::UInt8, .low = 1, .high = 255, .doc = "repeats that are added to one row"},
    {.name = "repeat_mode",
     .kind = ArgKind::Int,
     .dtypes = DType::Bool,
     .doc = "False: one weight for each repeat; True: one for each of its eight blocks"},
    {.name = "dst_blk_stride",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt16,
     .low = 1,
     .high = UINT16_MAX,
     .doc = "blocks (32 bytes) from one block of a row of dst to the next"},
    {.name = "v_r_offset",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt16,
     .low = kLanes,
     .high = UINT16_MAX,
     .doc = "elements from one row of dst to the next, a multiple of 16"},
    {.name = "v_repeat", .kind = ArgKind::Int, .dtypes = DType::UInt8, .low = 1, .high = 255, .doc = "rows of dst"},
    {.name = "shared_tmp_buffer",
     .kind = ArgKind::Local,
     .role = Role::Out,
     .dtypes = DType::UInt8,
     .doc = "memory for intermediate results: 256 bytes for each repeat and 32 for each element of src1"},
};
constexpr uint8_t kDst = index_of(kArgs, "dst"), kSrc0 = index_of(kArgs, "src0"), kOffsets = index_of(kArgs, "src0_offset"),
                  kSrc1 = index_of(kArgs, "src1"), kMask = index_of(kArgs, "mask"), kMaskBits = index_of(kArgs, "mask_bits"),
                  kHorizontal = index_of(kArgs, "h_repeat"), kMode = index_of(kArgs, "repeat_mode"),
                  kBlockStride = index_of(kArgs, "dst_blk_stride"), kRowOffset = index_of(kArgs, "v_r_offset"),
                  kVertical = index_of(kArgs, "v_repeat"), kTmp = index_of(kArgs, "shared_tmp_buffer");

constexpr Form kForms[] = {
    {"BilinearInterpolation($dst, $src0, $src0_offset, $src1, $mask, $h_repeat, $repeat_mode, $dst_blk_stride, $v_r_offset, $v_repeat, "
     "$shared_tmp_buffer)"},
    {"BilinearInterpolation($dst, $src0, $src0_offset, $src1, $mask_bits, $h_repeat, $repeat_mode, $dst_blk_stride, $v_r_offset, "
     "$v_repeat, $shared_tmp_buffer)"},
};

// ---------------------------------------------------------------- geometry

/// The values of a call.
struct Plan {
  uint32_t horizontal, vertical;
  uint32_t repeats;    // the product, in the 8 bits that the library has for it
  uint32_t spread;     // elements of src1 that become blocks: whole groups of eight
  uint32_t per_repeat; // weights
  std::array<uint64_t, 2> mask;
};

Plan plan_of(const Call &call) {
  Plan plan;
  plan.horizontal = uint8_t(call.value(kHorizontal));
  plan.vertical = uint8_t(call.value(kVertical));
  plan.repeats = uint8_t(plan.horizontal * plan.vertical);
  plan.spread = uint32_t(call.length(kSrc1) / sizeof(Half)) / kRepeatBlocks * kRepeatBlocks;
  plan.per_repeat = call.value(kMode) ? kRepeatBlocks : 1;
  plan.mask =
      call.has(kMask) ? mask_of_first(call.value(kMask), sizeof(Half)) : std::array{call.at(kMaskBits).bits, call.at(kMaskBits, 1).bits};
  return plan;
}

/// A product that is too large loses its upper bits; the accesses then name more than is touched.
void access(const Call &call, const CoreState &, Accesses &accesses) {
  const Plan plan = plan_of(call);
  const uint32_t rows = plan.horizontal * plan.vertical, repeats = std::min<uint32_t>(rows, UINT8_MAX);
  const auto add = [&](uint8_t arg, uint64_t bytes) -> Access & {
    Access &access = accesses.add();
    access.arg = arg;
    access.read = call.row->args[arg].role == Role::In;
    access.write = !access.read;
    access.address = call.address(arg);
    access.bytes = uint32_t(bytes);
    return access;
  };
  add(kOffsets, uint64_t(repeats) * kRepeatBlocks * sizeof(uint32_t));
  add(kSrc1, std::max(plan.spread, repeats * plan.per_repeat) * sizeof(Half));
  add(kTmp, std::max(rows * kRepeatBytes, repeats * kRepeatBytes + plan.spread * kBlockBytes)).garbage = true;
  Access &dst = add(kDst, kBlockBytes);
  dst.repeats = plan.vertical;
  dst.blocks = kRepeatBlocks;
  dst.block_stride = int64_t(uint16_t(call.value(kBlockStride))) * kBlockBytes;
  dst.repeat_stride = int64_t(uint16_t(call.value(kRowOffset))) * int64_t(sizeof(Half));
  dst.masked = true;
  dst.element = sizeof(Half);
  dst.mask = {plan.mask[0], plan.mask[1], 0, 0};
  // Where src0 is read stands in memory.
  if (const std::byte *offsets = accesses.bytes_at(call.address(kOffsets), repeats * kRepeatBlocks * sizeof(uint32_t))) {
    Access &src0 = add(kSrc0, kBlockBytes);
    src0.repeats = repeats;
    src0.blocks = kRepeatBlocks;
    src0.given_offsets = true;
    src0.at_offsets(offsets);
  } else {
    add(kSrc0, call.known(kSrc0, 1) ? call.length(kSrc0) : info(Memory::UB).bytes);
  }
}

/// Assumption "mask registers after bilinear_interpolation": MASK holds the mask of the call afterwards, and the mode is NORMAL.
void registers(const Call &call, CoreState &core) {
  core.counter_mode = false;
  const std::array<uint64_t, 2> mask = plan_of(call).mask;
  core.mask_lo = mask[0], core.mask_hi = mask[1];
}

// ---------------------------------------------------------------- the instruction

void bilinear_interpolation(Exec &e) {
  const Plan plan = plan_of(e.call);
  const auto half = [&](float f) {
    const uint16_t bits = float_to_half(f);
    return e.core.keep_inf_nan ? bits : saturate_half(bits);
  };
  const auto load = [](const std::byte *from, size_t index) {
    uint16_t bits;
    std::memcpy(&bits, from + index * sizeof(bits), sizeof(bits));
    return half_to_float(bits);
  };
  const Access &src0 = e.accesses.back();
  // Gathered blocks times their weights. Intermediate results live in the temporary buffer, as on the device.
  std::byte *const tmp = e.data[kTmp];
  std::byte *const weights = tmp + plan.repeats * kRepeatBytes;
  for (uint32_t i = 0; i < plan.spread; ++i)
    for (uint32_t k = 0; k < kLanesOfBlock; ++k)
      std::memcpy(weights + i * kBlockBytes + k * sizeof(Half), e.data[kSrc1] + i * sizeof(Half), sizeof(Half));
  for (uint32_t b = 0; b < plan.repeats * kRepeatBlocks; ++b) {
    const uint32_t offset = src0.offset(b);
    const float weight = load(e.data[kSrc1], plan.per_repeat == 1 ? b / kRepeatBlocks : b);
    for (uint32_t k = 0; k < kLanesOfBlock; ++k) {
      const uint16_t product = half(times(load(e.data[kSrc0] + offset, k), weight, RoundTo<float>()));
      std::memcpy(tmp + b * kBlockBytes + k * sizeof(product), &product, sizeof(product));
    }
  }
  // Rows of dst: each the sum of its repeats, added one after the other.
  for (uint32_t v = 0; v < plan.vertical; ++v) {
    std::byte *const dst = e.data[kDst] + size_t(v) * uint16_t(e.call.value(kRowOffset)) * sizeof(Half);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if (!(plan.mask[lane / 64] >> lane % 64 & 1)) continue;
      const auto at = [&](uint32_t repeat) { return size_t(repeat) * kLanes + lane; };
      uint16_t sum = half(load(tmp, at(v * plan.horizontal)));
      for (uint32_t j = 1; j < plan.horizontal; ++j)
        sum = half(plus(load(tmp, at(v * plan.horizontal + j)), half_to_float(sum), RoundTo<float>()));
      sum = half(plus(half_to_float(sum), 0.0f, RoundTo<float>()));
      const size_t block = size_t(lane / kLanesOfBlock) * uint16_t(e.call.value(kBlockStride)) * kBlockBytes;
      std::memcpy(dst + block + lane % kLanesOfBlock * sizeof(sum), &sum, sizeof(sum));
    }
  }
  registers(e.call, e.core);
}

// ---------------------------------------------------------------- rules

std::optional<Violation> check_repeats(const Call &call, const CoreState *) {
  if (call.known(kRowOffset) && call.value(kRowOffset) % kLanesOfBlock != 0)
    return Violation{kRowOffset, quote("v_r_offset", std::to_string(call.value(kRowOffset))), "a multiple of 16, the elements of a block",
                     "start every row of dst at a whole block"};
  if (!call.known(kHorizontal) || !call.known(kVertical)) return std::nullopt;
  const int64_t repeats = call.value(kHorizontal) * call.value(kVertical);
  if (repeats <= UINT8_MAX) return std::nullopt;
  return Violation{kVertical, "h_repeat * v_repeat is " + std::to_string(repeats), "at most 255",
                   "make several calls; the instruction has 8 bits for the number of repeats"};
}

constexpr Rule repeats_and_rows = {
    "R119", "repeats and rows of an interpolation",
    "The repeats of all rows are counted in 8 bits, and every row of dst starts at a whole block of 32 bytes. Source: Ascend C, "
    "BilinearInterpolation.",
    check_repeats};
constexpr const Rule *kRules[] = {&argument_dtype,   &in_unified_buffer,  &aligned_start, &value_range,
                                  &repeats_and_rows, &no_partial_overlap, &inside_tensor};

constexpr Row kRows[] = {
    {.name = "bilinear_interpolation",
     .ascendc = "BilinearInterpolation",
     .pipe = Pipe::V,
     .args = kArgs,
     .forms = kForms,
     .rules = kRules,
     .cost = {CostShape::Vector, "bilinear"},
     .access = access,
     .run = bilinear_interpolation,
     .registers = registers,
     .precision = &precision::interpolated,
     .doc = "Gathers blocks of src0, multiplies each repeat of them by its weights in src1, and adds h_repeat of them to each row of dst.",
     .source = "Ascend C, BilinearInterpolation"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> bilinear_interpolation_rows() { return kRows; }

} // namespace asc
