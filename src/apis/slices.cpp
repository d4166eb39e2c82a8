// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of slices (06-data-movement section 7).
#include "apis/slices.h"
#include "apis/atomic.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>

namespace asc {

enum SlicePart : uint8_t { StartIndex, EndIndex, Stride, BurstLen, ShapeValue, kParts };

/// A field of slice `d`, behind the number of slices.
static unsigned part_of(size_t d, SlicePart part) { return 1 + unsigned(d) * kParts + part; }
static size_t field(const Call &call, unsigned arg, size_t d, SlicePart part) { return uint32_t(call.value(arg, part_of(d, part))); }

/// Products that no memory has room for are all the same.
static size_t product(size_t a, size_t b) {
  constexpr size_t kTooLarge = size_t(1) << 48;
  return a != 0 && b > kTooLarge / a ? kTooLarge : a * b;
}

Slices::Slices(const Call &call, unsigned arg, size_t dims, size_t element, bool in_ub)
    : size(std::clamp<size_t>(dims, 1, kMostSlices)), bytes(field(call, arg, 0, BurstLen) * kBlockBytes) {
  const size_t burst = bytes / element;
  size_t pitch = element; // bytes from one index to the next
  for (size_t d = 0; d < size; ++d) {
    const size_t first = field(call, arg, d, StartIndex), end = field(call, arg, d, EndIndex), gap = field(call, arg, d, Stride);
    const size_t taken = d == 0 ? burst : 1, indices = end < first ? 0 : end - first + 1;
    start += product(first, pitch);
    dimensions[d].count = taken == 0 ? 0 : (indices + gap) / (taken + gap);
    // In UB a gap is a number of blocks.
    dimensions[d].step = d > 0 ? product(1 + gap, pitch) : bytes + (in_ub ? gap * element / kBlockBytes * kBlockBytes : gap * element);
    pitch = product(pitch, field(call, arg, d, ShapeValue));
  }
}

size_t Slices::rows() const {
  size_t all = 1;
  for (size_t d = 1; d < size; ++d) all = product(all, dimensions[d].count);
  return all;
}

size_t Slices::row(size_t number) const {
  size_t place = start;
  for (size_t d = 1; d < size; ++d) {
    place += number % dimensions[d].count * dimensions[d].step;
    number /= dimensions[d].count;
  }
  return place;
}

SliceCopy::SliceCopy(const Call &call, unsigned dst_slices, unsigned src_slices, size_t dimensions, size_t element, bool to_ub)
    : dst_(call, dst_slices, dimensions, element, to_ub), src_(call, src_slices, dimensions, element, !to_ub),
      bytes_(std::min(dst_.bytes, src_.bytes)), segments_(std::min(dst_.dimensions[0].count, src_.dimensions[0].count)),
      rows_(std::min(dst_.rows(), src_.rows())), to_ub_(to_ub) {}

void SliceCopy::access(uint8_t dst, uint8_t src, const Call &call, Accesses &accesses) const {
  const size_t all = product(product(segments_, bytes_), rows_);
  if (all == 0) return;
  const bool fits = all <= info(Memory::UB).bytes;
  const auto add = [&](uint8_t arg, const Slices &slices) {
    const size_t together = slices.size > 1 ? slices.dimensions[1].count : 1; // rows at equal distances
    for (size_t row = 0; row < rows_; row += together) {
      Access &access = accesses.add();
      access.arg = arg, access.read = arg == src, access.write = arg == dst, access.address = call.address(arg);
      access.start = int64_t(slices.row(row));
      access.repeats = uint32_t(std::min(together, rows_ - row)), access.repeat_stride = int64_t(slices.dimensions[1].step);
      const bool joined = slices.dimensions[0].step == bytes_ || segments_ == 1;
      access.blocks = joined ? 1 : uint32_t(segments_), access.block_stride = int64_t(slices.dimensions[0].step);
      access.bytes = uint32_t(joined ? segments_ * bytes_ : bytes_);
      if (!fits) { // more than there is: one of the two tensors cannot have it
        access.repeats = access.blocks = 1, access.bytes = UINT32_MAX;
        return;
      }
    }
  };
  add(dst, dst_);
  add(src, src_);
}

void SliceCopy::run(std::byte *dst, const std::byte *src, const CoreState &core) const {
  if (segments_ == 0 || bytes_ == 0) return; // however many rows
  for (size_t row = 0; row < rows_; ++row) {
    const BlockCopy copy{segments_, bytes_, src_.dimensions[0].step, dst_.dimensions[0].step};
    std::byte *to = dst + dst_.row(row);
    const std::byte *from = src + src_.row(row);
    to_ub_ ? copy_blocks(to, from, copy) : store_blocks(to, from, copy, core);
  }
}

// ---------------------------------------------------------------- rules

namespace {
/// The slices of one tensor, one after the other.
struct SliceCheck {
  const Call &call;
  unsigned arg;
  size_t element;
  bool in_ub;

  size_t value(size_t d, SlicePart part) const { return field(call, arg, d, part); }
  std::string place(size_t d, std::string_view name) const {
    return std::string(call.row->args[arg].keyword()) + "[" + std::to_string(d) + "]" + std::string(name);
  }
  Violation violation(size_t d, std::string_view name, SlicePart part, std::string expected, std::string help) const {
    return {arg, quote(place(d, name), std::to_string(value(d, part))), std::move(expected), std::move(help)};
  }

  std::optional<Violation> check(size_t d) const {
    const size_t first = value(d, StartIndex), end = value(d, EndIndex), gap = value(d, Stride), burst = value(d, BurstLen),
                 shape = value(d, ShapeValue);
    if (shape == 0)
      return violation(d, ".shape_value", ShapeValue, "at least 1",
                       "give the length of the dimension, or set_shape_info on both tensors and 0 in all slices");
    if (end <= first || end > shape)
      return violation(d, ".end_index", EndIndex,
                       "more than start_index, " + std::to_string(first) + ", and at most shape_value, " + std::to_string(shape),
                       "end_index is the last index that is taken; one row r of several is start_index r, end_index r + 1, stride 1");
    if (d > 0 && burst != 1) return violation(d, ".burst_len", BurstLen, "1, in all dimensions but the first", "pass burst_len=1");
    if (d > 0) return std::nullopt;
    if (burst == 0) return violation(d, ".burst_len", BurstLen, "at least 1", "a segment has burst_len * 32 bytes");
    const size_t elements = burst * kBlockBytes / element;
    if ((end - first + 1 + gap) % (elements + gap) != 0)
      return Violation{arg, place(d, "") + " has " + std::to_string(end - first + 1) + " elements from start_index to end_index",
                       "segments of " + std::to_string(elements) + " elements (burst_len " + std::to_string(burst) + ") and gaps of " +
                           std::to_string(gap) + " (stride) between them",
                       "let end_index be that of the last element of a segment"};
    return std::nullopt;
  }

  /// In the unified buffer.
  std::optional<Violation> check_blocks(size_t dimensions) const {
    const Slices slices(call, arg, dimensions, element, true);
    const auto whole = [](size_t bytes) { return bytes % kBlockBytes == 0; };
    const std::string blocks = "a multiple of " + std::to_string(kBlockBytes / element) + " (32 bytes)";
    const std::string help = "what lies in the unified buffer lies in whole blocks of 32 bytes: pad the rows of the tensor";
    if (!whole(value(0, Stride) * element)) return violation(0, ".stride", Stride, blocks, help);
    size_t pitch = element;
    for (size_t d = 0; d < dimensions; ++d) {
      if (!whole(value(d, StartIndex) * pitch) || (d > 0 && slices.dimensions[d].count > 1 && !whole(slices.dimensions[d].step)))
        return d == 0 ? violation(0, ".start_index", StartIndex, blocks, help) : violation(d - 1, ".shape_value", ShapeValue, blocks, help);
      pitch = product(pitch, value(d, ShapeValue));
    }
    return std::nullopt;
  }
};
} // namespace

std::optional<Violation> check_slices(const Call &call, unsigned dst, unsigned src, unsigned dst_slices, unsigned src_slices, unsigned dims,
                                      size_t element) {
  if (element == sizeof(uint64_t))
    return Violation{dst_slices, "elements of 64 bits", "elements of 8, 16 or 32 bits", "copy them as twice as many elements of 32 bits"};
  if (call.memory(dst) == Memory::UB && call.memory(src) == Memory::UB)
    return Violation{dst_slices, "slices of two tensors in the unified buffer", "one of them in global memory",
                     "copy rows with DataCopyParams"};
  const size_t size = size_t(call.value(dst_slices)), other = size_t(call.value(src_slices));
  if (size != other)
    return Violation{dst_slices, "lists of " + std::to_string(size) + " and " + std::to_string(other) + " slices",
                     "as many for dst as for src", "give a slice of both tensors for each dimension"};
  if (!call.known(dims)) return std::nullopt;
  const size_t dimensions = size_t(call.value(dims));
  if (dimensions < 1 || dimensions > kMostSlices) return std::nullopt; // R105
  if (dimensions > size)
    return Violation{dims, quote("dim_value", std::to_string(dimensions)), "at most " + std::to_string(size) + ", the number of slices",
                     "dim_value says how many of the slices are used"};
  for (unsigned arg : {dst_slices, src_slices})
    for (unsigned part = 0; part < part_of(dimensions, StartIndex); ++part)
      if (!call.known(arg, part)) return std::nullopt;
  const bool to_ub = call.memory(dst) == Memory::UB;
  const SliceCheck to{call, dst_slices, element, to_ub}, from{call, src_slices, element, !to_ub};
  for (const SliceCheck &side : {to, from}) {
    for (size_t d = 0; d < dimensions; ++d)
      if (std::optional<Violation> found = side.check(d)) return found;
    if (!side.in_ub) continue;
    if (std::optional<Violation> found = side.check_blocks(dimensions)) return found;
  }
  const Slices a(call, dst_slices, dimensions, element, to_ub), b(call, src_slices, dimensions, element, !to_ub);
  if (a.bytes != b.bytes)
    return to.violation(0, ".burst_len", BurstLen, std::to_string(from.value(0, BurstLen)) + " as in src",
                        "both sides have equal segments");
  const auto parts = [](const Slices &slices) {
    return std::to_string(slices.dimensions[0].count) + " segments in " + std::to_string(slices.rows()) + " rows";
  };
  if (a.dimensions[0].count != b.dimensions[0].count || a.rows() != b.rows())
    return Violation{dst_slices, "slices of dst with " + parts(a), parts(b) + ", as src has", "take as much of dst as of src"};
  return std::nullopt;
}

} // namespace asc
