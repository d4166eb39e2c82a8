// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and functions of the shared rules.
#include "apis/rules.h"

#include "apis/row_checks.h"
#include "apis/vector.h"

#include <algorithm>

namespace asc {

std::string quote(std::string_view argument, std::string_view value) { return std::string(argument).append(" is ").append(value); }

std::string list_of(DTypes dtypes) {
  std::vector<std::string_view> names;
  for (unsigned t = 0; t < kDTypes; ++t)
    if (dtypes.has(DType(t))) names.push_back(name(DType(t)));
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text.append(i == 0 ? "" : i + 1 == names.size() ? " or " : ", ").append(names[i]);
  return text;
}

std::string place_of(const Call &call, unsigned arg) {
  const Position position = call.at(arg).position;
  return std::string(position != Position::MAX ? name(position) : info(*call.memory(arg)).name);
}

std::string per_repeat(DType dtype) {
  return std::string(name(dtype)) + " has " + std::to_string(kRepeatBytes / size_of(dtype)) + " elements in a repeat of 256 bytes";
}

namespace {

/// Calls `check(arg)` for every tensor of the call until one is violated.
template <class Check> std::optional<Violation> first_tensor(const Call &call, Check &&check) {
  for (unsigned i = 0; i < call.lay->tensors; ++i)
    if (std::optional<Violation> violation = check(call.lay->tensor[i])) return violation;
  return std::nullopt;
}

std::optional<Violation> check_argument_dtype(const Call &call, const CoreState *) {
  for (unsigned a = 0; a < call.row->args.size(); ++a) {
    const Arg &arg = call.row->args[a];
    if (arg.kind != ArgKind::Type || !call.has(a) || !call.known(a) || arg.dtypes.has(DType(call.value(a)))) continue;
    return Violation{a, quote(arg.keyword(), name(DType(call.value(a)))), list_of(arg.dtypes), "use one of these types"};
  }
  return first_tensor(call, [&](unsigned a) -> std::optional<Violation> {
    const Arg &arg = call.row->args[a];
    if (arg.dtypes.has(call.dtype(a))) return std::nullopt;
    return Violation{a, quote(arg.keyword(), name(call.dtype(a))), list_of(arg.dtypes), "use a tensor of one of these element types"};
  });
}

std::optional<Violation> check_equal_dtypes(const Call &call, const CoreState *) {
  return first_tensor(call, [&](unsigned a) -> std::optional<Violation> {
    // The first tensor with the same choice of types: bits that go with others have types of their own.
    unsigned first = 0;
    while (!call.has(first) || !call.row->args[first].is_tensor() || call.row->args[first].dtypes.bits != call.row->args[a].dtypes.bits)
      ++first;
    const DType want = call.dtype(first), got = call.dtype(a);
    if (got == want) return std::nullopt;
    const std::string_view reference = call.row->args[first].keyword();
    return Violation{a, quote(call.row->args[a].keyword(), name(got)), std::string(name(want)) + " as " + std::string(reference),
                     "give all tensors of this call one element type"};
  });
}

std::optional<Violation> check_type_pairs(const Call &call, const CoreState *) {
  const VectorArgs &args = *call.row->vector;
  const unsigned dst = args.tensors[0].arg, src = args.tensors[1].arg;
  for (unsigned t = 2; t < args.size; ++t) {
    const unsigned other = args.tensors[t].arg;
    if (call.dtype(other) == call.dtype(src)) continue;
    return Violation{other, quote(call.row->args[other].keyword(), name(call.dtype(other))),
                     std::string(name(call.dtype(src))) + " as " + std::string(call.row->args[src].keyword()),
                     "give all sources of this call one element type"};
  }
  std::string legal;
  for (const TypePair &pair : args.pairs) {
    if (pair.src == call.dtype(src) && pair.dst == call.dtype(dst)) return std::nullopt;
    if (pair.src == call.dtype(src)) legal.append(legal.empty() ? "" : " or ").append(name(pair.dst));
  }
  return Violation{dst, quote(call.row->args[dst].keyword(), name(call.dtype(dst))),
                   legal + " for sources of " + std::string(name(call.dtype(src))),
                   "change the element type of one of them; the page of the API lists the pairs"};
}

std::optional<Violation> check_in_unified_buffer(const Call &call, const CoreState *) {
  return first_tensor(call, [&](unsigned a) -> std::optional<Violation> {
    const std::optional<Memory> memory = call.memory(a);
    if (!memory || *memory == Memory::UB || call.row->args[a].kind == ArgKind::Global) return std::nullopt;
    return Violation{a, std::string(call.row->args[a].keyword()) + " is in " + place_of(call, a), "VECIN, VECOUT or VECCALC",
                     "use a local tensor at one of these positions"};
  });
}

std::optional<Violation> check_aligned_start(const Call &call, const CoreState *) {
  return first_tensor(call, [&](unsigned a) -> std::optional<Violation> {
    if (call.row->args[a].own_alignment || !call.known(a) || call.address(a).memory() != Memory::UB) return std::nullopt;
    const int64_t offset = call.address(a).offset();
    if (offset % kBlockBytes == 0) return std::nullopt;
    const std::string text = std::to_string(offset);
    return Violation{a, std::string(call.row->args[a].keyword()) + " starts at byte " + text, "a multiple of 32 bytes",
                     "start at byte " + std::to_string(offset & ~int64_t(31)) + ", or move the data so that it starts at a multiple of " +
                         std::to_string(kBlockBytes / size_of(call.dtype(a))) + " elements"};
  });
}

/// The argument and, for structs, the field that a slot belongs to.
std::pair<unsigned, std::string> owner_of(const Call &call, unsigned slot) {
  for (unsigned a = 0; a < call.row->args.size(); ++a) {
    const Arg &arg = call.row->args[a];
    if (!call.has(a) || slot < call.lay->slot[a] || slot >= call.lay->slot[a] + slots_of(arg)) continue;
    std::string text(arg.keyword());
    if (arg.kind == ArgKind::Struct || arg.kind == ArgKind::Structs)
      for_each_field(arg, [&](const Field &field, unsigned part, unsigned index, unsigned item) {
        if (part != slot - call.lay->slot[a]) return;
        if (arg.kind == ArgKind::Structs) text.append("[").append(std::to_string(item)).append("]");
        text.append(".").append(field.name);
        if (field.kind == FieldKind::List) text.append("[").append(std::to_string(index)).append("]");
      });
    return {a, text};
  }
  return {0, "slot " + std::to_string(slot)};
}

std::optional<Violation> check_value_range(const Call &call, const CoreState *) {
  for (unsigned s = 0; s < call.lay->slots; ++s) {
    const auto [low, high] = call.lay->limits[s];
    const int64_t value = int64_t(call.slots[s].bits);
    if (!call.slots[s].known || (low <= value && value <= high)) continue;
    const auto [arg, text] = owner_of(call, s);
    return Violation{arg, quote(text, std::to_string(value)),
                     high == INT64_MAX ? "at least " + std::to_string(low) : std::to_string(low) + " to " + std::to_string(high),
                     "pass a value in this range; the instruction has no room for more"};
  }
  return std::nullopt;
}

bool has(const Call &call, uint8_t arg) { return arg != VectorArgs::kNone && call.has(arg); }

std::optional<Violation> check_mask_in_counter_mode(const Call &call, const CoreState *core) {
  if (!core || !core->counter_mode) return std::nullopt;
  CoreState after = *core, other = *core;
  other.mask_lo = ~core->mask_lo;
  call.row->registers(call, after);
  call.row->registers(call, other);
  const bool writes_mask = after.mask_lo == other.mask_lo;
  if (!writes_mask || !after.counter_mode) return std::nullopt; // a form with a count writes MASK, and leaves counter mode
  const uint8_t bits = find_index(call.row->args, "mask_bits");
  return Violation{has(call, bits) ? bits : find_index(call.row->args, "mask"),
                   "a mask argument in counter mode, where its bit pattern is read as a count of " +
                       std::to_string(uint32_t(after.mask_lo)) + " elements",
                   "set_mask_norm() before a call with a mask",
                   "call set_mask_norm() first; or set_vector_mask(count, dtype=..., mode=asc.MaskMode.COUNTER) and is_set_mask=False"};
}

std::optional<Violation> check_block_stride_of_dst(const Call &call, const CoreState *) {
  const VectorArgs &args = *call.row->vector;
  const VectorArgs::Part part = args.tensors[0].block_stride;
  if (!has(call, part.arg) || !call.known(part.arg, part.part) || (uint32_t(call.value(part.arg, part.part)) & args.most_stride) != 0)
    return std::nullopt;
  const auto [arg, text] = owner_of(call, call.lay->slot[part.arg] + part.part);
  return Violation{arg, quote(text, "0"), "1 to 255",
                   "use 1 for adjacent blocks; with 0 all eight blocks of a repeat are written to one place"};
}

/// Whether the argument is a tensor that a vector instruction walks lane by lane.
bool is_lane_operand(const Call &call, unsigned arg) {
  const VectorArgs *args = walks(*call.row) ? call.row->vector : nullptr;
  for (unsigned t = 0; args && t < operands(call); ++t)
    if (args->tensors[t].arg == arg) return true;
  return false;
}

/// Calls `fn(arg, reach)` for every tensor: one past the highest byte that the call touches, from the tensor's start. Not called while that
/// depends on unknown values.
template <class Fn> void for_each_reach(const Call &call, const CoreState *core, Fn &&fn) {
  if (walks(*call.row)) {
    const VectorArgs &args = *call.row->vector;
    const std::optional<Walk> lanes = walk(call, core);
    for (unsigned t = 0; lanes && t < operands(call); ++t) fn(args.tensors[t].arg, lanes->reach(t));
    if (!lanes || (args.writes_lanes && (!core || call.lay->tensors == operands(call)))) return;
  }
  if (call.row->vector && !core && !sets_mask(call)) return;
  for (unsigned a = 0; !core && a < call.row->args.size(); ++a) // the simulator knows all values
    for (unsigned part = 0; call.has(a) && !call.row->args[a].is_tensor() && part < slots_of(call.row->args[a]); ++part)
      if (!call.known(a, part)) return;
  static thread_local Accesses accesses; // to make one takes longer than the rest of the rule
  accesses.size = 0;
  call.row->access(call, core ? *core : CoreState{}, accesses);
  for (const Access &access : accesses.span())
    if (access.of_tensor() && !is_lane_operand(call, access.arg)) fn(access.arg, uint64_t(access.extent().second - access.filler));
}

std::optional<Violation> check_inside_tensor(const Call &call, const CoreState *core) {
  std::optional<Violation> violation;
  for_each_reach(call, core, [&](unsigned a, uint64_t reach) {
    if (violation || !call.known(a, 1)) return;
    const uint64_t length = call.length(a), element = std::max(size_of(call.dtype(a)), 1u);
    if (reach <= length || (length == 0 && call.memory(a) == Memory::GM)) return; // a GlobalTensor without a size has length 0
    const std::string argument(call.row->args[a].keyword());
    violation = Violation{a,
                          "the call reaches " + std::to_string((reach + element - 1) / element) + " elements (" + std::to_string(reach) +
                              " bytes) into " + argument,
                          "at most " + std::to_string(length / element) + " elements (" + std::to_string(length) + " bytes), the size of " +
                              argument,
                          "touch fewer elements, or make " + argument + " larger"};
  });
  if (violation && check_value_range(call, core)) return std::nullopt; // what a value out of range would reach is beside the point
  return violation;
}

// ---------------------------------------------------------------- overlap

/// No on-chip memory is larger; what reaches further is another rule's business.
constexpr uint64_t kLargestReach = 1 << 20;

/// Bytes that were written, as a set over a window of offsets.
class WrittenBytes {
public:
  WrittenBytes(int64_t low, int64_t high) : low_(low), bytes_(size_t(high - low)) {}
  void add(int64_t start, int64_t length) {
    clip(start, length, [&](size_t i) {
      bytes_[i] = true;
      return false;
    });
  }
  bool any(int64_t start, int64_t length) const {
    return clip(start, length, [&](size_t i) { return bytes_[i]; });
  }

private:
  template <class Fn> bool clip(int64_t start, int64_t length, Fn &&fn) const {
    const int64_t first = std::max(start - low_, int64_t(0)), last = std::min(start + length - low_, int64_t(bytes_.size()));
    for (int64_t i = first; i < last; ++i)
      if (fn(size_t(i))) return true;
    return false;
  }
  int64_t low_;
  std::vector<bool> bytes_;
};

Violation overlap(const Call &call, unsigned dst, unsigned src, std::string where) {
  const std::string_view a = call.row->args[dst].keyword(), b = call.row->args[src].keyword();
  return {dst,
          std::string(a) + " starts at byte " + std::to_string(call.address(dst).offset()) + " and " + std::string(b) + " at byte " +
              std::to_string(call.address(src).offset()) + "; " + std::move(where),
          "no common bytes, or the same start and strides", "use another buffer for " + std::string(a)};
}

bool same_place(const Call &call, unsigned a, unsigned b) {
  return call.known(a) && call.known(b) && call.address(a).memory() == call.address(b).memory() &&
         call.address(a).window() == call.address(b).window();
}

/// What is written and what is read, repeat by repeat. `same_layout`: where both start at the same byte, a repeat works in place.
std::optional<Violation> overlap_in_repeats(const Call &call, unsigned dst, const Access &writes, unsigned src, const Access &reads,
                                            bool same_layout) {
  const int64_t to = call.address(dst).offset(), from = call.address(src).offset();
  const auto [low, high] = writes.extent();
  WrittenBytes written(to + low, to + high);
  for (uint32_t r = 0; r < reads.repeats; ++r) {
    bool earlier = false, partial = false;
    const bool in_place = to + r * writes.repeat_stride == from + r * reads.repeat_stride && same_layout;
    reads.for_each_piece(r, [&](int64_t read, int64_t read_bytes) {
      earlier |= written.any(from + read, read_bytes);
      if (in_place) return;
      writes.for_each_piece(r, [&](int64_t write, int64_t write_bytes) {
        partial |= from + read < to + write + write_bytes && to + write < from + read + read_bytes;
      });
    });
    const std::string repeat = std::to_string(r);
    if (earlier) return overlap(call, dst, src, "repeat " + repeat + " reads what an earlier repeat of the call writes");
    if (partial) return overlap(call, dst, src, "they overlap in part within repeat " + repeat);
    writes.for_each_piece(r, [&](int64_t write, int64_t write_bytes) { written.add(to + write, write_bytes); });
  }
  return std::nullopt;
}

std::optional<Violation> check_vector_overlap(const Call &call, const CoreState *core) {
  const VectorArgs &args = *call.row->vector;
  const unsigned dst = args.tensors[0].arg;
  std::optional<Walk> lanes;
  for (unsigned t = call.row->args[dst].role == Role::InOut ? 0 : 1; t < operands(call); ++t) { // dst that is read is a source, too
    const unsigned src = args.tensors[t].arg;
    if (!same_place(call, dst, src)) continue;
    if (!lanes) lanes = walk(call, core);
    if (!lanes || lanes->repeats == 0) return std::nullopt;
    const int64_t to = call.address(dst).offset(), from = call.address(src).offset();
    const uint64_t writes = lanes->reach(0), reads = lanes->reach(t);
    if (to + int64_t(writes) <= from || from + int64_t(reads) <= to) continue;
    if (t != 0 && call.row->args[src].role != Role::In) return overlap(call, dst, src, "the call overwrites both");
    if (writes > kLargestReach || reads > kLargestReach) continue;
    const Walk::Strides a = lanes->strides[0], b = lanes->strides[t];
    if (to == from && a.block == b.block && lanes->bytes[0] == lanes->bytes[t]) {
      if (lanes->repeats == 1) continue;
      if (a.repeat == b.repeat && a.repeat >= (kRepeatBlocks - 1) * a.block + 1) continue; // in place, repeats apart
      const DType dtype = call.dtype(dst);
      const bool may_chain = dtype == DType::Float16 || dtype == DType::Int32 || dtype == DType::Float32;
      if (t == args.chain && may_chain && (a.repeat == 0 || b.repeat == 0)) continue;
    }
    // Narrower elements stay behind those that they are made of.
    const bool same_layout = a.block == b.block && lanes->bytes[0] <= lanes->bytes[t];
    const Access written = repeats_of(*lanes, 0), read = repeats_of(*lanes, t);
    if (std::optional<Violation> violation = overlap_in_repeats(call, dst, written, src, read, same_layout)) return violation;
  }
  return std::nullopt;
}

/// A repeat of a reduction reads all its lanes before it writes: it may write where it starts.
std::optional<Violation> check_reduction_overlap(const Call &call, const CoreState *core) {
  const std::optional<Walk> lanes = walk(call, core);
  if (!lanes || lanes->repeats == 0) return std::nullopt;
  Accesses accesses;
  call.row->access(call, core ? *core : CoreState{}, accesses);
  const unsigned src = call.row->vector->tensors[0].arg;
  const Access reads = repeats_of(*lanes, 0);
  for (const Access &writes : accesses.span()) {
    if (!writes.write || writes.empty() || !same_place(call, writes.arg, src)) continue;
    const int64_t to = call.address(writes.arg).offset(), from = call.address(src).offset();
    const auto [low, high] = writes.extent();
    const int64_t reach = int64_t(lanes->reach(0));
    if (to + high <= from || from + reach <= to + low || uint64_t(high - low) > kLargestReach || uint64_t(reach) > kLargestReach) continue;
    if (std::optional<Violation> violation = overlap_in_repeats(call, writes.arg, writes, src, reads, true)) return violation;
  }
  return std::nullopt;
}

/// A copy within one memory: no byte may be both read and written. Of a vector instruction, what it reads besides its lanes.
std::optional<Violation> check_copy_overlap(const Call &call, const CoreState *core) {
  bool one_place = false;
  for (unsigned i = 1; i < call.lay->tensors; ++i)
    for (unsigned k = 0; k < i; ++k) one_place |= same_place(call, call.lay->tensor[k], call.lay->tensor[i]);
  if (!one_place) return std::nullopt;
  for (const Operand &operand : std::span(call.slots.data(), call.lay->slots))
    if (!operand.known) return std::nullopt;
  Accesses accesses;
  call.row->access(call, core ? *core : CoreState{}, accesses);
  for (const Access &write : accesses.span())
    for (const Access &read : accesses.span()) {
      if (!write.write || !read.read || !write.of_tensor() || !read.of_tensor() || is_lane_operand(call, read.arg)) continue;
      if (!same_place(call, write.arg, read.arg)) continue;
      const auto [write_low, write_high] = write.extent();
      const auto [read_low, read_high] = read.extent();
      const int64_t to = write.address.offset(), from = read.address.offset();
      if (to == from && call.row->in_place && call.row->in_place(call)) continue;
      const int64_t low = std::max(to + write_low, from + read_low), high = std::min(to + write_high, from + read_high);
      if (low >= high || uint64_t(high - low) > kLargestReach) continue;
      WrittenBytes written(low, high);
      write.for_each_run([&](int64_t offset, int64_t bytes) { written.add(to + offset, bytes); });
      bool both = false;
      read.for_each_run([&](int64_t offset, int64_t bytes) { both |= written.any(from + offset, bytes); });
      if (both) return overlap(call, write.arg, read.arg, "they have bytes in common");
    }
  return std::nullopt;
}

std::optional<Violation> check_no_partial_overlap(const Call &call, const CoreState *core) {
  if (!walks(*call.row)) return check_copy_overlap(call, core);
  if (!call.row->vector->writes_lanes) return check_reduction_overlap(call, core);
  std::optional<Violation> violation = check_vector_overlap(call, core);
  return !violation && core && call.lay->tensors > operands(call) ? check_copy_overlap(call, core) : violation;
}

} // namespace

constexpr Rule argument_dtype = {
    "R101", "element type of an argument",
    "Each instruction works on certain element types only; the types of every argument are listed on its page. Source: Ascend C, data "
    "types of the vector instructions of Atlas A2 and A3.",
    check_argument_dtype, true};
constexpr Rule equal_dtypes = {
    "R102", "one element type for all tensors",
    "The instruction does not convert: all its tensors have the same element type. Source: Ascend C, function templates of the "
    "instruction.",
    check_equal_dtypes, true};
constexpr Rule type_pairs = {
    "R117", "element types that go together",
    "An instruction whose result may have another element type than its sources has certain pairs of types; they are listed on its page. "
    "Source: Ascend C, data types of the vector instructions of Atlas A2 and A3.",
    check_type_pairs, true};
constexpr Rule in_unified_buffer = {
    "R103", "tensor in the unified buffer",
    "Vector instructions reach the unified buffer only: tensors at VECIN, VECOUT or VECCALC. Source: Ascend C, vector execution.",
    check_in_unified_buffer};
constexpr Rule aligned_start = {
    "R104", "tensor start aligned to 32 bytes",
    "The unified buffer is accessed in blocks of 32 bytes, so an operand in it starts at a multiple of 32 bytes. Source: Ascend C, vector "
    "execution, legality rules.",
    check_aligned_start};
constexpr Rule value_range = {
    "R105", "value within its range",
    "Counts, repeats and strides are fields of the instruction with a fixed width; a larger value would lose its upper bits. Source: "
    "Ascend C, parameter ranges of the instruction.",
    check_value_range};
constexpr Rule mask_in_counter_mode = {
    "R107",
    "mask argument in counter mode",
    "In counter mode the low 32 bits of the mask register are the number of elements. A mask argument is written as a bit pattern all the "
    "same, so 3 becomes 7 elements and 32 or more become four thousand million. The simulator does as the device does, and warns. Source: "
    "Ascend C, vector execution, mask.",
    check_mask_in_counter_mode,
    /*is_static=*/false,
    /*is_warning=*/true};
constexpr Rule block_stride_of_dst = {
    "R108", "block stride of the destination",
    "With a block stride of 0 the eight blocks of a repeat are written to the same 32 bytes; which of them remains is undefined. Sources "
    "may have 0: they read one block eight times. Source: Ascend C, vector execution, strides.",
    check_block_stride_of_dst};
constexpr Rule no_partial_overlap = {
    "R109", "overlap of destination and source",
    "Destination and source are the same elements (in place) or have no byte in common within a repeat, and no repeat reads what an "
    "earlier repeat of the same instruction wrote. A conversion may write narrower elements over their sources, not wider ones; a reduction may write where its repeat starts. Allowed besides: add, sub, mul, max, min, add_relu and sub_relu on float16, int32 or "
    "float32 with dst and src1 the same tensor and a repeat stride of 0 for one of them, which chains the repeats. Copies allow no "
    "overlap. Source: Ascend C, vector execution, address overlap.",
    check_no_partial_overlap};
constexpr Rule inside_tensor = {
    "R110", "call inside its tensors",
    "The highest byte that the call touches lies inside the tensor it was given. Source: Ascend C, vector execution, legality rules.",
    check_inside_tensor};

} // namespace asc
