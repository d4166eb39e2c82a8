// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting. A record is 8 bytes, a score and a uint32 index; lists of records are in descending order of the scores, and of equal scores the
// one that came first stays first.
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

constexpr DTypes kScores = DType::Float16 | DType::Float32;
constexpr uint32_t kRecordBytes = 8, kGroup = 32; // records that sort32 sorts at a time
constexpr uint32_t kGroupBytes = kGroup * kRecordBytes;
constexpr unsigned kLists = kShortList;

constexpr Arg tensor(std::string_view name, Role role, DTypes dtypes, std::string_view doc) {
  return {.name = name, .kind = ArgKind::Local, .role = role, .dtypes = dtypes, .doc = doc};
}
constexpr Arg kRepeatTime = {
    .name = "repeat_time", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 255, .doc = "number of groups of 32 elements"};

// ---------------------------------------------------------------- records

/// Scores in order: NaN is larger than all else, -0 equals +0 (assumption "order of scores").
bool comes_before(float a, float b) { return a > b || (a != a && b == b); }

float score_of(const std::byte *record, DType dtype) {
  if (dtype == DType::Float32) {
    float score;
    std::memcpy(&score, record, sizeof(score));
    return score;
  }
  uint16_t bits;
  std::memcpy(&bits, record, sizeof(bits));
  return half_to_float(bits);
}

void sort_groups(std::byte *dst, const std::byte *scores, const std::byte *indices, uint32_t groups, DType dtype) {
  const uint32_t size = size_of(dtype);
  for (uint32_t g = 0; g < groups; ++g) {
    std::array<float, kGroup> keys;
    std::array<uint8_t, kGroup> order;
    for (uint32_t i = 0; i < kGroup; ++i) keys[i] = score_of(scores + (g * kGroup + i) * size, dtype), order[i] = uint8_t(i);
    std::sort(order.begin(), order.end(),
              [&](uint8_t a, uint8_t b) { return comes_before(keys[a], keys[b]) || (!comes_before(keys[b], keys[a]) && a < b); });
    std::array<std::byte, kGroupBytes> records = {}; // the reserved bytes of a float16 record are 0
    for (uint32_t i = 0; i < kGroup; ++i) {
      std::memcpy(records.data() + i * kRecordBytes, scores + (g * kGroup + order[i]) * size, size);
      std::memcpy(records.data() + i * kRecordBytes + 4, indices + (g * kGroup + order[i]) * sizeof(uint32_t), sizeof(uint32_t));
    }
    std::memcpy(dst + g * kGroupBytes, records.data(), kGroupBytes);
  }
}

struct List {
  const std::byte *records;
  uint32_t length;
};

/// Merges lists into one at `dst` (null: only counts). `suspend`: until one of them is used up. How many records each of them gave.
std::array<uint32_t, kLists> merge(std::span<const List> lists, bool suspend, DType dtype, std::byte *dst) {
  std::array<uint32_t, kLists> taken = {};
  std::array<float, kLists> heads = {};
  const auto used_up = [&](unsigned list) { return taken[list] == lists[list].length; };
  const auto load = [&](unsigned list) { heads[list] = score_of(lists[list].records + taken[list] * kRecordBytes, dtype); };
  bool any_used_up = false;
  for (unsigned list = 0; list < lists.size(); ++list) {
    any_used_up |= used_up(list);
    if (!used_up(list)) load(list);
  }
  while (!suspend || !any_used_up) {
    unsigned best = kLists;
    for (unsigned list = 0; list < lists.size(); ++list)
      if (!used_up(list) && (best == kLists || comes_before(heads[list], heads[best]))) best = list;
    if (best == kLists) break;
    if (dst) std::memcpy(dst, lists[best].records + taken[best] * kRecordBytes, kRecordBytes), dst += kRecordBytes;
    ++taken[best];
    any_used_up |= used_up(best);
    if (!used_up(best)) load(best);
  }
  return taken;
}

// ---------------------------------------------------------------- accesses

Access &add_access(Accesses &accesses, const Call &call, uint8_t arg, uint64_t bytes) {
  Access &access = accesses.add();
  access.arg = arg;
  (call.row->args[arg].role == Role::In ? access.read : access.write) = true;
  access.address = call.address(arg);
  access.bytes = uint32_t(bytes);
  return access;
}

std::optional<Violation> check_types(const Call &call, const CoreState *) {
  const DType first = call.dtype(call.lay->tensor[0]);
  for (unsigned i = 1; i < call.lay->tensors; ++i) {
    const unsigned a = call.lay->tensor[i];
    const Arg &arg = call.row->args[a];
    if (arg.dtypes.bits != kScores.bits || call.dtype(a) == first) continue;
    return Violation{a, quote(arg.name, name(call.dtype(a))), std::string(name(first)) + " as " + std::string(call.row->args[0].name),
                     "give scores and records one element type; indices are uint32"};
  }
  return std::nullopt;
}
constexpr Rule score_types = {
    "R152", "one type of scores",
    "Sorting does not convert: the tensors of scores and of records of a call have one element type, float16 or float32. Source: Ascend C, "
    "sorting.",
    check_types, true};

constexpr const Rule *kRules[] = {&argument_dtype, &score_types,        &in_unified_buffer, &aligned_start,
                                  &value_range,    &no_partial_overlap, &inside_tensor};

// ---------------------------------------------------------------- sort32

constexpr Arg kSort32Args[] = {
    tensor("dst", Role::Out, kScores, "records: 8 bytes for each score"),
    tensor("src0", Role::In, kScores, "scores"),
    tensor("src1", Role::In, DType::UInt32, "indices"),
    kRepeatTime,
};
constexpr Form kSort32Forms[] = {{"Sort32<$T>($dst, $src0, $src1, $repeat_time)"}};

uint32_t groups_of(const Call &call) { return uint8_t(call.value(index_of(call.row->args, "repeat_time"))); }
uint64_t sort32_repeats(const Call &call) { return groups_of(call); }

void sort32_access(const Call &call, const CoreState &, Accesses &accesses) {
  const uint32_t records = groups_of(call) * kGroup;
  if (records == 0) return;
  add_access(accesses, call, 1, records * size_of(call.dtype(0)));
  add_access(accesses, call, 2, records * sizeof(uint32_t));
  add_access(accesses, call, 0, records * kRecordBytes);
}
void sort32(Exec &e) { sort_groups(e.data[0], e.data[1], e.data[2], groups_of(e.call), e.call.dtype(0)); }

// ---------------------------------------------------------------- sort

constexpr Arg kSortArgs[] = {
    tensor("dst", Role::Out, kScores, "records: 8 bytes for each score"),
    tensor("concat", Role::In, kScores, "scores"),
    tensor("index", Role::In, DType::UInt32, "indices"),
    tensor("tmp", Role::Out, kScores, "work buffer of a full sort, as large as dst; holds garbage afterwards"),
    kRepeatTime,
    {.name = "is_full_sort", .kind = ArgKind::Flag, .default_value = 0, .doc = "True: one list of all records; False: one of each group"},
};
constexpr uint8_t kFullSort = index_of(kSortArgs, "is_full_sort");
constexpr Form kSortForms[] = {{"Sort<$T, $is_full_sort>($dst, $concat, $index, $tmp, $repeat_time)"}};

bool merges(const Call &call) { return call.value(kFullSort) && groups_of(call) > 1; }

/// Of sort32, and of as many merges of all records as it takes to make one list of four at a time.
uint64_t sort_repeats(const Call &call) {
  uint64_t rounds = 1;
  if (merges(call))
    for (uint32_t lists = groups_of(call); lists > 1; lists = (lists + kLists - 1) / kLists) ++rounds;
  return rounds * groups_of(call);
}

void sort_access(const Call &call, const CoreState &core, Accesses &accesses) {
  sort32_access(call, core, accesses);
  if (merges(call)) add_access(accesses, call, 3, groups_of(call) * kGroupBytes).garbage = true;
}

void sort(Exec &e) {
  const DType dtype = e.call.dtype(0);
  sort32(e);
  if (!merges(e.call)) return;
  const uint32_t records = groups_of(e.call) * kGroup;
  std::vector<std::byte> from(size_t(records) * kRecordBytes);
  for (uint32_t length = kGroup; length < records; length *= kLists) {
    std::memcpy(from.data(), e.data[0], from.size());
    for (uint32_t start = 0; start < records; start += kLists * length) {
      std::array<List, kLists> lists;
      unsigned n = 0;
      for (uint32_t at = start; n < kLists && at < records; at += length)
        lists[n++] = {from.data() + size_t(at) * kRecordBytes, std::min(length, records - at)};
      merge({lists.data(), n}, false, dtype, e.data[0] + size_t(start) * kRecordBytes);
    }
  }
  std::memset(e.data[3], 0xFF, from.size());
}

// ---------------------------------------------------------------- mrg_sort

constexpr Arg list(std::string_view name, std::string_view keyword, bool follows, std::string_view doc) {
  return {.name = name,
          .kind = ArgKind::Local,
          .dtypes = kScores,
          .type = "MrgSortSrcList",
          .doc = doc,
          .python = keyword,
          .follows = follows,
          .own_alignment = true};
}
constexpr Arg kMergeArgs[] = {
    tensor("dst", Role::Out, kScores, "merged records"),
    list("src1", "sort_list", false, "two to four lists of records"),
    list("src2", "sort_list", true, "second list"),
    list("src3", "sort_list", true, "third list"),
    list("src4", "sort_list", true, "fourth list"),
    {.name = "params",
     .kind = ArgKind::Struct,
     .type = "MrgSort4Info",
     .doc = "lengths of the lists, which of them take part, and how often"},
    {.name = "element_count_list",
     .kind = ArgKind::List,
     .dtypes = DType::UInt16,
     .low = 0,
     .high = 4095,
     .doc = "records in each of the four lists",
     .length = kShortList},
    {.name = "sorted_num",
     .kind = ArgKind::List,
     .dtypes = DType::UInt32,
     .doc = "a list of four, which stays as it is: the records taken from each list are the result of the call",
     .length = kShortList},
    {.name = "valid_bit",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt16,
     .low = 0,
     .high = 15,
     .doc = "which lists take part: 3, 7 or 15 for the first two, three or four"},
    {.name = "repeat_time", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 255, .doc = "number of merges"},
    {.name = "is_exhausted_suspension", .kind = ArgKind::Flag, .default_value = 0, .doc = "whether to stop as soon as a list is used up"},
};
constexpr uint8_t kFirstList = index_of(kMergeArgs, "src1"), kParams = index_of(kMergeArgs, "params"),
                  kCounts = index_of(kMergeArgs, "element_count_list"), kValid = index_of(kMergeArgs, "valid_bit"),
                  kTimes = index_of(kMergeArgs, "repeat_time"), kSuspend = index_of(kMergeArgs, "is_exhausted_suspension");

constexpr Form kMergeForms[] = {
    {"MrgSort<$T>($dst, AscendC::MrgSortSrcList<$T>($src1, $src2, $src1, $src1), $params)", {}, 0},
    {"MrgSort<$T>($dst, AscendC::MrgSortSrcList<$T>($src1, $src2, $src3, $src1), $params)", {}, 0},
    {"MrgSort<$T>($dst, AscendC::MrgSortSrcList<$T>($src1, $src2, $src3, $src4), $params)", {}, 0},
    {"MrgSort<$T, $is_exhausted_suspension>($dst, AscendC::MrgSortSrcList<$T>($src1, $src2, $src1, $src1), $element_count_list, $result, "
     "$valid_bit, $repeat_time)",
     "sorted_num", kLists},
    {"MrgSort<$T, $is_exhausted_suspension>($dst, AscendC::MrgSortSrcList<$T>($src1, $src2, $src3, $src1), $element_count_list, $result, "
     "$valid_bit, $repeat_time)",
     "sorted_num", kLists},
    {"MrgSort<$T, $is_exhausted_suspension>($dst, AscendC::MrgSortSrcList<$T>($src1, $src2, $src3, $src4), $element_count_list, $result, "
     "$valid_bit, $repeat_time)",
     "sorted_num", kLists},
};

struct Merge {
  std::array<uint32_t, kLists> lengths;
  uint32_t valid, repeats;
  bool suspend, known = true;
  unsigned given, lists = 0; // tensors of the call, and those that take part

  explicit Merge(const Call &call) {
    const bool by_struct = call.has(kParams);
    const auto take = [&](uint8_t arg, unsigned part) {
      known &= call.known(arg, part);
      return uint32_t(call.value(arg, part));
    };
    for (unsigned i = 0; i < kLists; ++i) lengths[i] = take(by_struct ? kParams : kCounts, i);
    suspend = by_struct ? take(kParams, kLists) : call.value(kSuspend);
    valid = by_struct ? take(kParams, kLists + 1) : take(kValid, 0);
    repeats = by_struct ? take(kParams, kLists + 2) : take(kTimes, 0);
    given = call.has(kFirstList + 3) ? 4 : call.has(kFirstList + 2) ? 3 : 2;
    while (lists < given && valid >> lists & 1) ++lists;
  }
  uint32_t records() const {
    uint32_t sum = 0;
    for (unsigned i = 0; i < lists; ++i) sum += lengths[i];
    return sum;
  }
};

void merge_access(const Call &call, const CoreState &, Accesses &accesses) {
  const Merge m(call);
  if (m.repeats == 0 || m.records() == 0) return;
  uint32_t written = m.records();
  std::array<List, kLists> lists;
  bool known = true;
  for (unsigned i = 0; i < m.lists; ++i) {
    const uint8_t arg = uint8_t(kFirstList + i);
    Access &access = add_access(accesses, call, arg, m.lengths[i] * kRecordBytes);
    access.repeats = m.repeats;
    access.repeat_stride = int64_t(m.records()) * kRecordBytes;
    lists[i] = {m.suspend && known ? accesses.bytes_at(call.address(arg), m.lengths[i] * kRecordBytes) : nullptr, m.lengths[i]};
    known &= lists[i].records != nullptr;
  }
  if (m.suspend && known) { // how far a merge comes stands in memory
    written = 0;
    for (uint32_t taken : merge({lists.data(), m.lists}, true, call.dtype(0), nullptr)) written += taken;
  }
  add_access(accesses, call, 0, uint64_t(written) * m.repeats * kRecordBytes);
}

void mrg_sort(Exec &e) {
  const Merge m(e.call);
  std::array<uint32_t, kLists> taken = {};
  for (uint32_t r = 0; r < m.repeats && m.records(); ++r) {
    const size_t step = size_t(r) * m.records() * kRecordBytes;
    std::array<List, kLists> lists;
    for (unsigned i = 0; i < m.lists; ++i) lists[i] = {e.data[kFirstList + i] + step, m.lengths[i]};
    taken = merge({lists.data(), m.lists}, m.suspend, e.call.dtype(0), e.data[0] + step);
  }
  if (m.repeats > 0)
    for (unsigned i = 0; i < kLists; ++i) e.core.found.merged[i] = uint16_t(taken[i]);
  e.result = e.core.found.merged[0];
  for (unsigned i = 1; i < kLists; ++i) e.further_results[i - 1] = e.core.found.merged[i];
}

uint64_t merge_repeats(const Call &call) {
  const Merge m(call);
  return (uint64_t(m.repeats) * m.records() + kGroup - 1) / kGroup;
}

std::optional<Violation> check_merge(const Call &call, const CoreState *) {
  const Merge m(call);
  const uint8_t valid = call.has(kParams) ? kParams : kValid;
  for (unsigned i = 0; i < m.given; ++i) {
    const uint8_t arg = uint8_t(kFirstList + i);
    if (!call.known(arg) || call.address(arg).memory() != Memory::UB || call.address(arg).offset() % kRecordBytes == 0) continue;
    return Violation{arg, std::string(kMergeArgs[arg].name) + " starts at byte " + std::to_string(call.address(arg).offset()),
                     "a multiple of 8 bytes", "start at a whole record"};
  }
  const bool valid_known = call.has(kParams) ? call.known(kParams, kLists + 1) : call.known(kValid);
  if (valid_known && ((m.valid != 3 && m.valid != 7 && m.valid != 15) || m.lists != unsigned(std::popcount(m.valid))))
    return Violation{valid, quote("valid_bit", std::to_string(m.valid)) + " for " + std::to_string(m.given) + " lists",
                     m.given == 2   ? "3"
                     : m.given == 3 ? "3 or 7"
                                    : "3, 7 or 15",
                     "set the lowest bits, one for each list that takes part"};
  if (!m.known || m.repeats <= 1) return std::nullopt;
  bool adjacent = m.lists == kLists && !m.suspend;
  for (unsigned i = 1; i < m.lists; ++i) {
    adjacent &= m.lengths[i] == m.lengths[0];
    const uint8_t arg = uint8_t(kFirstList + i);
    if (call.known(arg) && call.known(kFirstList))
      adjacent &= call.address(arg).offset() == call.address(kFirstList).offset() + int64_t(i) * m.lengths[0] * kRecordBytes;
  }
  if (adjacent) return std::nullopt;
  return Violation{call.has(kParams) ? kParams : kTimes, std::to_string(m.repeats) + " merges in one call",
                   "1, or four lists of equal length, one behind the other, without suspension", "make a call for each merge"};
}
constexpr Rule merges_of_lists = {
    "R153", "lists of a merge",
    "mrg_sort merges the first two, three or four lists (valid_bit 3, 7 or 15) that it is given; each starts at a whole record of 8 bytes. "
    "Several merges in one call take four lists of equal length that lie one behind the other, without suspension. Source: Ascend C, MrgSort.",
    check_merge};
constexpr const Rule *kMergeRules[] = {&argument_dtype, &score_types,     &in_unified_buffer,  &aligned_start,
                                       &value_range,    &merges_of_lists, &no_partial_overlap, &inside_tensor};

// ---------------------------------------------------------------- results of a merge

constexpr Form kResultForms[] = {{"GetMrgSortResult($result[0], $result[1], $result[2], $result[3])", {}, kLists}};

void merge_result(Exec &e) {
  e.result = e.core.found.merged[0];
  for (unsigned i = 1; i < kLists; ++i) e.further_results[i - 1] = e.core.found.merged[i];
}

/// No register changes; but the call is another one each time.
void nothing(const Call &, CoreState &) {}

// ---------------------------------------------------------------- concat and extract

constexpr Arg kConcatArgs[] = {
    tensor("dst", Role::Out, kScores, "becomes another name of src"),
    tensor("src", Role::In, kScores, "scores"),
    tensor("tmp", Role::In, kScores, "not used by these cores"),
    kRepeatTime,
};
constexpr Form kConcatForms[] = {{"Concat<$T>($dst, $src, $tmp, $repeat_time)"}};
constexpr const Rule *kConcatRules[] = {&argument_dtype, &score_types, &in_unified_buffer, &aligned_start, &value_range};
void no_access(const Call &, const CoreState &, Accesses &) {}
void concat(Exec &) {}

constexpr Arg kExtractArgs[] = {
    tensor("dst_value", Role::Out, kScores, "scores"),
    tensor("dst_index", Role::Out, DType::UInt32, "indices"),
    tensor("src", Role::In, kScores, "records"),
    kRepeatTime,
};
constexpr Form kExtractForms[] = {{"Extract<$T>($dst_value, $dst_index, $src, $repeat_time)"}};

void extract_access(const Call &call, const CoreState &, Accesses &accesses) {
  const uint32_t records = groups_of(call) * kGroup, size = size_of(call.dtype(0));
  if (records == 0) return;
  const auto add_parts = [&](uint32_t start, uint32_t bytes) {
    Access &access = add_access(accesses, call, 2, bytes);
    access.start = start, access.blocks = records, access.block_stride = kRecordBytes;
  };
  if (size == sizeof(float)) {
    add_access(accesses, call, 2, records * kRecordBytes);
  } else { // without the reserved bytes
    add_parts(0, size);
    add_parts(4, sizeof(uint32_t));
  }
  add_access(accesses, call, 0, records * size);
  add_access(accesses, call, 1, records * sizeof(uint32_t));
}

/// What gather_mask leaves, which extract consists of (assumption "registers after extract").
void extract_registers(const Call &, CoreState &core) {
  core.counter_mode = false;
  core.mask_lo = core.mask_hi = 0;
}

void extract(Exec &e) {
  const uint32_t records = groups_of(e.call) * kGroup, size = size_of(e.call.dtype(0));
  for (uint32_t i = 0; i < records; ++i) {
    const std::byte *record = e.data[2] + i * kRecordBytes;
    std::memcpy(e.data[0] + i * size, record, size);
    std::memcpy(e.data[1] + i * sizeof(uint32_t), record + 4, sizeof(uint32_t));
  }
  e.core.found.gathered = records;
  extract_registers(e.call, e.core);
}

uint64_t extract_repeats(const Call &call) { return groups_of(call); }

// ---------------------------------------------------------------- lengths

constexpr Arg length_arg(std::string_view name, std::string_view doc) {
  return {.name = name, .kind = ArgKind::Int, .dtypes = DType::UInt32, .low = 0, .high = UINT32_MAX, .doc = doc};
}
constexpr Arg kScoreType = {.name = "dtype",
                            .kind = ArgKind::Type,
                            .dtypes = kScores,
                            .default_value = int64_t(DType::Float32),
                            .doc = "element type of the records"};
constexpr Arg kLengthArgs[] = {length_arg("elem_count", "number of scores"), kScoreType};
constexpr Arg kOffsetArgs[] = {length_arg("elem_offset", "number of scores in front"), kScoreType};
constexpr Form kLengthForms[] = {{"GetSortLen<$dtype>($elem_count)"}}, kOffsetForms[] = {{"GetSortOffset<$dtype>($elem_offset)"}};
constexpr const Rule *kLengthRules[] = {&argument_dtype, &value_range};

void elements_of_records(Exec &e) { e.result = uint32_t(e.call.at(0).bits * kRecordBytes / size_of(DType(e.call.value(1)))); }

// ---------------------------------------------------------------- what these cores lack

constexpr std::string_view kInstead = "these cores sort records of 8 bytes: use sort32, mrg_sort, sort and asc.adv.extract";
constexpr Arg kProposals[] = {
    tensor("dst", Role::Out, kScores, "region proposals"),
    tensor("src", Role::In, kScores, "source"),
    kRepeatTime,
    {.name = "mode_number", .kind = ArgKind::Int, .dtypes = DType::Int32, .low = 0, .high = 5, .doc = "field of a region proposal"},
};
constexpr Arg kMerge4[] = {
    tensor("dst", Role::Out, kScores, "merged region proposals"),
    list("src1", "src", false, "four lists of region proposals"),
    list("src2", "src", true, "second list"),
    list("src3", "src", true, "third list"),
    list("src4", "src", true, "fourth list"),
    {.name = "params",
     .kind = ArgKind::Struct,
     .type = "MrgSort4Info",
     .doc = "lengths of the lists, which of them take part, and how often"},
};
constexpr Form kMerge4Forms[] = {{"MrgSort4<$T>($dst, AscendC::MrgSortSrcList<$T>($src1, $src2, $src3, $src4), $params)"}},
               kSort16Forms[] = {{"RpSort16($dst, $src, $repeat_time)"}},
               kPutForms[] = {{"ProposalConcat($dst, $src, $repeat_time, $mode_number)"}},
               kGetForms[] = {{"ProposalExtract($dst, $src, $repeat_time, $mode_number)"}};

constexpr Row kRows[] = {
    {.name = "sort32",
     .ascendc = "Sort32",
     .pipe = Pipe::V,
     .args = kSort32Args,
     .forms = kSort32Forms,
     .rules = kRules,
     .cost = {CostShape::Vector, "sort32", sort32_repeats},
     .access = sort32_access,
     .run = sort32,
     .precision = &precision::exact,
     .doc =
         "Sorts groups of 32 scores with their indices into records, in descending order; of equal scores the first one stays first, and "
         "a NaN comes before all else. A record of float32 is the score and the index; one of float16 has two bytes of 0 between them.",
     .source = "Ascend C, Sort32"},
    {.name = "mrg_sort",
     .ascendc = "MrgSort",
     .pipe = Pipe::V,
     .args = kMergeArgs,
     .forms = kMergeForms,
     .rules = kMergeRules,
     .result = DType::UInt32,
     .cost = {CostShape::Vector, "mrg_sort", merge_repeats},
     .access = merge_access,
     .run = mrg_sort,
     .precision = &precision::exact,
     .doc =
         "Merges two to four lists of records in descending order into one; of equal scores that of the first list comes first. With "
         "suspension it stops as soon as one list is used up; get_mrg_sort_result() tells how many records each list gave. The form with "
         "an element_count_list waits for that and gives them back, as four numbers.",
     .source = "Ascend C, MrgSort"},
    {.name = "get_mrg_sort_result",
     .ascendc = "GetMrgSortResult",
     .pipe = Pipe::V,
     .forms = kResultForms,
     .result = DType::UInt16,
     .run = merge_result,
     .registers = nothing,
     .doc = "How many records the last mrg_sort took from each of its four lists; waits until it has ended.",
     .source = "Ascend C, GetMrgSortResult"},
    {.name = "sort",
     .ascendc = "Sort",
     .pipe = Pipe::V,
     .args = kSortArgs,
     .forms = kSortForms,
     .rules = kRules,
     .cost = {CostShape::Vector, "sort32", sort_repeats},
     .access = sort_access,
     .run = sort,
     .precision = &precision::exact,
     .doc = "Sorts scores with their indices into records, in descending order, as sort32 does: groups of 32, or with is_full_sort all "
            "repeat_time * 32 of them. dst and the work buffer of a full sort have 8 bytes for each score.",
     .source = "Ascend C, Sort"},
    {.name = "concat",
     .ascendc = "Concat",
     .pipe = Pipe::V,
     .args = kConcatArgs,
     .forms = kConcatForms,
     .rules = kConcatRules,
     .access = no_access,
     .run = concat,
     .precision = &precision::exact,
     .doc = "Prepares scores for sort. On these cores nothing is to be done: dst becomes another name of src.",
     .source = "Ascend C, Concat",
     .aliases = true},
    {.name = "extract",
     .ascendc = "Extract",
     .pipe = Pipe::V,
     .args = kExtractArgs,
     .forms = kExtractForms,
     .rules = kRules,
     .cost = {CostShape::Vector, "extract", extract_repeats},
     .access = extract_access,
     .run = extract,
     .registers = extract_registers,
     .precision = &precision::exact,
     .doc = "Takes sorted records apart: dst_value[i] = score of record i, dst_index[i] = its index, for repeat_time * 32 records.",
     .source = "Ascend C, Extract"},
    {.name = "get_sort_len",
     .ascendc = "GetSortLen",
     .args = kLengthArgs,
     .forms = kLengthForms,
     .rules = kLengthRules,
     .result = DType::UInt32,
     .pure = true,
     .run = elements_of_records,
     .doc = "Elements that the records of that many scores take: 4 of float16 or 2 of float32 for each.",
     .source = "Ascend C, GetSortLen"},
    {.name = "get_sort_offset",
     .ascendc = "GetSortOffset",
     .args = kOffsetArgs,
     .forms = kOffsetForms,
     .rules = kLengthRules,
     .result = DType::UInt32,
     .pure = true,
     .run = elements_of_records,
     .doc = "Where the record of that score starts, in elements: 4 of float16 or 2 of float32 for each record in front of it.",
     .source = "Ascend C, GetSortOffset"},
    {.name = "mrg_sort4",
     .ascendc = "MrgSort4",
     .pipe = Pipe::V,
     .args = kMerge4,
     .forms = kMerge4Forms,
     .doc = "Merges lists of region proposals. Not on these chips.",
     .source = "Ascend C, MrgSort4",
     .instead = kInstead},
    {.name = "rp_sort16",
     .ascendc = "RpSort16",
     .pipe = Pipe::V,
     .args = std::span(kProposals).first<3>(),
     .forms = kSort16Forms,
     .doc = "Sorts groups of 16 region proposals. Not on these chips.",
     .source = "Ascend C, RpSort16",
     .instead = kInstead},
    {.name = "proposal_concat",
     .ascendc = "ProposalConcat",
     .pipe = Pipe::V,
     .args = kProposals,
     .forms = kPutForms,
     .doc = "Puts values into a field of region proposals. Not on these chips.",
     .source = "Ascend C, ProposalConcat",
     .instead = kInstead},
    {.name = "proposal_extract",
     .ascendc = "ProposalExtract",
     .pipe = Pipe::V,
     .args = kProposals,
     .forms = kGetForms,
     .doc = "Takes a field out of region proposals. Not on these chips.",
     .source = "Ascend C, ProposalExtract",
     .instead = kInstead},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> sort_rows() { return kRows; }

} // namespace asc
