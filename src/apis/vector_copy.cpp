// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copying within the unified buffer, element by element with masks and strides.
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = k16Or32Bits, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = k16Or32Bits, .doc = "source"},
    mask_number(DType::UInt64),
    kMaskBits,
    {.name = "repeat_times",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt8,
     .low = 0,
     .high = 255,
     .doc = "number of repeats of 256 bytes",
     .python = "repeat_time"},
    repeat_params("CopyRepeatParams"),
    kIsSetMask,
};
constexpr VectorArgs kVector = [] {
  VectorArgs v = vector_args(kArgs);
  v.own_accesses = true;
  v.most_stride = UINT16_MAX;
  return v;
}();

constexpr Form kForms[] = {
    {"Copy<$T, $is_set_mask>($dst, $src, $mask, $repeat_times, $repeat_params)"},
    {"Copy<$T, $is_set_mask>($dst, $src, $mask_bits, $repeat_times, $repeat_params)"},
};

/// In counter mode the mask register counts the elements of every repeat, and repeat_time is looked at (assumption "copy in counter
/// mode"): the whole blocks of each repeat, and what is left of it.
void counted_access(const Call &call, const CoreState &core, Accesses &accesses) {
  constexpr uint32_t most = info(Memory::UB).bytes / kBlockBytes + 1; // blocks: more reach no further outside
  const uint64_t bytes = uint64_t(uint32_t((*mask_of(call, &core))[0])) * size_of(call.dtype(kVector.tensors[0].arg));
  const uint32_t repeats = uint8_t(call.value(kVector.repeat_times)), rest = uint32_t(bytes % kBlockBytes);
  const uint32_t whole = uint32_t(std::min<uint64_t>(bytes / kBlockBytes, most));
  const auto stride = [&](VectorArgs::Part part) { return int64_t(uint16_t(call.value(part.arg, part.part))) * kBlockBytes; };
  for (const VectorArgs::Tensor &tensor : kVector.all()) {
    const int64_t block_stride = stride(tensor.block_stride);
    const auto add = [&](uint32_t blocks, uint32_t length, int64_t start) {
      if (repeats == 0 || blocks == 0 || length == 0) return;
      Access &access = accesses.add();
      access.arg = tensor.arg, access.address = call.address(tensor.arg);
      access.read = kArgs[tensor.arg].role == Role::In, access.write = !access.read;
      access.repeats = repeats, access.blocks = blocks, access.bytes = length;
      access.start = start;
      access.block_stride = block_stride, access.repeat_stride = stride(tensor.repeat_stride);
    };
    add(whole, kBlockBytes, 0);
    add(1, rest, whole * block_stride);
  }
}

void access(const Call &call, const CoreState &core, Accesses &accesses) {
  core.counter_mode ? counted_access(call, core, accesses) : vector_access(call, core, accesses);
}

void copy(Exec &e) {
  if (!e.core.counter_mode) return Lanes(e).unary_on_bits([](auto a, auto) { return a; });
  // Half of the accesses are those of dst, in the order of the other half, which is of src.
  const size_t pieces = e.accesses.size() / 2;
  for (uint32_t r = 0; pieces && r < e.accesses[0].repeats; ++r)
    for (size_t i = 0; i < pieces; ++i) {
      const Access &to = e.accesses[i], &from = e.accesses[pieces + i];
      for (uint32_t b = 0; b < to.blocks; ++b)
        std::memmove(e.data[to.arg] + to.start + r * to.repeat_stride + b * to.block_stride,
                     e.data[from.arg] + from.start + r * from.repeat_stride + b * from.block_stride, to.bytes);
    }
  vector_registers(e.call, e.core);
}

constexpr Row kRows[] = {
    vector_row({.name = "copy",
                .ascendc = "Copy",
                .forms = kForms,
                .access = access,
                .run = copy,
                .precision = &precision::exact,
                .doc =
                    "Copies elements within the unified buffer: dst = src. In counter mode the mask register is the number of elements of "
                    "every repeat.",
                .source = "Ascend C, Copy"},
               kArgs, kVector),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> vector_copy_rows() { return kRows; }

} // namespace asc
