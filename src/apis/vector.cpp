// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometry of vector instructions: from arguments and registers to lanes, accesses and register effects.
#include "apis/vector.h"

#include <algorithm>
#include <bit>

namespace asc {
namespace {

bool has(const Call &call, uint8_t arg) { return arg != VectorArgs::kNone && call.has(arg); }

/// MASK as the call writes it, in a form with a mask; nothing while the argument is unknown.
std::optional<std::array<uint64_t, 2>> written_mask(const Call &call, const VectorArgs &args, uint32_t element) {
  if (has(call, args.mask_bits)) {
    if (!call.known(args.mask_bits) || !call.known(args.mask_bits, 1)) return std::nullopt;
    return std::array{call.at(args.mask_bits).bits, call.at(args.mask_bits, 1).bits};
  }
  if (!call.known(args.mask)) return std::nullopt;
  return mask_of_first(call.value(args.mask), element);
}

void count_lanes(Walk &walk, uint32_t count) {
  const uint32_t rest = count & (walk.lanes - 1); // lanes are a power of two
  walk.repeats = (count >> std::countr_zero(walk.lanes)) + (rest != 0);
  walk.tail = rest ? rest : walk.lanes;
}

void mask_lanes(Walk &walk, const std::array<uint64_t, 2> &mask, uint32_t repeats) {
  walk.repeats = repeats;
  walk.tail = walk.lanes;
  const auto lanes_of = [&](unsigned word) { // the bits of the word that are lanes
    const uint32_t bits = walk.lanes > 64 * word ? std::min(walk.lanes - 64 * word, 64u) : 0;
    return bits == 0 ? 0 : ~uint64_t(0) >> (64 - bits);
  };
  const std::array<uint64_t, 2> full = {lanes_of(0), lanes_of(1)}, on = {mask[0] & full[0], mask[1] & full[1]};
  if (on == full) return;
  if (on == std::array<uint64_t, 2>{}) {
    walk.repeats = 0;
    return;
  }
  walk.masked = true;
  walk.mask = {on[0], on[1], 0, 0};
  const uint32_t top = walk.top_lane();
  if (repeats == 1 && uint32_t(std::popcount(on[0]) + std::popcount(on[1])) == top) { // the first lanes of one repeat are a plain tail
    walk.masked = false;
    walk.tail = top;
  }
}

} // namespace

bool sets_mask(const Call &call, const VectorArgs &args) {
  const uint8_t flag = args.is_set_mask;
  return !has(call, flag) || call.value(flag);
}

static uint32_t widest_element(const Call &call, const VectorArgs &args) {
  uint32_t widest = 1;
  for (unsigned t = 0; t < operands(call, args); ++t) widest = std::max(widest, size_of(call.dtype(args.tensors[t].arg)));
  return widest;
}
uint32_t widest_element(const Call &call) { return widest_element(call, *call.row->vector); }

/// MASK during a call of a form without a count.
static std::optional<std::array<uint64_t, 2>> mask_of(const Call &call, const VectorArgs &args, const CoreState *core) {
  if (sets_mask(call, args) && (has(call, args.mask) || has(call, args.mask_bits)))
    return written_mask(call, args, widest_element(call, args));
  if (!core) return std::nullopt;
  return std::array{core->mask_lo, core->mask_hi};
}
std::optional<std::array<uint64_t, 2>> mask_of(const Call &call, const CoreState *core) { return mask_of(call, *call.row->vector, core); }

uint32_t Walk::top_lane() const {
  for (unsigned word = unsigned(mask.size()); word-- > 0;)
    if (mask[word]) return 64 * word + 64 - uint32_t(std::countl_zero(mask[word]));
  return 0;
}

uint64_t Walk::reach(unsigned t) const {
  if (repeats == 0) return 0;
  const uint64_t block = strides[t].block * kBlockBytes, repeat = strides[t].repeat * kBlockBytes;
  const auto of_lanes = [&](uint32_t n) { // end of the n-th lane within a repeat
    const uint32_t last_byte = n * bytes[t] - 1, in_block = block_bytes(t);
    return uint64_t(last_byte / in_block) * block + block_start(t) + last_byte % in_block + 1;
  };
  const uint32_t all = masked ? top_lane() : lanes, last = masked ? all : tail;
  const uint64_t end = (repeats - 1) * repeat + of_lanes(last);
  return repeats > 1 ? std::max(end, (repeats - 2) * repeat + of_lanes(all)) : end;
}

std::array<uint64_t, 2> mask_of_first(int64_t count, uint32_t bytes) {
  constexpr uint64_t all = ~uint64_t(0);
  if (count <= 0) return {0, 0};
  if (count == 64) return {all, 0};
  if (count == kRepeatBytes / bytes || count >= 128) return {all, all};
  if (count < 64) return {(uint64_t(1) << count) - 1, 0};
  return {all, (uint64_t(1) << (count - 64)) - 1};
}

std::optional<Walk> walk(const Call &call, const CoreState *core) { return walk(call, *call.row->vector, core); }

std::optional<Walk> walk(const Call &call, const VectorArgs &args, const CoreState *core) {
  Walk walk;
  const unsigned size = operands(call, args);
  walk.element = widest_element(call, args);
  walk.lanes = kRepeatBytes >> std::countr_zero(walk.element);
  if (args.half_of_dst) walk.half = args.half_of_dst(call);
  for (unsigned t = 0; t < size; ++t) {
    walk.bytes[t] = uint8_t(std::max(size_of(call.dtype(args.tensors[t].arg)), 1u));
    walk.strides[t].repeat = walk.blocks(t);
  }
  const bool sets = sets_mask(call, args);
  if (!sets && !core) return std::nullopt;

  if (has(call, args.count)) {
    if (sets) {
      if (!call.known(args.count)) return std::nullopt;
      count_lanes(walk, uint32_t(call.value(args.count)));
    } else if (core->counter_mode) {
      count_lanes(walk, uint32_t(core->mask_lo));
    } else {
      mask_lanes(walk, {core->mask_lo, core->mask_hi}, 1);
    }
    return walk;
  }

  for (unsigned t = 0; t < size; ++t) {
    bool known = true;
    const auto take = [&](VectorArgs::Part part, uint32_t &stride) {
      if (part.arg == VectorArgs::kNone) return;
      known &= call.known(part.arg, part.part);
      stride = uint32_t(call.value(part.arg, part.part)) & args.most_stride;
    };
    take(args.tensors[t].block_stride, walk.strides[t].block), take(args.tensors[t].repeat_stride, walk.strides[t].repeat);
    if (!known) return std::nullopt;
  }
  const auto mask = mask_of(call, args, core);
  if (!mask) return std::nullopt;
  if (core && core->counter_mode) {
    count_lanes(walk, uint32_t((*mask)[0]));
  } else {
    const bool one = args.repeat_times == VectorArgs::kNone;
    if (!one && !call.known(args.repeat_times)) return std::nullopt;
    mask_lanes(walk, *mask, one ? 1 : uint32_t(call.value(args.repeat_times)) & args.most_repeats);
  }
  return walk;
}

Access repeats_of(const Walk &walk, unsigned t) {
  const bool one_piece = walk.strides[t].block == 1 && walk.block_bytes(t) == kBlockBytes;
  Access access;
  access.element = walk.bytes[t];
  access.repeats = walk.repeats;
  access.repeat_stride = int64_t(walk.strides[t].repeat) * kBlockBytes;
  access.blocks = one_piece ? 1 : walk.blocks(t);
  access.bytes = one_piece ? walk.blocks(t) * kBlockBytes : walk.block_bytes(t);
  access.start = walk.block_start(t);
  access.block_stride = int64_t(walk.strides[t].block) * kBlockBytes;
  access.tail = walk.tail == walk.lanes ? 0 : walk.tail * walk.bytes[t];
  access.masked = walk.masked;
  access.mask = walk.mask;
  return access;
}

Access access_of(const Walk &walk, unsigned t) {
  const uint64_t bytes = walk.elements() * walk.bytes[t];
  if (!walk.dense(t) || bytes > UINT32_MAX) return repeats_of(walk, t);
  Access access;
  access.bytes = uint32_t(bytes);
  return access;
}

void vector_access(const Call &call, const CoreState &core, Accesses &accesses) {
  const VectorArgs &args = *call.row->vector;
  const std::optional<Walk> lanes = walk(call, &core);
  if (!lanes || lanes->repeats == 0) return;
  for (unsigned t = 0; t < operands(call); ++t) {
    const uint8_t arg = args.tensors[t].arg;
    Access &access = accesses.add() = access_of(*lanes, t);
    access.arg = arg;
    access.read = call.row->args[arg].role != Role::Out;
    access.write = call.row->args[arg].role != Role::In;
    access.address = call.address(arg);
  }
}

void vector_registers(const Call &call, CoreState &core) { vector_registers(call, *call.row->vector, core); }

void vector_registers(const Call &call, const VectorArgs &args, CoreState &core) {
  if (!sets_mask(call, args)) return;
  if (has(call, args.count)) { // the library brackets the instruction with SetMaskCount and SetMaskNorm, ResetMask
    core.counter_mode = false;
    core.mask_lo = core.mask_hi = ~uint64_t(0);
    return;
  }
  if (!has(call, args.mask) && !has(call, args.mask_bits)) return;
  if (const auto mask = written_mask(call, args, widest_element(call, args))) core.mask_lo = (*mask)[0], core.mask_hi = (*mask)[1];
}

} // namespace asc
