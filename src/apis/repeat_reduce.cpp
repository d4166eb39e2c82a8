// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector instructions that reduce every repeat, every block or every pair of lanes to one element.
#include "apis/families.h"
#include "apis/precision.h"
#include "apis/reduce.h"
#include "apis/vector_row.h"

#include <cstring>

namespace asc {
namespace {

// ---------------------------------------------------------------- arguments

constexpr int64_t kMostStride = UINT16_MAX;

constexpr Arg kDst = {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kFloats, .doc = "results", .own_alignment = true};
constexpr Arg kSrc = {.name = "src", .kind = ArgKind::Local, .dtypes = kFloats, .doc = "source"};
constexpr Arg repeat_number(std::string_view name) {
  Arg arg = kRepeatTimes;
  arg.name = name;
  return arg;
}
constexpr Arg stride(std::string_view name, std::string_view doc) {
  return {.name = name, .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = kMostStride, .doc = doc};
}
constexpr Arg kDstStride =
    stride("dst_rep_stride", "results of one repeat from those of the next, in units of the results of a repeat; 1 is dense");
constexpr Arg kSrcBlockStride = stride("src_blk_stride", "blocks (32 bytes) from one block of src to the next within a repeat");
constexpr Arg kSrcStride = stride("src_rep_stride", "blocks from one repeat of src to the next");
constexpr Arg kOrder = {.name = "order",
                        .kind = ArgKind::Enum,
                        .type = "ReduceOrder",
                        .default_value = 0,
                        .doc = "what is stored: the value, its index within the repeat as an unsigned integer, or both in either order"};

constexpr Arg kWhole[] = {
    kDst, kSrc, mask_number(DType::Int32), kMaskBits, repeat_number("repeat_time"), kDstStride, kSrcBlockStride, kSrcStride, kIsSetMask};
constexpr Arg kExtreme[] = {
    kDst,   kSrc,      mask_number(DType::Int32), kMaskBits, repeat_number("repeat_time"), kDstStride, kSrcBlockStride, kSrcStride,
    kOrder, kIsSetMask};
constexpr Arg kBlock[] = {kDst,      kSrc,       repeat_number("repeat"), mask_number(DType::Int32),
                          kMaskBits, kDstStride, kSrcBlockStride,         kSrcStride};
constexpr Arg kPair[] = {
    kDst, kSrc, repeat_number("repeat_time"), mask_number(DType::Int32), kMaskBits, kDstStride, kSrcBlockStride, kSrcStride, kIsSetMask};
constexpr Arg kRepeat[] = {kDst,
                           kSrc,
                           repeat_number("repeat_time"),
                           mask_number(DType::Int32),
                           stride("dst_blk_stride", "ignored"),
                           kSrcBlockStride,
                           kDstStride,
                           kSrcStride,
                           kIsSetMask};

constexpr VectorArgs places_of(std::span<const Arg> args) {
  VectorArgs v;
  v.writes_lanes = false;
  v.tensors[0] = {index_of(args, "src"), {index_of(args, "src_blk_stride")}, {index_of(args, "src_rep_stride")}};
  v.size = 1;
  v.mask = find_index(args, "mask"), v.mask_bits = find_index(args, "mask_bits");
  v.repeat_times = args[2].name == "repeat" ? uint8_t(2) : index_of(args, "repeat_time");
  v.is_set_mask = find_index(args, "is_set_mask");
  v.most_stride = kMostStride;
  return v;
}
template <const auto &Args> constexpr VectorArgs kPlaces = places_of(Args);

// ---------------------------------------------------------------- what is written

/// What becomes one element: the lanes of a repeat, of a block, or two neighbours.
enum class Group : uint8_t { Repeat, Block, Pair };

uint32_t leaves_of(Group group, const Walk &walk) {
  return group == Group::Repeat ? walk.lanes : group == Group::Block ? walk.lanes / kRepeatBlocks : 2;
}

/// Members of ReduceOrder.
enum class Order : uint8_t { ValueIndex, IndexValue, OnlyValue, OnlyIndex };
constexpr uint8_t kOrderArg = index_of(kExtreme, "order");
constexpr uint32_t kIndexBytes = 4; // of an index alone

template <bool kHasOrder> Order order_of(const Call &call) {
  if constexpr (kHasOrder)
    return Order(call.value(kOrderArg));
  else
    return Order::OnlyValue;
}

/// Bytes of the result of a group.
uint32_t result_bytes(Order order, DType dtype) {
  return order == Order::OnlyValue ? size_of(dtype) : order == Order::OnlyIndex ? kIndexBytes : 2 * size_of(dtype);
}

int64_t dst_stride(const Call &call) { return call.value(index_of(call.row->args, "dst_rep_stride")) & kMostStride; }

template <Group kGroup, bool kHasOrder> void access(const Call &call, const CoreState &core, Accesses &accesses) {
  const std::optional<Walk> lanes = walk(call, &core);
  if (!lanes || lanes->repeats == 0) return;
  vector_access(call, core, accesses);
  const uint32_t leaves = leaves_of(kGroup, *lanes), groups = lanes->lanes / leaves;
  const uint32_t bytes = result_bytes(order_of<kHasOrder>(call), call.dtype(0));
  Access &dst = accesses.add();
  dst.arg = 0;
  dst.write = true;
  dst.address = call.address(0);
  dst.repeats = lanes->repeats;
  dst.bytes = groups * bytes;
  dst.repeat_stride = dst_stride(call) * dst.bytes;
  if (const uint32_t last = (lanes->tail + leaves - 1) / leaves; last < groups) dst.tail = last * bytes;
  if (!lanes->masked) return;
  dst.element = uint8_t(bytes);
  for (uint32_t lane = 0; lane < lanes->lanes; ++lane)
    if (lanes->mask[lane / 64] >> lane % 64 & 1) dst.mask[lane / leaves / 64] |= uint64_t(1) << lane / leaves % 64;
  uint32_t on = 0;
  for (uint64_t word : dst.mask) on += uint32_t(std::popcount(word));
  dst.masked = on < groups;
}

// ---------------------------------------------------------------- the instructions

constexpr uint32_t kMostLanes = kRepeatBytes / sizeof(Half);

template <Group kGroup> void sums(Exec &e) {
  const std::optional<Walk> lanes = walk(e.call, &e.core);
  const DType dtype = e.call.dtype(0);
  const SumOf type = {dtype == DType::Float16, !e.core.keep_inf_nan};
  const uint32_t leaves = leaves_of(kGroup, *lanes), groups = lanes->lanes / leaves;
  const size_t size = size_of(dtype), step = size_t(dst_stride(e.call)) * groups * size;
  const RepeatLanes source(*lanes, e.data[1], dtype);
  const auto store = [&](uint32_t repeat, const float *results, const uint8_t *on, size_t n) {
    for (size_t i = 0; i < n; ++i)
      if (!on || on[i]) store_lane(e.data[0] + repeat * step + i * size, results[i], dtype);
  };
  const uint32_t whole = lanes->masked ? 0 : lanes->repeats - (lanes->repeats && lanes->tail < lanes->lanes);
  // Whole repeats, several at a time: unless one may read what the one before has written.
  float values[kSumChunk];
  const bool apart = e.data[0] + lanes->repeats * step + groups * size <= e.data[1] || e.data[1] + lanes->reach(0) <= e.data[0];
  const uint32_t at_once = apart ? uint32_t(kSumChunk / lanes->lanes) : 1;
  for (uint32_t r = 0; r < whole; r += at_once) {
    const uint32_t n = std::min(at_once, whole - r);
    source.load(r, n, values);
    tree_sums(values, size_t(n) * lanes->lanes, leaves, type);
    for (uint32_t k = 0; k < n; ++k) store(r + k, values + k * groups, nullptr, groups);
  }
  for (uint32_t r = whole; r < lanes->repeats; ++r) {
    uint8_t on[kMostLanes] = {};
    const size_t n = source.load(r, values);
    if (lanes->masked)
      source.flags(on);
    else
      std::memset(on, 1, n);
    tree_sums(values, on, lanes->lanes, leaves, type);
    store(r, values, on, groups);
  }
  vector_registers(e.call, e.core);
}

template <bool kLargest> void whole_extreme(Exec &e) {
  const std::optional<Walk> lanes = walk(e.call, &e.core);
  const DType dtype = e.call.dtype(0);
  const Order order = order_of<true>(e.call);
  const size_t size = size_of(dtype), step = size_t(dst_stride(e.call)) * result_bytes(order, dtype);
  const RepeatLanes source(*lanes, e.data[1], dtype);
  float values[kMostLanes];
  uint8_t on[kMostLanes];
  if (lanes->masked) source.flags(on);
  for (uint32_t r = 0; r < lanes->repeats; ++r) {
    const size_t n = source.load(r, values);
    const Extreme found = lanes->masked ? first_extreme(values, on, n, kLargest) : first_extreme(values, n, kLargest);
    std::byte *to = e.data[0] + r * step;
    const bool index_first = order == Order::IndexValue;
    if (order == Order::OnlyIndex)
      std::memcpy(to, &found.index, kIndexBytes);
    else
      store_lane(to + (index_first ? size : 0), found.value, dtype);
    if (order == Order::ValueIndex || index_first) std::memcpy(to + (index_first ? 0 : size), &found.index, size);
  }
  vector_registers(e.call, e.core);
}

template <bool kLargest> void block_extreme(Exec &e) {
  const std::optional<Walk> lanes = walk(e.call, &e.core);
  const DType dtype = e.call.dtype(0);
  const size_t size = size_of(dtype), step = size_t(dst_stride(e.call)) * kRepeatBlocks * size;
  const uint32_t leaves = leaves_of(Group::Block, *lanes);
  const RepeatLanes source(*lanes, e.data[1], dtype);
  for (uint32_t r = 0; r < lanes->repeats; ++r) {
    float values[kMostLanes];
    uint8_t on[kMostLanes] = {};
    const size_t n = source.load(r, values);
    if (lanes->masked)
      source.flags(on);
    else
      std::memset(on, 1, n);
    for (uint32_t block = 0; block < kRepeatBlocks; ++block) {
      const uint8_t *flags = on + block * leaves;
      if (!std::memchr(flags, 1, leaves)) continue;
      store_lane(e.data[0] + r * step + block * size, first_extreme(values + block * leaves, flags, leaves, kLargest).value, dtype);
    }
  }
  vector_registers(e.call, e.core);
}

// ---------------------------------------------------------------- rules

/// Where dst may start: results are written by their own size, blocks of results by theirs.
std::optional<Violation> check_dst_start(const Call &call, const CoreState *) {
  if (!call.known(0) || call.address(0).memory() != Memory::UB) return std::nullopt;
  const std::string_view name = call.row->name;
  const uint32_t size = size_of(call.dtype(0));
  const uint8_t order = find_index(call.row->args, "order");
  const uint32_t unit = order != Layout::kAbsent     ? result_bytes(Order(call.value(order)), call.dtype(0))
                        : name.starts_with("block_") ? kRepeatBlocks * size
                        : name.starts_with("pair_")  ? kBlockBytes
                                                     : size;
  const int64_t offset = call.address(0).offset();
  if (offset % unit == 0) return std::nullopt;
  return Violation{0, "dst starts at byte " + std::to_string(offset), "a multiple of " + std::to_string(unit) + " bytes",
                   "start at byte " + std::to_string(offset - offset % unit) + ": results are written in units of this size"};
}
constexpr Rule dst_start = {
    "R150", "start of the results of a reduction",
    "A reduction writes its results in units: an element for a sum of a repeat, a value with its index (two elements) or an index of 4 "
    "bytes for a largest or smallest one, eight elements for the blocks of a repeat, 32 bytes for pairs. dst starts at a whole unit. "
    "Source: Ascend C, reduction instructions.",
    check_dst_start};

constexpr const Rule *kRules[] = {&argument_dtype, &equal_dtypes,         &in_unified_buffer,  &aligned_start, &dst_start,
                                  &value_range,    &mask_in_counter_mode, &no_partial_overlap, &inside_tensor};

// ---------------------------------------------------------------- rows

template <Text F>
constexpr Form kWholeForms[] = {
    {joined<F, "<$T, $is_set_mask>($dst, $src, $mask, $repeat_time, $dst_rep_stride, $src_blk_stride, $src_rep_stride)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $mask_bits, $repeat_time, $dst_rep_stride, $src_blk_stride, $src_rep_stride)">},
};
template <Text F>
constexpr Form kExtremeForms[] = {
    {joined<F, "<$T, $is_set_mask>($dst, $src, $mask, $repeat_time, $dst_rep_stride, $src_blk_stride, $src_rep_stride, $order)">},
    {joined<F, "<$T, $is_set_mask>($dst, $src, $mask_bits, $repeat_time, $dst_rep_stride, $src_blk_stride, $src_rep_stride, $order)">},
};
template <Text F>
constexpr Form kBlockForms[] = {
    {joined<F, "<$T>($dst, $src, $repeat, $mask, $dst_rep_stride, $src_blk_stride, $src_rep_stride)">},
    {joined<F, "<$T>($dst, $src, $repeat, $mask_bits, $dst_rep_stride, $src_blk_stride, $src_rep_stride)">},
};
constexpr Form kPairForms[] = {
    {"PairReduceSum<$T, $is_set_mask>($dst, $src, $repeat_time, $mask, $dst_rep_stride, $src_blk_stride, $src_rep_stride)"},
    {"PairReduceSum<$T, $is_set_mask>($dst, $src, $repeat_time, $mask_bits, $dst_rep_stride, $src_blk_stride, $src_rep_stride)"},
};
constexpr Form kRepeatForms[] = {{"RepeatReduceSum<$T, $is_set_mask>($dst, $src, $repeat_time, $mask, $dst_blk_stride, $src_blk_stride, "
                                  "$dst_rep_stride, $src_rep_stride)"}};

/// What the rows share besides their arguments.
template <const auto &Args, Group kGroup, bool kHasOrder = false> constexpr Row reduction(Row row) {
  row.rules = kRules;
  row.source = "Ascend C, reduction instructions";
  row = vector_row(row, Args, kPlaces<Args>);
  row.access = access<kGroup, kHasOrder>;
  return row;
}
template <Text F> constexpr Row whole_extreme_row(Row row) {
  row.ascendc = std::string_view(F.data, F.size), row.forms = kExtremeForms<F>, row.cost.key = "cmax";
  return reduction<kExtreme, Group::Repeat, true>(row);
}
template <Text F> constexpr Row block_row(Row row) {
  row.ascendc = std::string_view(F.data, F.size), row.forms = kBlockForms<F>;
  return reduction<kBlock, Group::Block>(row);
}

constexpr Row kRows[] = {
    reduction<kWhole, Group::Repeat>(
        {.name = "whole_reduce_sum",
         .ascendc = "WholeReduceSum",
         .forms = kWholeForms<"WholeReduceSum">,
         .cost = {.key = "cadd"},
         .run = sums<Group::Repeat>,
         .precision = &precision::sums,
         .doc = "Adds the elements of every repeat: dst[r] = sum of repeat r. Neighbours are added first, then neighbouring sums, and so "
                "on, each rounded to the element type. Elements that the mask turns off are left out."}),
    whole_extreme_row<"WholeReduceMax">(
        {.name = "whole_reduce_max",
         .run = whole_extreme<true>,
         .precision = &precision::exact,
         .doc = "Finds the largest element of every repeat, and the index within the repeat of the first one that equals it: a uint16 for "
                "float16, a uint32 for float32, and a uint32 for both when it is stored alone. Read it with reinterpret_cast. A NaN is "
                "larger than all else."}),
    whole_extreme_row<"WholeReduceMin">(
        {.name = "whole_reduce_min",
         .run = whole_extreme<false>,
         .precision = &precision::exact,
         .doc = "Finds the smallest element of every repeat, and the index within the repeat of the first one that equals it, stored as "
                "by whole_reduce_max. A NaN is smaller than all else."}),
    reduction<kRepeat, Group::Repeat>({.name = "repeat_reduce_sum",
                                       .ascendc = "RepeatReduceSum",
                                       .forms = kRepeatForms,
                                       .cost = {.key = "cadd"},
                                       .run = sums<Group::Repeat>,
                                       .precision = &precision::sums,
                                       .doc = "Adds the elements of every repeat, as whole_reduce_sum does: dst[r] = sum of repeat r."}),
    block_row<"BlockReduceSum">({.name = "block_reduce_sum",
                                 .cost = {.key = "cgadd"},
                                 .run = sums<Group::Block>,
                                 .precision = &precision::sums,
                                 .doc =
                                     "Adds the elements of every block of 32 bytes: eight sums for each repeat. Neighbours are added "
                                     "first, then neighbouring sums. A block that the mask turns off leaves its element of dst as it is."}),
    block_row<"BlockReduceMax">({.name = "block_reduce_max",
                                 .cost = {.key = "cgmax"},
                                 .run = block_extreme<true>,
                                 .precision = &precision::exact,
                                 .doc = "Finds the largest element of every block of 32 bytes: eight for each repeat. A NaN is larger than "
                                        "all else. A block that the mask turns off leaves its element of dst as it is."}),
    block_row<"BlockReduceMin">({.name = "block_reduce_min",
                                 .cost = {.key = "cgmax"},
                                 .run = block_extreme<false>,
                                 .precision = &precision::exact,
                                 .doc =
                                     "Finds the smallest element of every block of 32 bytes: eight for each repeat. A NaN is smaller than "
                                     "all else. A block that the mask turns off leaves its element of dst as it is."}),
    reduction<kPair, Group::Pair>(
        {.name = "pair_reduce_sum",
         .ascendc = "PairReduceSum",
         .forms = kPairForms,
         .cost = {.key = "cpadd"},
         .run = sums<Group::Pair>,
         .precision = &precision::sums,
         .doc = "Adds pairs of neighbours: dst[k] = src[2 k] + src[2 k + 1], half as many elements for each repeat. An element whose "
                "neighbour the mask turns off stays alone; a pair that it turns off leaves its element of dst as it is."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> repeat_reduce_rows() { return kRows; }

} // namespace asc
