// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between global memory and the unified buffer in blocks of any number of bytes. In the unified buffer a block takes whole units of
// 32 bytes: what it leaves free there is filled.
#include "apis/atomic.h"
#include "apis/families.h"
#include "apis/precision.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

constexpr DTypes kAny = [] {
  DTypes all;
  for (unsigned t = 1; t < kDTypes; ++t) all = all | DTypes(DType(t));
  return all;
}();

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kAny, .doc = "destination"},
    {.name = "dst_gm", .kind = ArgKind::Global, .role = Role::Out, .dtypes = kAny, .doc = "destination", .python = "dst"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = kAny, .doc = "source"},
    {.name = "src_gm", .kind = ArgKind::Global, .dtypes = kAny, .doc = "source", .python = "src"},
    {.name = "data_copy_params",
     .kind = ArgKind::Struct,
     .type = "DataCopyExtParams",
     .doc = "blocks, their length in bytes, and the gaps between them"},
    {.name = "pad_params",
     .kind = ArgKind::Struct,
     .type = "DataCopyPadExtParams",
     .doc = "how blocks in the unified buffer are filled up; only for copies to it"},
    {.name = "copy_params",
     .kind = ArgKind::Struct,
     .type = "DataCopyParams",
     .doc = "blocks, their length in bytes, and the gaps between them, in 16 bits",
     .python = "data_copy_params"},
    {.name = "pad_bits",
     .kind = ArgKind::Struct,
     .type = "DataCopyPadParams",
     .doc = "how blocks in the unified buffer are filled up; only for copies to it",
     .python = "pad_params"},
    {.name = "nd2nz_params",
     .kind = ArgKind::Struct,
     .type = "Nd2NzParams",
     .doc = "matrices that become fractals on their way from the unified buffer to the cube core, which is not supported yet"},
};
constexpr uint8_t kDst = index_of(kArgs, "dst"), kDstGm = index_of(kArgs, "dst_gm"), kSrc = index_of(kArgs, "src"),
                  kSrcGm = index_of(kArgs, "src_gm"), kExt = index_of(kArgs, "data_copy_params"), kPadExt = index_of(kArgs, "pad_params"),
                  kPlain = index_of(kArgs, "copy_params"), kPadPlain = index_of(kArgs, "pad_bits");
enum CopyPart : uint8_t { BlockCount, BlockLen, SrcStride, DstStride }; // slots of the structs
enum PadPart : uint8_t { IsPad, LeftPadding, RightPadding, PaddingValue };

constexpr Form kForms[] = {
    {"DataCopyPad($dst, $src_gm, $data_copy_params, $pad_params)"},
    {"DataCopyPad($dst_gm, $src, $data_copy_params)"},
    {"DataCopyPad($dst, $src_gm, $copy_params, $pad_bits)"},
    {"DataCopyPad($dst_gm, $src, $copy_params)"},
    {.call = "DataCopyPad($dst, $src, $data_copy_params, $nd2nz_params)", .of_cube = true},
    {.call = "DataCopyPad($dst, $src, $copy_params, $nd2nz_params)", .of_cube = true},
};

bool is_load(const Call &call) { return call.has(kDst); }
uint8_t local_arg(const Call &call) { return is_load(call) ? kDst : kSrc; }
uint8_t global_arg(const Call &call) { return is_load(call) ? kSrcGm : kDstGm; }
uint8_t copy_arg(const Call &call) { return call.has(kExt) ? kExt : kPlain; }
uint8_t pad_arg(const Call &call) { return call.has(kPadExt) ? kPadExt : kPadPlain; } // of a load
uint32_t element_of(const Call &call) { return size_of(call.dtype(local_arg(call))); }

/// The blocks of a call, in bytes. In the unified buffer one is: `left`, `bytes` of data, `right`, `filler`.
struct Blocks {
  uint64_t count = 0, bytes = 0;
  uint64_t left = 0, right = 0, filler = 0;
  uint64_t global_step = 0, local_step = 0; // from one block to the next

  uint64_t width() const { return left + bytes + right + filler; }
};

Blocks blocks_of(const Call &call) {
  const uint8_t copy = copy_arg(call);
  const auto field = [&](CopyPart part) {
    const auto bits = uint64_t(call.value(copy, part));
    return copy == kPlain || part == BlockCount ? uint64_t(uint16_t(bits)) : uint64_t(uint32_t(bits));
  };
  Blocks blocks;
  blocks.count = field(BlockCount);
  blocks.bytes = field(BlockLen);
  if (blocks.count == 0 || blocks.bytes == 0) return {};
  if (is_load(call)) {
    blocks.left = uint8_t(call.value(pad_arg(call), LeftPadding)) * element_of(call);
    blocks.right = uint8_t(call.value(pad_arg(call), RightPadding)) * element_of(call);
  }
  const uint64_t used = blocks.left + blocks.bytes + blocks.right;
  blocks.filler = (kBlockBytes - used % kBlockBytes) % kBlockBytes;
  blocks.global_step = blocks.bytes + field(is_load(call) ? SrcStride : DstStride);
  blocks.local_step = blocks.width() + field(is_load(call) ? DstStride : SrcStride) * kBlockBytes;
  return blocks;
}

void access(const Call &call, const CoreState &core, Accesses &accesses) {
  const Blocks blocks = blocks_of(call);
  if (blocks.count == 0) return;
  const auto add = [&](uint8_t arg, uint64_t bytes, uint64_t step) -> Access & {
    Access &access = accesses.add();
    access.arg = arg;
    access.read = arg == kSrc || arg == kSrcGm;
    access.write = !access.read;
    access.address = call.address(arg);
    const bool joined = step == bytes && blocks.count * bytes <= UINT32_MAX;
    access.repeats = joined ? 1 : uint32_t(blocks.count);
    access.bytes = uint32_t(joined ? blocks.count * bytes : bytes);
    access.repeat_stride = int64_t(step);
    return access;
  };
  add(global_arg(call), blocks.bytes, blocks.global_step);
  Access &local = add(local_arg(call), is_load(call) ? blocks.width() : blocks.bytes, blocks.local_step);
  if (is_load(call)) local.filler = uint8_t(blocks.filler);
  note_atomic_stores(accesses, core);
}

Pipe pipe_of(const Call &call) { return is_load(call) ? Pipe::MTE2 : Pipe::MTE3; }

// ---------------------------------------------------------------- what is filled in

/// is_pad writes the register, as set_pad_value does.
void registers(const Call &call, CoreState &core) {
  if (is_load(call) && call.value(pad_arg(call), IsPad)) core.pad_value = call.at(pad_arg(call), PaddingValue).bits;
}

/// Fills with copies of one element. 64-bit elements are moved as pairs of 32 bits.
class Filling {
public:
  Filling(const std::byte *element, size_t bytes) {
    const size_t size = std::min<size_t>(bytes, sizeof(uint32_t));
    for (size_t at = 0; at < kBlockBytes; at += size) std::memcpy(pattern_ + at, element, std::min(size, kBlockBytes - at));
  }
  void operator()(std::byte *to, size_t bytes) const {
    for (; bytes > kBlockBytes; to += kBlockBytes, bytes -= kBlockBytes) std::memcpy(to, pattern_, kBlockBytes);
    std::memcpy(to, pattern_, bytes);
  }

private:
  std::byte pattern_[kBlockBytes];
};

/// Assumption "data_copy_pad without is_pad": without is_pad and paddings, a block is filled with its own first element, unless
/// set_pad_value was called; what is_pad wrote earlier does not count.
bool fills_with_first_element(const Call &call, const CoreState &core) {
  const uint8_t pad = pad_arg(call);
  return !call.value(pad, IsPad) && !call.value(pad, LeftPadding) && !call.value(pad, RightPadding) && !core.pad_value_set;
}

void load(const Exec &e, const Blocks &blocks) {
  std::byte *to = e.data[kDst];
  copy_blocks(to + blocks.left, e.data[kSrcGm], {blocks.count, blocks.bytes, blocks.global_step, blocks.local_step});
  const size_t behind = blocks.right + blocks.filler, element = element_of(e.call);
  if (blocks.left + behind == 0) return;
  const bool first = fills_with_first_element(e.call, e.core);
  const Filling padding(reinterpret_cast<const std::byte *>(&e.core.pad_value), element);
  for (uint64_t i = 0; i < blocks.count; ++i, to += blocks.local_step) {
    const Filling fill = first ? Filling(to, std::min<size_t>(element, blocks.bytes)) : padding;
    fill(to, blocks.left);
    fill(to + blocks.left + blocks.bytes, behind);
  }
}

void data_copy_pad(Exec &e) {
  registers(e.call, e.core);
  const Blocks blocks = blocks_of(e.call);
  if (is_load(e.call)) return load(e, blocks);
  store_blocks(e.data[kDstGm], e.data[kSrc], {blocks.count, blocks.bytes, blocks.local_step, blocks.global_step, e.stream_stores}, e.core);
}

// ---------------------------------------------------------------- rules

std::optional<Violation> check_whole_elements(const Call &call, const CoreState *) {
  const uint8_t copy = copy_arg(call);
  if (!call.known(copy, BlockLen)) return std::nullopt;
  const int64_t size = element_of(call), length = call.value(copy, BlockLen);
  if (size == 0 || length % size == 0) return std::nullopt;
  return Violation{copy, quote("data_copy_params.block_len", std::to_string(length)),
                   "a multiple of " + std::to_string(size) + ", the bytes of a " + std::string(name(call.dtype(local_arg(call)))),
                   "block_len counts bytes: multiply the number of elements by " + std::to_string(size)};
}

std::optional<Violation> check_paddings(const Call &call, const CoreState *) {
  if (!is_load(call)) return std::nullopt;
  const uint8_t pad = pad_arg(call);
  const int64_t size = element_of(call);
  for (const auto &[part, field] : {std::pair(LeftPadding, "left_padding"), std::pair(RightPadding, "right_padding")}) {
    const int64_t elements = call.value(pad, part);
    if (!call.known(pad, part) || elements < 0 || elements * size <= kBlockBytes) continue;
    return Violation{
        pad, quote(std::string("pad_params.") + field, std::to_string(elements) + " (" + std::to_string(elements * size) + " bytes)"),
        "at most " + std::to_string(kBlockBytes / size) + " (32 bytes)",
        "fill larger parts with duplicate before the copy, and copy behind them"};
  }
  if (size == sizeof(uint64_t) && call.known(pad, IsPad) && call.value(pad, IsPad) && call.known(pad, PaddingValue) &&
      call.at(pad, PaddingValue).bits != 0)
    return Violation{pad, "pad_params.padding_value is not 0", "0, which is all that 64-bit elements can be filled with",
                     "pass padding_value=0"};
  return std::nullopt;
}

constexpr Rule whole_elements = {
    "R121", "block of whole elements",
    "The length of a block is given in bytes and is a whole number of elements. Source: Ascend C, DataCopyPad, parameter ranges.",
    check_whole_elements};
constexpr Rule paddings = {
    "R122", "padding of a block",
    "At most 32 bytes are filled in front of a block, and as many behind it; elements of 64 bits are filled with 0 only. Source: Ascend C, "
    "DataCopyPad, parameter ranges.",
    check_paddings};

constexpr const Rule *kRules[] = {&argument_dtype, &equal_dtypes, &in_unified_buffer, &aligned_start,  &value_range,
                                  &whole_elements, &paddings,     &inside_tensor,     &atomic_elements};

// ---------------------------------------------------------------- the register

constexpr Arg kPadValueArgs[] = {
    {.name = "padding_int",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .doc = "the value; an int fills with the low bits of an int32",
     .python = "padding_value"},
    {.name = "padding_float",
     .kind = ArgKind::Number,
     .dtypes = DType::Float32,
     .doc = "the value; a float fills with the low bits of a float32",
     .python = "padding_value"},
    {.name = "padding_value", .kind = ArgKind::Number, .doc = "the value, converted to dtype"},
    {.name = "dtype", .kind = ArgKind::Type, .doc = "element type of the copies that follow"},
    {.name = "pos",
     .kind = ArgKind::Enum,
     .type = "TPosition",
     .default_value = int64_t(Position::MAX),
     .doc = "MAX, VECIN or VECOUT: copies to the unified buffer"},
};
constexpr uint8_t kPos = index_of(kPadValueArgs, "pos");

constexpr Form kPadValueForms[] = {
    {"SetPadValue<int32_t, $pos>($padding_int)"},
    {"SetPadValue<float, $pos>($padding_float)"},
    {"SetPadValue<$dtype, $pos>($padding_value)"},
};

void set_pad_value(const Call &call, CoreState &core) {
  core.pad_value = call.slots[0].bits;
  core.pad_value_set = true;
}

std::optional<Violation> check_pad_position(const Call &call, const CoreState *) {
  const auto position = Position(call.value(kPos));
  if (position == Position::MAX || position == Position::VECIN || position == Position::VECOUT) return std::nullopt;
  return Violation{kPos, quote("pos", name(position)), "MAX, VECIN or VECOUT", "leave pos out: it is asc.TPosition.MAX then"};
}

constexpr Rule pad_position = {"R123", "position of a pad value",
                               "The pad value is for copies to the unified buffer: position MAX, VECIN or VECOUT. Source: Ascend C, "
                               "SetPadValue.",
                               check_pad_position};
constexpr const Rule *kPadValueRules[] = {&pad_position};

constexpr Row kRows[] = {
    {.name = "data_copy_pad",
     .ascendc = "DataCopyPad",
     .pipe = Pipe::MTE2,
     .pipe_of = pipe_of,
     .args = kArgs,
     .forms = kForms,
     .rules = kRules,
     .cost = {CostShape::Dma},
     .access = access,
     .run = data_copy_pad,
     .registers = registers,
     .copies = true,
     .precision = &precision::exact,
     .doc =
         "Copies blocks of any number of bytes between global memory and the unified buffer, where they are filled up to whole 32 bytes: "
         "dst = src.",
     .source = "Ascend C, DataCopyPad"},
    {.name = "set_pad_value",
     .ascendc = "SetPadValue",
     .args = kPadValueArgs,
     .forms = kPadValueForms,
     .rules = kPadValueRules,
     .run = [](Exec &e) { set_pad_value(e.call, e.core); },
     .registers = set_pad_value,
     .doc = "Sets the value that data_copy_pad fills blocks with when it is not given one.",
     .source = "Ascend C, SetPadValue"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> data_copy_pad_rows() { return kRows; }

} // namespace asc
