// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the library that reduce a whole tensor to one element, in several instructions with a work buffer.
#include "apis/families.h"
#include "apis/precision.h"
#include "apis/reduce.h"
#include "apis/vector_row.h"

#include <cstring>

namespace asc {
namespace {

// ---------------------------------------------------------------- arguments

constexpr uint32_t kMostRepeats = INT32_MAX;

constexpr Arg kCommon[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kFloats, .doc = "the result, in element 0", .own_alignment = true},
    {.name = "src", .kind = ArgKind::Local, .dtypes = kFloats, .doc = "source"},
    {.name = "shared_tmp_buffer",
     .kind = ArgKind::Local,
     .role = Role::Out,
     .dtypes = kFloats,
     .doc = "work buffer; holds garbage afterwards"},
    kCount,
    mask_number(DType::Int32),
    kMaskBits,
    {.name = "repeat_time",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = kMostRepeats,
     .doc = "number of repeats of 256 bytes"},
    {.name = "src_rep_stride",
     .kind = ArgKind::Int,
     .dtypes = DType::Int32,
     .low = 0,
     .high = UINT16_MAX,
     .doc = "blocks (32 bytes) from one repeat of src to the next"},
    {.name = "cal_index",
     .kind = ArgKind::Int,
     .dtypes = DType::Bool,
     .default_value = 0,
     .doc = "whether element 1 of dst gets the index of the element, as an unsigned integer: uint16 for float16, uint32 for float32"},
};
constexpr auto kSum = std::span(kCommon).first<8>();
constexpr auto kExtreme = std::span(kCommon);
constexpr uint8_t kDst = 0, kSrc = 1, kTmp = 2, kCountArg = index_of(kCommon, "count"), kStride = index_of(kCommon, "src_rep_stride"),
                  kCalIndex = index_of(kCommon, "cal_index");

constexpr VectorArgs kPlaces = [] {
  VectorArgs v;
  v.writes_lanes = false;
  v.tensors[0] = {kSrc, {}, {kStride}};
  v.size = 1;
  v.count = kCountArg;
  v.mask = index_of(kCommon, "mask"), v.mask_bits = index_of(kCommon, "mask_bits");
  v.repeat_times = index_of(kCommon, "repeat_time");
  v.most_stride = UINT16_MAX, v.most_repeats = kMostRepeats;
  return v;
}();

bool counts(const Call &call) { return call.has(kCountArg); }

/// The forms with a mask work in NORMAL mode (R151).
CoreState in_normal_mode(CoreState core) {
  core.counter_mode = false;
  return core;
}
std::optional<Walk> walk_of(const Call &call, const CoreState &core) {
  const CoreState normal = in_normal_mode(core);
  return walk(call, &normal);
}

uint64_t rounded_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

Access &add_access(Accesses &accesses, const Call &call, uint8_t arg, uint64_t bytes) {
  Access &access = accesses.add();
  access.arg = arg;
  access.write = true;
  access.address = call.address(arg);
  access.bytes = uint32_t(std::min<uint64_t>(bytes, UINT32_MAX));
  return access;
}

void spoil(Exec &e, uint64_t bytes) { std::memset(e.data[kTmp], 0xFF, bytes); }

void set_mask(CoreState &core, uint64_t low, uint64_t high) { core.mask_lo = low, core.mask_hi = high; }

// ---------------------------------------------------------------- reduce_sum

/// Bytes of the work buffer: with a mask, the sums of the repeats.
uint64_t sum_work(const Call &call, const Walk &lanes) {
  return counts(call) || lanes.repeats <= 1 ? 0 : rounded_up(uint64_t(lanes.repeats) * lanes.element, kBlockBytes);
}

void sum_access(const Call &call, const CoreState &core, Accesses &accesses) {
  const std::optional<Walk> lanes = walk_of(call, core);
  if (!lanes || lanes->repeats == 0) return;
  vector_access(call, in_normal_mode(core), accesses);
  if (const uint64_t work = sum_work(call, *lanes)) add_access(accesses, call, kTmp, work).garbage = true;
  add_access(accesses, call, kDst, size_of(call.dtype(kDst)));
}

/// What the instructions leave in the registers: one for all repeats, then one that counts their sums, then one that counts the sums of
/// those.
void sum_registers(const Call &call, CoreState &core) {
  const std::optional<Walk> lanes = walk_of(call, core);
  if (!counts(call) && lanes && lanes->repeats > 1) {
    core.counter_mode = false;
    const uint32_t groups = (lanes->repeats + lanes->lanes - 1) / lanes->lanes;
    return set_mask(core, groups > 1 ? groups : lanes->repeats, 0);
  }
  vector_registers(call, core);
}

/// A form with a count ends in the scalar unit; so does one with a mask whose second instruction leaves one sum in the work buffer.
bool sum_ends_in_scalar(const Call &call) {
  if (counts(call)) return true;
  const std::optional<Walk> lanes = walk_of(call, {});
  return lanes && lanes->repeats > 1 && lanes->repeats <= lanes->lanes;
}

/// The sums of the repeats, in order.
std::vector<float> sums_of_repeats(const Walk &lanes, const RepeatLanes &source, SumOf type) {
  std::vector<float> sums;
  sums.reserve(lanes.repeats);
  float values[kSumChunk];
  const uint32_t whole = lanes.masked ? 0 : lanes.repeats - (lanes.tail < lanes.lanes), at_once = uint32_t(kSumChunk / lanes.lanes);
  for (uint32_t r = 0; r < whole; r += at_once) {
    const uint32_t n = std::min(at_once, whole - r);
    source.load(r, n, values);
    tree_sums(values, size_t(n) * lanes.lanes, lanes.lanes, type);
    sums.insert(sums.end(), values, values + n);
  }
  for (uint32_t r = whole; r < lanes.repeats; ++r) {
    uint8_t on[kRepeatBytes / sizeof(Half)] = {};
    const size_t n = source.load(r, values);
    if (lanes.masked)
      source.flags(on);
    else
      std::memset(on, 1, n);
    tree_sums(values, on, lanes.lanes, lanes.lanes, type);
    sums.push_back(values[0]);
  }
  return sums;
}

/// The sums of groups of as many numbers as a repeat has lanes; the last group may be a part.
std::vector<float> sums_of_groups(std::span<const float> numbers, uint32_t lanes, SumOf type) {
  std::vector<float> sums;
  for (size_t at = 0; at < numbers.size(); at += lanes) {
    float values[kRepeatBytes / sizeof(Half)];
    uint8_t on[kRepeatBytes / sizeof(Half)] = {};
    const size_t n = std::min<size_t>(lanes, numbers.size() - at);
    std::memcpy(values, numbers.data() + at, n * sizeof(float));
    std::memset(on, 1, n);
    tree_sums(values, on, lanes, lanes, type);
    sums.push_back(values[0]);
  }
  return sums;
}

void reduce_sum(Exec &e) {
  const std::optional<Walk> lanes = walk_of(e.call, e.core);
  if (lanes->repeats > 0) {
    const DType dtype = e.call.dtype(kDst);
    const SumOf type = {dtype == DType::Float16, !e.core.keep_inf_nan};
    std::vector<float> sums = sums_of_repeats(*lanes, RepeatLanes(*lanes, e.data[kSrc], dtype), type);
    float total = sums[0];
    if (counts(e.call))
      for (size_t r = 1; r < sums.size(); ++r) total = sum(total, sums[r], type);
    else
      for (; sums.size() > 1; total = sums[0]) sums = sums_of_groups(sums, lanes->lanes, type);
    spoil(e, sum_work(e.call, *lanes));
    store_lane(e.data[kDst], total, dtype);
  }
  sum_registers(e.call, e.core);
}

// ---------------------------------------------------------------- reduce_max and reduce_min

/// Repeats and tail of a call: of `count` elements, the whole repeats come first, and what is left is reduced apart.
struct Parts {
  uint32_t repeats, tail; // tail: elements
};
Parts parts_of(const Call &call, const Walk &lanes) {
  if (!counts(call)) return {lanes.repeats, 0};
  const uint32_t count = uint32_t(lanes.elements());
  return {std::max(count / lanes.lanes, 1u), count > lanes.lanes ? count % lanes.lanes : 0};
}

bool wants_index(const Call &call) { return call.value(kCalIndex) != 0; }

/// Bytes of the work buffer: pairs of value and index of the repeats; for the index, of each further step in memory of its own.
uint64_t extreme_work(const Call &call, const Walk &lanes) {
  const uint64_t repeats = parts_of(call, lanes).repeats, block = kBlockBytes / lanes.element;
  uint64_t elements = rounded_up(2 * repeats, block);
  if (wants_index(call)) {
    const auto pairs_of = [&](uint64_t n) { return 2 * ((n + lanes.lanes - 1) / lanes.lanes); };
    const uint64_t second = pairs_of(2 * repeats);
    elements += rounded_up(second, block);
    if (second > 2) elements += rounded_up(pairs_of(second), block);
  }
  return elements * lanes.element;
}

void extreme_access(const Call &call, const CoreState &core, Accesses &accesses) {
  const std::optional<Walk> lanes = walk_of(call, core);
  if (!lanes || lanes->repeats == 0) return;
  vector_access(call, in_normal_mode(core), accesses);
  add_access(accesses, call, kTmp, extreme_work(call, *lanes)).garbage = true;
  add_access(accesses, call, kDst, size_of(call.dtype(kDst)) * (wants_index(call) ? 2 : 1));
}

/// The mask of the last instruction: the values, without the indices, of the pairs that it reduces (assumption "registers after reduce_max
/// and reduce_min").
void extreme_registers(const Call &call, CoreState &core) {
  const std::optional<Walk> lanes = walk_of(call, core);
  if (!lanes || lanes->repeats == 0) return;
  const auto [repeats, tail] = parts_of(call, *lanes);
  if (tail) return set_mask(core, 0b11, 0);
  if (repeats == 1) {
    if (!counts(call)) return vector_registers(call, core);
    const auto [low, high] = mask_of_first(int64_t(lanes->elements()), lanes->element);
    return set_mask(core, low, high);
  }
  uint32_t pairs = repeats;
  while (pairs > lanes->lanes / 2) pairs = (pairs + lanes->lanes / 2 - 1) / (lanes->lanes / 2);
  const auto even = [](uint32_t pairs) { return 0x5555555555555555 & (pairs >= 32 ? ~uint64_t(0) : (uint64_t(1) << 2 * pairs) - 1); };
  set_mask(core, even(std::min(pairs, 32u)), pairs > 32 ? even(pairs - 32) : 0);
}

/// The index of several repeats is found by the scalar unit, and it puts the results of repeats and tail side by side.
bool extreme_ends_in_scalar(const Call &call) {
  const std::optional<Walk> lanes = walk_of(call, {});
  if (!lanes || lanes->repeats == 0) return false;
  const auto [repeats, tail] = parts_of(call, *lanes);
  return tail || (repeats > 1 && wants_index(call));
}

template <bool kLargest> void reduce_extreme(Exec &e) {
  const std::optional<Walk> lanes = walk_of(e.call, e.core);
  if (lanes->repeats > 0) {
    const DType dtype = e.call.dtype(kDst);
    const RepeatLanes source(*lanes, e.data[kSrc], dtype);
    float values[kSumChunk];
    uint8_t on[kRepeatBytes / sizeof(Half)];
    if (lanes->masked) source.flags(on);
    Extreme found = {};
    const uint32_t step = lanes->strides[0].repeat * kBlockBytes / lanes->element;
    const auto take = [&](Extreme one, uint32_t repeat) {
      if (repeat == 0 || exceeds(one.value, found.value, kLargest)) found = {one.value, repeat * step + one.index};
    };
    // Whole repeats that lie one behind the other are as good as one large one.
    const uint32_t whole = source.plain() && step == lanes->lanes ? lanes->repeats - (lanes->tail < lanes->lanes) : 0;
    const uint32_t at_once = uint32_t(std::size(values) / lanes->lanes);
    for (uint32_t r = 0; r < whole; r += at_once) {
      const uint32_t n = std::min(at_once, whole - r);
      source.load(r, n, values);
      take(first_extreme(values, size_t(n) * lanes->lanes, kLargest), r);
    }
    for (uint32_t r = whole; r < lanes->repeats; ++r) {
      const size_t n = source.load(r, values);
      take(lanes->masked ? first_extreme(values, on, n, kLargest) : first_extreme(values, n, kLargest), r);
    }
    spoil(e, extreme_work(e.call, *lanes));
    store_lane(e.data[kDst], found.value, dtype);
    if (wants_index(e.call)) std::memcpy(e.data[kDst] + lanes->element, &found.index, lanes->element);
  }
  extreme_registers(e.call, e.core);
}

// ---------------------------------------------------------------- rules

std::optional<Violation> check_limits(const Call &call, const CoreState *core) {
  const uint32_t size = size_of(call.dtype(kDst));
  const bool extreme = call.row->args.size() > kCalIndex;
  if (!counts(call) && core && core->counter_mode)
    return Violation{call.has(kPlaces.mask) ? kPlaces.mask : kPlaces.mask_bits, "a mask argument in counter mode",
                     "set_mask_norm() before a call with a mask", "call set_mask_norm() first, or use the form with a count"};
  if (call.known(kDst) && call.address(kDst).memory() == Memory::UB) {
    const uint32_t unit = extreme ? 2 * size : size;
    const int64_t offset = call.address(kDst).offset();
    if (offset % unit)
      return Violation{kDst, "dst starts at byte " + std::to_string(offset), "a multiple of " + std::to_string(unit) + " bytes",
                       "start at byte " + std::to_string(offset - offset % unit)};
  }
  if (!extreme) return std::nullopt;
  if (counts(call) && call.known(kCountArg) && call.value(kCountArg) == 0)
    return Violation{kCountArg, "count is 0", "at least 1", "leave the call out: there is no largest or smallest element of none"};
  const std::optional<Walk> lanes = walk_of(call, core ? *core : CoreState());
  if (!lanes || lanes->repeats == 0 || !call.known(kCalIndex)) return std::nullopt;
  const uint64_t half = lanes->lanes / 2, most = wants_index(call) ? half * half : half * half * half,
                 repeats = parts_of(call, *lanes).repeats;
  const uint8_t number = counts(call) ? kCountArg : kPlaces.repeat_times;
  if (repeats > most)
    return Violation{number, std::to_string(repeats) + " repeats", "at most " + std::to_string(most),
                     "reduce parts of the tensor, and their results"};
  const uint64_t last =
      uint64_t(lanes->repeats - 1) * lanes->strides[0].repeat * kBlockBytes / size + (lanes->masked ? lanes->top_lane() : lanes->tail) - 1;
  if (!wants_index(call) || size == sizeof(float) || last <= UINT16_MAX) return std::nullopt;
  return Violation{number, "indices up to " + std::to_string(last), "at most 65535, which 16 bits can hold",
                   "reduce parts of the tensor, or use float32"};
}
constexpr Rule limits = {
    "R151", "limits of a reduction to one element",
    "reduce_sum, reduce_max and reduce_min start their result at a whole element, or at a whole pair of value and index; with a mask they "
    "work in normal mode. reduce_max and reduce_min have an element at least, at most (n/2)^3 repeats, n being the elements of a repeat, or "
    "(n/2)^2 with an index, and an index that the element type has bits for. Source: Ascend C, ReduceSum, ReduceMax, ReduceMin.",
    check_limits};
constexpr const Rule *kRules[] = {&argument_dtype, &equal_dtypes, &in_unified_buffer, &aligned_start,
                                  &value_range,    &limits,       &inside_tensor};

// ---------------------------------------------------------------- rows

constexpr Form kSumForms[] = {
    {"ReduceSum<$T>($dst, $src, $shared_tmp_buffer, $count)"},
    {"ReduceSum<$T>($dst, $src, $shared_tmp_buffer, $mask, $repeat_time, $src_rep_stride)"},
    {"ReduceSum<$T>($dst, $src, $shared_tmp_buffer, $mask_bits, $repeat_time, $src_rep_stride)"},
};
template <Text F>
constexpr Form kExtremeForms[] = {
    {joined<F, "<$T>($dst, $src, $shared_tmp_buffer, $count, $cal_index)">},
    {joined<F, "<$T>($dst, $src, $shared_tmp_buffer, $mask, $repeat_time, $src_rep_stride, $cal_index)">},
    {joined<F, "<$T>($dst, $src, $shared_tmp_buffer, $mask_bits, $repeat_time, $src_rep_stride, $cal_index)">},
};

template <Text F> constexpr Row extreme_row(Row row) {
  row.ascendc = std::string_view(F.data, F.size), row.forms = kExtremeForms<F>, row.rules = kRules, row.cost.key = "reduce_max";
  row.source = "Ascend C, ReduceMax and ReduceMin";
  row = vector_row(row, kExtreme, kPlaces);
  row.access = extreme_access, row.registers = extreme_registers, row.ends_in_scalar = extreme_ends_in_scalar;
  return row;
}
constexpr Row sum_row(Row row) {
  row = vector_row(row, kSum, kPlaces);
  row.access = sum_access, row.registers = sum_registers, row.ends_in_scalar = sum_ends_in_scalar;
  return row;
}

constexpr Row kRows[] = {
    sum_row({.name = "reduce_sum",
             .ascendc = "ReduceSum",
             .forms = kSumForms,
             .rules = kRules,
             .run = reduce_sum,
             .precision = &precision::sums,
             .doc =
                 "Adds elements: dst[0] = sum of src. Every repeat is added as by whole_reduce_sum. With a count, the sums of the repeats "
                 "are then added one after the other, and no work buffer is needed; with a mask, they are reduced like a repeat, and "
                 "the work buffer has an element for each repeat, rounded up to 32 bytes.",
             .source = "Ascend C, ReduceSum"}),
    extreme_row<"ReduceMax">(
        {.name = "reduce_max",
         .run = reduce_extreme<true>,
         .precision = &precision::exact,
         .doc = "Finds the largest element: dst[0], and with cal_index the index of the first one that equals it in dst[1], counted in "
                "elements from the start of src. A NaN is larger than all else. For r repeats (count / elements of a repeat, at least 1) "
                "the work buffer has 2 r elements, rounded up to 32 bytes; the index needs as much again for each step that follows, "
                "which leaves a pair of elements of each repeat of the pairs before."}),
    extreme_row<"ReduceMin">({.name = "reduce_min",
                              .run = reduce_extreme<false>,
                              .precision = &precision::exact,
                              .doc = "Finds the smallest element, as reduce_max finds the largest. A NaN is smaller than all else."}),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> tensor_reduce_rows() { return kRows; }

} // namespace asc
