// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a vector instruction walks its operands: repeats of 256 bytes in 8 blocks, strides, masks and counter mode.
#pragma once

#include "apis/api.h"

namespace asc {

inline constexpr uint32_t kBlockBytes = 32, kRepeatBytes = 256, kRepeatBlocks = kRepeatBytes / kBlockBytes;
inline constexpr unsigned kMaxVectorTensors = 4;

/// Element types that go together.
struct TypePair {
  DType src, dst;
};

/// Where the arguments are that all vector instructions share. kNone: the family has no such argument.
struct VectorArgs {
  static constexpr uint8_t kNone = 0xFF;
  /// Slot `part` of argument `arg`.
  struct Part {
    uint8_t arg = kNone, part = 0;
  };
  struct Tensor {
    uint8_t arg = kNone;
    Part block_stride, repeat_stride; // of the forms with a mask
  };
  std::array<Tensor, kMaxVectorTensors> tensors = {}; // [0] is dst
  uint8_t size = 0;
  uint8_t count = kNone, mask = kNone, mask_bits = kNone, repeat_times = kNone, is_set_mask = kNone;
  uint8_t chain = kNone;     // index in `tensors` of the source that may be dst itself, each repeat seeing the result of the one before
  bool own_accesses = false; // operands that no walk describes: what they touch is Row::access, and none may overlap another
  std::span<const TypePair> pairs = {}; // legal types, of an instruction whose dst may have another one than its sources
  bool writes_lanes = true;             // tensors[0] is dst; else there are only sources here, and Row::access says what is written
  uint32_t most_stride = UINT8_MAX, most_repeats = UINT8_MAX; // what the instruction has room for: a power of two, less 1
  /// Of an instruction that fills half of each block of dst and leaves the other half alone: which one. The lanes of a block of the source
  /// then go to a block of their own.
  enum class Half : uint8_t { None, Lower, Upper };
  Half (*half_of_dst)(const Call &) = nullptr;

  std::span<const Tensor> all() const { return {tensors.data(), size}; }
};

/// The lanes of one instruction, with everything resolved: strides in blocks, register or argument masks.
struct Walk {
  uint32_t element = 1; // bytes of the widest element
  uint32_t lanes = 0;   // of a repeat
  uint32_t repeats = 0;
  uint32_t tail = 0;   // lanes of the last repeat; `lanes` unless a counter ends within it
  bool masked = false; // some lanes are off in every repeat; then tail == lanes
  std::array<uint64_t, 4> mask = {};
  struct Strides {
    uint32_t block = 1, repeat = kRepeatBlocks;
  };
  std::array<Strides, kMaxVectorTensors> strides = {};
  std::array<uint8_t, kMaxVectorTensors> bytes = {}; // of an element of each operand
  VectorArgs::Half half = VectorArgs::Half::None;    // of each block of dst, operand 0

  uint64_t elements() const { return repeats ? uint64_t(repeats - 1) * lanes + tail : 0; }
  /// How many bytes of a block of operand `t` are lanes, and where they begin.
  uint32_t block_bytes(unsigned t) const { return halved(t) ? kBlockBytes / 2 : kBlockBytes; }
  uint32_t block_start(unsigned t) const { return halved(t) && half == VectorArgs::Half::Upper ? kBlockBytes / 2 : 0; }
  /// Blocks of a repeat of operand `t`: a narrow one has fewer.
  uint32_t blocks(unsigned t) const { return (lanes * bytes[t] / kBlockBytes) << halved(t); }
  /// Operand `t` is one piece of memory.
  bool dense(unsigned t) const {
    return !masked && !halved(t) && strides[t].block == 1 && (repeats <= 1 || strides[t].repeat == blocks(t));
  }
  /// Highest lane of a repeat that is on, plus one.
  uint32_t top_lane() const;
  /// One past the highest byte of operand `t` that repeats 0 .. repeats-1 reach, counted from its start (CPU check formula).
  uint64_t reach(unsigned t) const;

private:
  bool halved(unsigned t) const { return t == 0 && half != VectorArgs::Half::None; }
};

/// How many of the tensors the form of the call has: the first ones.
inline unsigned operands(const Call &call, const VectorArgs &args) {
  unsigned size = args.size;
  while (size > 0 && !call.has(args.tensors[size - 1].arg)) --size;
  return size;
}
inline unsigned operands(const Call &call) { return operands(call, *call.row->vector); }

/// The walk of a call; nothing while a value of it is unknown, or a mask register is (`core` null).
std::optional<Walk> walk(const Call &call, const CoreState *core);
/// The same for `args` instead of the row's.
std::optional<Walk> walk(const Call &call, const VectorArgs &args, const CoreState *core);

/// Bytes of the call's widest element, which is what a repeat has 256 bytes of.
uint32_t widest_element(const Call &call);

/// The value of MASK that the library writes for "the first `count` lanes" of elements of `bytes` bytes.
std::array<uint64_t, 2> mask_of_first(int64_t count, uint32_t bytes);

/// Host memory at an offset in UB, of an instruction whose argument `arg` is a tensor in UB that it writes.
inline std::byte *in_ub(const Exec &exec, uint8_t arg, int64_t offset) {
  return exec.data[arg] + (offset - exec.call.address(arg).offset());
}

/// What operand `t` of a walk touches, repeat by repeat; argument, direction and address are left to the caller.
Access repeats_of(const Walk &walk, unsigned t);

/// Whether the row is a vector instruction whose operands all walk so.
inline bool walks(const Row &row) { return row.vector && !row.vector->own_accesses; }

/// MASK during the call, in a form with a mask; nothing while it is unknown, or is in the registers and `core` is null.
std::optional<std::array<uint64_t, 2>> mask_of(const Call &call, const CoreState *core);

/// Whether the call writes MASK (and, in the count forms, the mode) or uses the registers as they are.
bool sets_mask(const Call &call, const VectorArgs &args);
inline bool sets_mask(const Call &call) { return sets_mask(call, *call.row->vector); }

/// The same, as one piece of memory if it is one.
Access access_of(const Walk &walk, unsigned t);

/// Row::access and Row::registers of every row with `vector`.
void vector_access(const Call &call, const CoreState &core, Accesses &accesses);
void vector_registers(const Call &call, CoreState &core);
/// The same for `args` instead of the row's.
void vector_registers(const Call &call, const VectorArgs &args, CoreState &core);

} // namespace asc
