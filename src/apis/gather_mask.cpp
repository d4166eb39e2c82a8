// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gather_mask: the elements that a pattern selects, one behind the other.
#include "apis/families.h"
#include "apis/precision.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

constexpr DTypes kElements =
    DType::Int16 | DType::UInt16 | DType::Float16 | DType::BFloat16 | DType::Int32 | DType::UInt32 | DType::Float32;

constexpr Arg kArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kElements, .doc = "the elements that are kept"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = kElements, .doc = "elements to choose from"},
    {.name = "src1_pattern",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt8,
     .low = 1,
     .high = 7,
     .doc = "1 keeps the even elements of a repeat, 2 the odd ones, 3 to 6 element 0, 1, 2 or 3 of every four, 7 all"},
    {.name = "pattern_bits",
     .kind = ArgKind::Local,
     .dtypes = DType::UInt16 | DType::UInt32,
     .doc = "a bit for each element of a repeat, the lowest first: uint16 for 16-bit elements, uint32 for 32-bit ones",
     .python = "src1_pattern"},
    {.name = "reduce_mode",
     .kind = ArgKind::Int,
     .dtypes = DType::Bool,
     .doc = "False: repeats of 256 bytes; True: repeats of `mask` elements"},
    {.name = "mask",
     .kind = ArgKind::Int,
     .dtypes = DType::UInt32,
     .low = 0,
     .high = UINT32_MAX,
     .doc = "elements of a repeat with reduce_mode, which may be more than 256 bytes have"},
    {.name = "params", .kind = ArgKind::Struct, .type = "GatherMaskParams", .doc = "repeats and strides"},
    {.name = "gather_mask_mode", .kind = ArgKind::Enum, .type = "GatherMaskMode", .default_value = 0, .doc = "the only mode"},
};
constexpr uint8_t kDst = 0, kSrc = 1, kPattern = index_of(kArgs, "src1_pattern"), kBits = index_of(kArgs, "pattern_bits"),
                  kMode = index_of(kArgs, "reduce_mode"), kMask = index_of(kArgs, "mask"), kParams = index_of(kArgs, "params");

constexpr Form kForms[] = {
    {"GatherMask($dst, $src0, $src1_pattern, $reduce_mode, $mask, $params, $result)", "gather_mask_mode"},
    {"GatherMask($dst, $src0, $pattern_bits, $reduce_mode, $mask, $params, $result)", "gather_mask_mode", 1, "gather_mask_custom"},
};

// ---------------------------------------------------------------- geometry

struct Gather {
  static constexpr unsigned kNothing = 255;

  uint32_t size, repeats;
  uint64_t scan; // elements of a repeat
  int64_t block_stride, repeat_stride, pattern_stride;
  unsigned pattern; // 0: bits of a tensor; beyond 7: nothing

  explicit Gather(const Call &call) {
    size = size_of(call.dtype(kSrc));
    scan = call.value(kMode) ? uint32_t(call.value(kMask)) : kRepeatBytes / size;
    block_stride = int64_t(uint8_t(call.value(kParams, 0))) * kBlockBytes;
    repeats = scan ? uint16_t(call.value(kParams, 1)) : 0;
    repeat_stride = int64_t(uint16_t(call.value(kParams, 2))) * kBlockBytes;
    pattern_stride = int64_t(uint8_t(call.value(kParams, 3))) * kBlockBytes;
    pattern = !call.has(kPattern) ? 0 : call.value(kPattern) ? unsigned(uint8_t(call.value(kPattern))) : kNothing;
  }
  uint64_t pattern_bytes() const { return (scan + 7) / 8; }
  /// Bytes from the start of src0 and of the pattern to the end of the last repeat.
  int64_t reach() const {
    const uint64_t per_block = kBlockBytes / size;
    return int64_t(repeats - 1) * repeat_stride + int64_t((scan - 1) / per_block) * block_stride + kBlockBytes;
  }
  int64_t pattern_reach() const { return int64_t(repeats - 1) * pattern_stride + int64_t(pattern_bytes()); }
  bool selects(uint64_t element, const std::byte *bits) const {
    switch (pattern) {
    case 0: return uint8_t(bits[element / 8]) >> element % 8 & 1;
    case 1:
    case 2: return element % 2 == pattern - 1;
    case 7: return true;
    default: return element % 4 == pattern - 3;
    }
  }
  /// Byte offsets of the elements that are kept, in order; at most `most` of them.
  void selected(const std::byte *bits, size_t most, std::vector<uint32_t> &offsets) const {
    offsets.clear();
    const uint64_t per_block = kBlockBytes / size;
    for (uint32_t r = 0; r < repeats; ++r)
      for (uint64_t i = 0; i < scan; ++i) {
        if (!selects(i, bits + (pattern ? 0 : r * pattern_stride))) continue;
        if (offsets.size() == most) return;
        offsets.push_back(uint32_t(r * repeat_stride + int64_t(i / per_block) * block_stride + int64_t(i % per_block * size)));
      }
  }
};

/// More elements than that are in no memory of the core: what reaches further is refused before it runs.
constexpr int64_t kMostBytes = info(Memory::UB).bytes;
constexpr uint64_t kMostSteps = 1 << 24;

/// Where the elements are that a call keeps; nothing when that stands in memory that is not known, or is beyond all bounds.
const std::vector<uint32_t> *kept(const Gather &g, const std::byte *bits) {
  static thread_local std::vector<uint32_t> offsets; // accesses point to it until the next call
  if (g.reach() > kMostBytes || (g.pattern == 0 && !bits) || g.scan * g.repeats > kMostSteps) return nullptr;
  g.selected(bits, size_t(kMostBytes / g.size) + 1, offsets);
  return &offsets;
}

void access(const Call &call, const CoreState &, Accesses &accesses) {
  const Gather g(call);
  if (g.repeats == 0) return;
  const auto add = [&](uint8_t arg, int64_t bytes) -> Access & {
    Access &access = accesses.add();
    access.arg = arg;
    access.read = arg != kDst, access.write = arg == kDst;
    access.address = call.address(arg);
    access.bytes = uint32_t(std::min<int64_t>(bytes, UINT32_MAX));
    return access;
  };
  const std::byte *bits = nullptr;
  if (g.pattern == 0) {
    add(kBits, g.pattern_reach());
    if (g.pattern_reach() <= kMostBytes) bits = accesses.bytes_at(call.address(kBits), uint64_t(g.pattern_reach()));
  }
  if (const std::vector<uint32_t> *offsets = kept(g, bits)) {
    if (offsets->empty()) return;
    Access &src = add(kSrc, g.size);
    src.blocks = uint32_t(offsets->size());
    src.at_offsets(reinterpret_cast<const std::byte *>(offsets->data()));
    add(kDst, int64_t(offsets->size()) * g.size);
    return;
  }
  add(kSrc, g.reach());
  add(kDst, int64_t(std::min<uint64_t>(g.scan * g.repeats, UINT32_MAX)) * g.size);
}

uint64_t repeats(const Call &call) {
  const Gather g(call);
  const uint64_t lanes = kRepeatBytes / g.size;
  return g.repeats * ((g.scan + lanes - 1) / lanes);
}

void registers(const Call &call, CoreState &core) {
  core.counter_mode = false;
  core.mask_lo = uint32_t(call.value(kMask)), core.mask_hi = 0;
}

// ---------------------------------------------------------------- the instruction

void gather_mask(Exec &e) {
  const Gather g(e.call);
  size_t n = 0;
  if (g.repeats > 0) {
    // A repeat is read before its elements are written.
    const std::vector<uint32_t> *offsets = kept(g, g.pattern ? nullptr : e.data[kBits]);
    std::vector<std::byte> elements(offsets ? offsets->size() * g.size : 0);
    n = offsets ? offsets->size() : 0;
    for (size_t i = 0; i < n; ++i) std::memcpy(elements.data() + i * g.size, e.data[kSrc] + (*offsets)[i], g.size);
    if (n != 0) std::memcpy(e.data[kDst], elements.data(), elements.size());
  }
  e.result = e.core.found.gathered = n;
  registers(e.call, e.core);
}

void remain_count(Exec &e) { e.result = e.core.found.gathered; }
/// No register changes; but the call is another one each time.
void nothing(const Call &, CoreState &) {}

// ---------------------------------------------------------------- rules

std::optional<Violation> check_pattern(const Call &call, const CoreState *) {
  if (call.dtype(kDst) != call.dtype(kSrc))
    return Violation{kSrc, quote("src0", name(call.dtype(kSrc))), std::string(name(call.dtype(kDst))) + " as dst",
                     "give both one element type"};
  if (call.has(kBits) && size_of(call.dtype(kBits)) != size_of(call.dtype(kSrc)))
    return Violation{kBits, quote("src1_pattern", name(call.dtype(kBits))), size_of(call.dtype(kSrc)) == 2 ? "uint16" : "uint32",
                     "use a pattern of elements as wide as those of src0"};
  const Gather g(call);
  const bool known = call.known(kMode) && call.known(kMask) && call.known(kParams, 1);
  if (known && g.scan * g.repeats > kMostSteps)
    return Violation{kMask, std::to_string(g.repeats) + " repeats of " + std::to_string(g.scan) + " elements",
                     "at most " + std::to_string(kMostSteps) + " elements",
                     "look at fewer elements: the unified buffer has no room for so many"};
  return std::nullopt;
}
constexpr Rule pattern = {
    "R154", "pattern of gather_mask",
    "dst and src0 have one element type, and a tensor that is the pattern has unsigned elements as wide as theirs. A call looks at 16 million "
    "elements at most. Source: Ascend C, GatherMask; the limit is that of the simulator.",
    check_pattern};
constexpr const Rule *kRules[] = {&argument_dtype, &pattern, &in_unified_buffer, &aligned_start, &value_range, &inside_tensor};
constexpr Form kCountForms[] = {{"GetGatherMaskRemainCount()"}};

constexpr Row kRows[] = {
    {.name = "gather_mask",
     .ascendc = "GatherMask",
     .pipe = Pipe::V,
     .args = kArgs,
     .forms = kForms,
     .rules = kRules,
     .result = DType::UInt64,
     .cost = {CostShape::Vector, "gather_mask", repeats},
     .access = access,
     .run = gather_mask,
     .registers = registers,
     .precision = &precision::exact,
     .doc =
         "Keeps the elements of src0 that a pattern selects, one behind the other in dst; gives back how many there are, and S waits for "
         "that. The mask registers have no influence; afterwards the mode is NORMAL and MASK is `mask`: call reset_mask() before a call "
         "with is_set_mask=False.",
     .source = "Ascend C, GatherMask"},
    {.name = "get_gather_mask_remain_count",
     .ascendc = "GetGatherMaskRemainCount",
     .pipe = Pipe::V,
     .forms = kCountForms,
     .result = DType::UInt64,
     .run = remain_count,
     .registers = nothing,
     .doc = "How many elements the last gather_mask has kept; waits until it has ended.",
     .source = "Ascend C, GetGatherMaskRemainCount"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> gather_mask_rows() { return kRows; }

} // namespace asc
