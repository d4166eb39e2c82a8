// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The caches of a core: that of the scalar unit for data, which no other core and no pipe keeps up to date (01-memory section 4.3), and
// that for instructions (06-data-movement section 11).
#include "apis/cache.h"
#include "apis/families.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

namespace asc {
namespace {

constexpr DTypes kAny = [] {
  DTypes all;
  for (unsigned t = 1; t < kDTypes; ++t) all = all | DTypes(DType(t));
  return all;
}();

enum CacheLineKind : uint8_t { SingleLine, EntireCache };
enum DcciDst : uint8_t { All, UnifiedBuffer, Out, AtomicLines };

constexpr Arg kWhere = {
    .name = "dcci_dst", .kind = ArgKind::Enum, .type = "DcciDst", .doc = "lines of which memory; CACHELINE_OUT: of global memory"};
constexpr Arg kCleanArgs[] = {
    {.name = "entire_type", .kind = ArgKind::Enum, .type = "CacheLine", .doc = "the line that dst begins in, or the whole cache"},
    kWhere,
    {.name = "dst", .kind = ArgKind::Global, .dtypes = kAny, .doc = "its first element is in the line"},
    {.name = "dcci_last", .kind = ArgKind::Enum, .type = "DcciDst", .doc = kWhere.doc, .python = "dcci_dst"}};
constexpr uint8_t kEntire = index_of(kCleanArgs, "entire_type"), kFirst = index_of(kCleanArgs, "dcci_dst"),
                  kDst = index_of(kCleanArgs, "dst"), kLast = index_of(kCleanArgs, "dcci_last");
constexpr Form kCleanForms[] = {{"DataCacheCleanAndInvalid<$T, $entire_type, $dcci_dst>($dst)"},
                                {"DataCacheCleanAndInvalid<$T, $entire_type>($dst)"},
                                {"DataCacheCleanAndInvalid<$T, $entire_type, $dcci_last>($dst)"}};

std::optional<Violation> check_destination(const Call &call, const CoreState *) {
  const uint8_t arg = call.has(kFirst) ? kFirst : kLast;
  if (!call.has(arg) || call.value(arg) != AtomicLines) return std::nullopt;
  return Violation{arg, quote("dcci_dst", "CACHELINE_ATOMIC"), "CACHELINE_ALL, CACHELINE_UB or CACHELINE_OUT",
                   "use asc.DcciDst.CACHELINE_OUT for global memory"};
}
constexpr Rule clean_destination = {
    "R161", "memory of cache lines",
    "These cores clean and invalidate cache lines of global memory and of the unified buffer. Source: Ascend C, "
    "DataCacheCleanAndInvalid.",
    check_destination};
constexpr const Rule *kCleanRules[] = {&clean_destination};

constexpr Arg kPreloadArgs[] = {{.name = "src", .kind = ArgKind::Global, .dtypes = DType::UInt64, .doc = "where to load from"},
                                {.name = "cache_offset",
                                 .kind = ArgKind::Int,
                                 .dtypes = DType::Int64,
                                 .doc = "bytes from the start of src to what is loaded",
                                 .moves = true}};
constexpr uint8_t kSrc = index_of(kPreloadArgs, "src"), kOffset = index_of(kPreloadArgs, "cache_offset");
constexpr Form kPreload[] = {{"DataCachePreload($src, $cache_offset)"}};
constexpr const Rule *kPreloadRules[] = {&argument_dtype};

constexpr Arg kInstructionArgs[] = {{.name = "pre_fetch_len",
                                     .kind = ArgKind::Int,
                                     .dtypes = DType::Int64,
                                     .low = 0,
                                     .high = INT64_MAX,
                                     .doc = "how much, in units of 2 KiB"}};
constexpr Form kInstructions[] = {{"ICachePreLoad($pre_fetch_len)"}}, kStatus[] = {{"GetICachePreloadStatus()"}};
constexpr const Rule *kInstructionRules[] = {&value_range};

void nothing(Exec &) {}

constexpr Row kRows[] = {
    {.name = "data_cache_clean_and_invalid",
     .ascendc = "DataCacheCleanAndInvalid",
     .args = kCleanArgs,
     .forms = kCleanForms,
     .rules = kCleanRules,
     .varies = true,
     .run = nothing,
     .doc =
         "Writes a line (64 bytes) of the scalar unit's data cache back to global memory, if it has been written to, and forgets it: others "
         "see what get_value and set_value have done, and the next get_value sees what others have done.",
     .source = "Ascend C, DataCacheCleanAndInvalid"},
    {.name = "data_cache_preload",
     .ascendc = "DataCachePreload",
     .args = kPreloadArgs,
     .forms = kPreload,
     .rules = kPreloadRules,
     .varies = true,
     .run = nothing,
     .doc = "Loads a line of global memory into the scalar unit's data cache, for get_value to find it there.",
     .source = "Ascend C, DataCachePreload"},
    {.name = "icache_preload",
     .ascendc = "ICachePreLoad",
     .args = kInstructionArgs,
     .forms = kInstructions,
     .rules = kInstructionRules,
     .varies = true,
     .run = nothing,
     .doc = "Loads the instructions that follow into the cache; the simulator has all of them there.",
     .source = "Ascend C, ICachePreLoad"},
    {.name = "get_icache_preload_status",
     .ascendc = "GetICachePreloadStatus",
     .forms = kStatus,
     .result = DType::Int64,
     .varies = true,
     .run = [](Exec &e) { e.result = 0; },
     .doc = "1 while icache_preload is at work, else 0; in the simulator always 0.",
     .source = "Ascend C, GetICachePreloadStatus"},
};
static_assert(check_rows(kRows));

} // namespace

CacheAction cache_action(const Call &call) {
  if (call.row == &kRows[1]) return {CacheAction::Load, call.address(kSrc).moved(call.value(kOffset)).value_or(call.address(kSrc))};
  if (call.row != &kRows[0]) return {};
  const uint8_t where = call.has(kFirst) ? kFirst : kLast;
  if (call.has(where) && call.value(where) != All && call.value(where) != Out) return {};
  return {call.value(kEntire) == EntireCache ? CacheAction::CleanAll : CacheAction::Clean, call.address(kDst)};
}

std::span<const Row> cache_rows() { return kRows; }

} // namespace asc
