// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between global memory and the unified buffer, and within the unified buffer, in blocks of 32 bytes; and those that change the
// format of matrices.
#include "apis/atomic.h"
#include "apis/families.h"
#include "apis/fractals.h"
#include "apis/precision.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/slices.h"
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
    {.name = "enhanced_params",
     .kind = ArgKind::Struct,
     .type = "DataCopyEnhancedParams",
     .doc = "what copies out of the cube's accumulator do besides copying; no effect on others"},
    {.name = "nd2nz_params",
     .kind = ArgKind::Struct,
     .type = "Nd2NzParams",
     .doc = "matrices in rows in global memory that become fractals in the unified buffer",
     .python = "intri_params"},
    {.name = "nz2nd_params",
     .kind = ArgKind::Struct,
     .type = "Nz2NdParamsFull",
     .doc = "matrices in fractals in the unified buffer that become rows in global memory",
     .python = "intri_params"},
    {.name = "co12_params",
     .kind = ArgKind::Struct,
     .type = "DataCopyCO12DstParams",
     .doc = "a copy out of the cube's accumulator, which is not supported yet",
     .python = "intri_params"},
    {.name = "slice_list1",
     .kind = ArgKind::Structs,
     .type = "SliceInfo",
     .doc = "the slice of dst in each dimension, the innermost first",
     .moves = true,
     .length = kMostSlices},
    {.name = "slice_list2",
     .kind = ArgKind::Structs,
     .type = "SliceInfo",
     .doc = "the slice of src in each dimension; without shape_value in the first, dimensions are those of the tensors' ShapeInfo",
     .moves = true,
     .length = kMostSlices},
    {.name = "dim_value",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt32,
     .low = 1,
     .high = kMostSlices,
     .doc = "number of dimensions",
     .moves = true},
};
constexpr uint8_t kDst = index_of(kArgs, "dst"), kSrc = index_of(kArgs, "src"), kCount = index_of(kArgs, "count"),
                  kParams = index_of(kArgs, "repeat_params"), kNd2Nz = index_of(kArgs, "nd2nz_params"),
                  kNz2Nd = index_of(kArgs, "nz2nd_params"), kDstSlices = index_of(kArgs, "slice_list1"),
                  kSlices = index_of(kArgs, "slice_list2"), kDims = index_of(kArgs, "dim_value");

constexpr Form kForms[] = {
    {"DataCopy($dst, $src, $count)"},
    {"DataCopy($dst, $src, $repeat_params)"},
    {"DataCopy($dst, $src, $repeat_params, $enhanced_params)"},
    {"DataCopy($dst, $src, $nd2nz_params)"},
    {"DataCopy($dst, $src, $nz2nd_params)"},
    {"DataCopy($dst, $src, $slice_list1, $slice_list2, $dim_value)"},
    {.call = "DataCopy($dst, $src, $co12_params)", .of_cube = true},
};

size_t element_of(const Call &call) { return size_of(call.dtype(kDst)); }

SliceCopy slices_of(const Call &call) {
  return SliceCopy(call, kDstSlices, kSlices, size_t(call.value(kDims)), element_of(call), call.memory(kDst) == Memory::UB);
}

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

void copy_access(const Call &call, Accesses &accesses) {
  if (call.has(kNd2Nz)) return ToFractals(call, kNd2Nz, element_of(call)).access(kDst, kSrc, call, accesses);
  if (call.has(kNz2Nd)) return FromFractals(call, kNz2Nd, element_of(call)).access(kDst, kSrc, call, accesses);
  if (call.has(kSlices)) return slices_of(call).access(kDst, kSrc, call, accesses);
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

void access(const Call &call, const CoreState &core, Accesses &accesses) {
  copy_access(call, accesses);
  note_atomic_stores(accesses, core);
}

Pipe pipe_of(const Call &call) {
  if (call.memory(kDst) == Memory::GM) return Pipe::MTE3;
  return call.memory(kSrc) == Memory::GM ? Pipe::MTE2 : Pipe::V;
}

// ---------------------------------------------------------------- rules

bool is_unified(Memory memory) { return memory == Memory::UB; }
bool is_global(Memory memory) { return memory == Memory::GM; }

std::optional<Violation> check_direction(const Call &call, const CoreState *) {
  const std::optional<Memory> dst = call.memory(kDst), src = call.memory(kSrc);
  if (!dst || !src) return std::nullopt;
  const auto refused = [&](std::string expected, std::string help) {
    return Violation{kDst, "a copy from " + place_of(call, kSrc) + " to " + place_of(call, kDst), std::move(expected), std::move(help)};
  };
  const bool of_vector_core = (is_unified(*dst) || is_global(*dst)) && (is_unified(*src) || is_global(*src));
  if (!of_vector_core)
    return refused("global memory to VECIN, VECOUT or VECCALC, back, or between two of these",
                   "the memories of the cube core are not supported yet; go through a local tensor at one of these positions");
  if (call.has(kNd2Nz) && !(is_unified(*dst) && is_global(*src)))
    return refused("global memory to VECIN, VECOUT or VECCALC with Nd2NzParams", "other copies take DataCopyParams");
  if (call.has(kNz2Nd) && !(is_global(*dst) && is_unified(*src)))
    return refused("VECIN, VECOUT or VECCALC to global memory with Nz2NdParamsFull", "other copies take DataCopyParams");
  if (is_global(*dst) && is_global(*src))
    return refused("global memory to VECIN, VECOUT or VECCALC, back, or between two of these",
                   "go through a local tensor at one of these positions");
  return std::nullopt;
}

std::optional<Violation> check_fractals(const Call &call, const CoreState *) {
  if (call.has(kNd2Nz)) return check_to_fractals(call, kNd2Nz, element_of(call));
  if (call.has(kNz2Nd)) return check_from_fractals(call, kNz2Nd, element_of(call));
  return std::nullopt;
}

std::optional<Violation> check_fractals_of_library(const Call &call, const CoreState *) {
  if (!call.has(kNd2Nz)) return std::nullopt;
  return check_library_of_fractals(call, kNd2Nz, element_of(call));
}

std::optional<Violation> check_slices(const Call &call, const CoreState *) {
  if (!call.has(kSlices)) return std::nullopt;
  return asc::check_slices(call, kDst, kSrc, kDstSlices, kSlices, kDims, element_of(call));
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
constexpr Rule fractals = {
    "R164", "matrices in fractals",
    "With Nd2NzParams elements have 8, 16 or 32 bits, and matrices start at blocks of 32 bytes. With Nz2NdParamsFull elements have 16 or 32 "
    "bits, rows are whole fractals of 16 columns, and the stride of several matrices is a multiple of n_value times the bytes of an element. "
    "Source: Ascend C, DataCopy, ND to NZ and NZ to ND.",
    check_fractals};
constexpr Rule fractals_of_library = {
    .code = "R165",
    .title = "fractals that the library makes otherwise",
    .text =
        "On vector cores a library copies to fractals, and it does not do all that is documented of Nd2NzParams. The simulator does what is "
        "documented, and warns. Source: Ascend C, DataCopy, ND to NZ.",
    .check = check_fractals_of_library,
    .is_warning = true};
constexpr Rule slices = {
    "R166", "slices of tensors",
    "data_copy with SliceInfo takes as many segments of 32 bytes each out of as many rows of src as it writes in dst: the elements have 8, 16 or "
    "32 bits, src or dst is global memory, start_index < end_index <= shape_value, segments and gaps fill the slice of dimension 0, and what "
    "lies in the unified buffer lies in whole blocks of 32 bytes. Source: Ascend C, DataCopy, slices.",
    check_slices};

constexpr const Rule *kRules[] = {
    &copy_direction,   &argument_dtype,     &equal_dtypes, &aligned_start, &value_range,         &whole_blocks,   &fractals,
    &global_alignment, &no_partial_overlap, &slices,       &inside_tensor, &fractals_of_library, &atomic_elements};

// ---------------------------------------------------------------- the instruction

void data_copy(Exec &e) {
  if (e.call.has(kNd2Nz)) return ToFractals(e.call, kNd2Nz, element_of(e.call)).run(e.data[kDst], e.data[kSrc]);
  if (e.call.has(kNz2Nd)) return FromFractals(e.call, kNz2Nd, element_of(e.call)).run(e.data[kDst], e.data[kSrc], e.core);
  if (e.call.has(kSlices)) return slices_of(e.call).run(e.data[kDst], e.data[kSrc], e.core);
  BlockCopy copy = blocks_of(e.call);
  if (e.call.memory(kDst) != Memory::GM) return copy_blocks(e.data[kDst], e.data[kSrc], copy);
  copy.stream = e.stream_stores;
  store_blocks(e.data[kDst], e.data[kSrc], copy, e.core);
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
     .precision = &precision::exact,
     .doc =
         "Copies elements between global memory and the unified buffer, or within the unified buffer: dst = src. With Nd2NzParams matrices "
         "in rows become fractals on the way to the unified buffer, with Nz2NdParamsFull fractals become rows on the way back; with lists of "
         "SliceInfo a part of one tensor becomes a part of another.",
     .source = "Ascend C, DataCopy"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> data_copy_rows() { return kRows; }

} // namespace asc
