// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between global memory and the unified buffer, and within the unified buffer, in blocks of 32 bytes.
#include "apis/copy.h"
#include "apis/families.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>

namespace asc {
namespace {

constexpr DTypes kAny = [] {
  DTypes all;
  for (unsigned t = 1; t < kDTypes; ++t) all = all | DTypes(DType(t));
  return all;
}();

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Tensor, .role = Role::Out, .dtypes = kAny, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Tensor, .dtypes = kAny, .doc = "source"},
    {.name = "count",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = INT32_MAX,
     .doc = "number of elements; their bytes are a multiple of 32"},
    {.name = "repeat_params",
     .kind = ArgKind::Struct,
     .type = "DataCopyParams",
     .doc = "blocks and the gaps between them",
     .alias = "intri_params"},
};
constexpr uint8_t kDst = index_of(kArgs, "dst"), kSrc = index_of(kArgs, "src"), kCount = index_of(kArgs, "count"),
                  kParams = index_of(kArgs, "repeat_params");

constexpr Form kForms[] = {
    {"DataCopy($dst, $src, $count)"},
    {"DataCopy($dst, $src, $repeat_params)"},
};

/// Blocks of the call in bytes: the count form is one block, and bytes beyond the last whole 32 are not copied.
BlockCopy blocks_of(const Call &call) {
  if (call.has(kCount)) {
    const size_t bytes = size_t(uint32_t(call.value(kCount))) * size_of(call.dtype(kDst)) / kBlockBytes * kBlockBytes;
    if (bytes > UINT32_MAX)
      return {bytes / kBlockBytes, kBlockBytes, kBlockBytes, kBlockBytes}; // an Access has 32 bits for the bytes of a block
    return {1, bytes, bytes, bytes};
  }
  const auto field = [&](unsigned part) { return size_t(uint16_t(call.value(kParams, part))) * kBlockBytes; };
  const size_t bytes = field(1);
  return {field(0) / kBlockBytes, bytes, bytes + field(2), bytes + field(3)};
}

void access(const Call &call, const CoreState &, Accesses &accesses) {
  const BlockCopy copy = blocks_of(call);
  if (copy.blocks == 0 || copy.bytes == 0) return;
  const auto add = [&](uint8_t arg, size_t step) {
    Access &access = accesses.add();
    access.arg = arg;
    access.read = arg == kSrc;
    access.write = arg == kDst;
    access.address = call.address(arg);
    const bool joined = step == copy.bytes && copy.blocks * copy.bytes <= UINT32_MAX;
    access.repeats = joined ? 1 : uint32_t(copy.blocks);
    access.bytes = uint32_t(joined ? copy.blocks * copy.bytes : copy.bytes);
    access.repeat_stride = int64_t(step);
  };
  add(kDst, copy.dst_step);
  add(kSrc, copy.src_step);
}

Pipe pipe_of(const Call &call) {
  if (call.memory(kDst) == Memory::GM) return Pipe::MTE3;
  return call.memory(kSrc) == Memory::GM ? Pipe::MTE2 : Pipe::V;
}

// ---------------------------------------------------------------- rules

std::optional<Violation> check_direction(const Call &call, const CoreState *) {
  const std::optional<Memory> dst = call.memory(kDst), src = call.memory(kSrc);
  if (!dst || !src) return std::nullopt;
  const auto reachable = [](Memory m) { return m == Memory::GM || m == Memory::UB; };
  if (reachable(*dst) && reachable(*src) && !(*dst == Memory::GM && *src == Memory::GM)) return std::nullopt;
  return Violation{kDst, "a copy from " + place_of(call, kSrc) + " to " + place_of(call, kDst),
                   "global memory to VECIN, VECOUT or VECCALC, back, or between two of these",
                   "go through a local tensor at one of these positions"};
}

std::optional<Violation> check_whole_blocks(const Call &call, const CoreState *) {
  if (!call.has(kCount) || !call.known(kCount)) return std::nullopt;
  const int64_t size = size_of(call.dtype(kDst)), count = call.value(kCount);
  if (count < 0 || count > INT32_MAX) return std::nullopt; // R105
  const int64_t bytes = count * size;
  if (bytes % kBlockBytes == 0) return std::nullopt;
  const int64_t below = bytes / kBlockBytes * kBlockBytes / size, above = below + kBlockBytes / size;
  const std::string choice = below ? std::to_string(below) + " or " + std::to_string(above) : std::to_string(above);
  return Violation{kCount, quote("count", std::to_string(count) + " (" + std::to_string(bytes) + " bytes)"), "a multiple of 32 bytes",
                   "use " + choice + ", or data_copy_pad, which copies any number of bytes"};
}

std::optional<Violation> check_global_alignment(const Call &call, const CoreState *) {
  for (unsigned arg : {kDst, kSrc}) {
    if (!call.known(arg) || call.address(arg).memory() != Memory::GM) continue;
    const uint32_t size = std::max(size_of(call.dtype(arg)), 1u);
    const int64_t offset = call.address(arg).offset();
    if (offset % size == 0) continue;
    return Violation{arg, std::string(kArgs[arg].name) + " starts at byte " + std::to_string(offset) + " of its array",
                     "a multiple of " + std::to_string(size) + " bytes, the size of " + std::string(name(call.dtype(arg))),
                     "start at a whole element of the array"};
  }
  return std::nullopt;
}

constexpr Rule copy_direction = {
    "R111", "direction of a copy",
    "The vector core copies from global memory to the unified buffer (pipe MTE2), back (MTE3), and within the unified buffer (V). Source: "
    "Ascend C, data movement, paths and pipes.",
    check_direction};
constexpr Rule whole_blocks = {
    "R112", "count of whole blocks",
    "data_copy moves blocks of 32 bytes and drops what is left over, so the bytes of `count` elements are a multiple of 32. Source: "
    "Ascend C, DataCopy.",
    check_whole_blocks};
constexpr Rule global_alignment = {
    "R113", "global address aligned to the element",
    "A copy reads and writes whole elements of an array: its address in global memory is a multiple of the element size. Source: Ascend "
    "C, DataCopy, parameter ranges.",
    check_global_alignment};

constexpr const Rule *kRules[] = {&argument_dtype, &equal_dtypes,     &copy_direction,     &aligned_start, &value_range,
                                  &whole_blocks,   &global_alignment, &no_partial_overlap, &inside_tensor};

// ---------------------------------------------------------------- the instruction

void data_copy(Exec &e) {
  BlockCopy copy = blocks_of(e.call);
  copy.stream = e.stream_stores && e.call.memory(kDst) == Memory::GM;
  copy_blocks(e.data[kDst], e.data[kSrc], copy);
}

constexpr Row kRows[] = {
    {.name = "data_copy",
     .ascendc = "DataCopy",
     .pipe = Pipe::MTE2,
     .pipe_of = pipe_of,
     .args = kArgs,
     .forms = kForms,
     .rules = kRules,
     .cost = {CostShape::Dma},
     .access = access,
     .run = data_copy,
     .copies = true,
     .doc = "Copies elements between global memory and the unified buffer, or within the unified buffer: dst = src.",
     .source = "Ascend C, DataCopy"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> data_copy_rows() { return kRows; }

} // namespace asc
