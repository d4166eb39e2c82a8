// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a row is. Every function that a kernel can call has one Row, next to its semantics, in src/apis/<family>.cpp. Registration in
// MLIR, verifier, Python signature, stub, docs page, Ascend C text, operand slots of the binary, effects, clocks and checks read it.
#pragma once

#include "apis/assumptions.h"
#include "apis/types.h"

#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace asc {

// ---------------------------------------------------------------- arguments and forms

enum class ArgKind : uint8_t {
  Local,    // LocalTensor                                            2 slots: address, byte length
  Global,   // GlobalTensor                                           2 slots
  Tensor,   // either                                                 2 slots
  Int,      // integer, static or run-time, emitted as `dtypes`       1 slot
  Number,   // number converted to `dtypes`, or to the element type   1 slot
            // of the tensor in front of it; `$T` without a tensor
  Mask,     // Python list [lo64, hi64]                               2 slots
  Struct,   // instance of the StructRow `type`                       1 slot per value of its fields
  Shape,    // ShapeInfo                                              a slot for its rank, and one per possible dimension
  List,     // Python list of `length` integers, of `dtypes`             1 slot for each
  Structs,  // Python list of 1 to `length` instances of `type`       1 slot for how many, then those of each; missing ones are 0
  Flag,     // bool known at compile time (IR attribute)              1 slot
  Constant, // integer known at compile time (IR attribute)           1 slot
  Enum,     // member of the EnumRow `type` known at compile time     1 slot
  Type,     // DType known at compile time                            1 slot
};

enum class Role : uint8_t { In, Out, InOut };

struct Arg {
  std::string_view name; // unique in the row; `$name` in forms, error messages, docs
  ArgKind kind;
  Role role = Role::In;
  DTypes dtypes = {};                        // tensors: legal element types; Int, Number: the one type it is emitted as
  std::string_view type = {};                // StructRow or EnumRow; of a tensor: the StructRow of which it is the field `name`
  int64_t low = INT64_MIN, high = INT64_MAX; // legal values of an Int or Constant (the rule `value_range` quotes them)
  std::optional<int64_t> default_value = {};
  std::string_view doc = {};
  std::string_view python = {}; // Python keyword when it differs from `name` (mask_bits is `mask` in Python)
  std::string_view alias = {};  // second accepted keyword
  bool moves = false;           // a larger Int touches other bytes of a tensor, not more of them
  bool follows = false;         // a tensor of `type` that is given by the argument in front of it
  uint8_t length = 0;           // of a List; the largest of Structs
  bool own_alignment = false;   // of a tensor: a rule of its own says where it may start, not `aligned_start`
  std::string_view list = {};   // the Python list that this is an element of, `$list` in forms; the elements of a list follow each other
  bool ignored = false;         // of a `fixed` one: any value will do, as in programs that were written for the original
  constexpr std::string_view keyword() const { return python.empty() ? name : python; }
  constexpr std::string_view parameter() const { return list.empty() ? keyword() : list; } // of the Python function
  constexpr bool is_tensor() const { return kind <= ArgKind::Tensor; }
  constexpr bool is_attribute() const { return kind >= ArgKind::Flag; } // known at compile time
};

/// One documented overload. `call` is the Ascend C text; `$name` stands for an argument, `$T` for the call's type: the element type of its
/// first tensor; in a call without tensors, the DType that it is given; `$U` for the element type of its second tensor. The Python
/// overload is: the row's arguments, in row order, that
/// appear in `call` or in `fixed`, tensors of one structure being one. `$result` stands for the variable of the result, which the Ascend C
/// function sets; of several results, for their array. A `fixed` argument (space-separated names) is accepted with its default value only,
/// because the Ascend C form has no place for it; it has neither slot nor attribute.
struct Form {
  std::string_view call;
  std::string_view fixed = {};
  uint8_t results = 1;        // how many, in a row with a result
  std::string_view cost = {}; // Cost::key, where it is not that of the row
  bool of_cube = false;       // of the cube core, which is not supported yet: calls are refused (T403). Such forms come last
  bool by_address = false;    // it touches memory of UB whose addresses are among its values, or stand in its tensors
};

enum class FieldKind : uint8_t {
  Value,   // a number of the field's dtype
  List,    // a Python list of `length` of them
  Element, // a number, converted as a Number argument in this place would be
  Member,  // member of the EnumRow `type`, known at compile time
  Type,    // the same type, to be given once more: a template argument of the struct, without a slot
  Tensor,  // a LocalTensor; with a default: or None. Structs with such fields stand for several tensor arguments
};
inline constexpr unsigned kListLength = 16; // a value for each lane of a block of 16-bit elements
inline constexpr unsigned kShortList = 4;   // a value for each list that is merged
inline constexpr unsigned kMaxResults = 4;

struct Field {
  std::string_view name; // Python
  std::string_view ascendc;
  DType dtype; // of Value and List
  std::optional<int64_t> default_value;
  int64_t high; // largest legal value of an integer (smallest is `low`)
  std::string_view doc;
  FieldKind kind = FieldKind::Value;
  int64_t low = 0;
  unsigned length = kListLength;
  std::string_view type = {}; // EnumRow

  constexpr unsigned slots() const { return kind == FieldKind::List ? length : kind >= FieldKind::Type ? 0 : 1; }
};
struct StructRow {
  std::string_view name; // equal in Python and Ascend C
  std::span<const Field> fields;
  std::string_view doc;

  constexpr unsigned slots() const {
    unsigned sum = 0;
    for (const Field &field : fields) sum += field.slots();
    return sum;
  }
  /// Calls `fn(field, slot, index)` for every slot: index counts the values of a list.
  template <class Fn> constexpr void for_each_slot(Fn &&fn) const {
    unsigned slot = 0;
    for (const Field &field : fields)
      for (unsigned index = 0; index < field.slots(); ++index) fn(field, slot++, index);
  }
};
struct Member {
  std::string_view name;
  int64_t value;
};
struct EnumRow {
  std::string_view name;    // Python
  std::string_view ascendc; // printed before the member, e.g. "HardEvent::" or "" (PIPE_V)
  std::span<const Member> members;
  std::string_view doc;
};

// ---------------------------------------------------------------- a call

struct Row;
inline constexpr unsigned kMaxArgs = 40;     // arguments of a row
inline constexpr unsigned kMaxOperands = 88; // slots of a form

/// Slots of one form: where each argument's first slot is (kAbsent: not part of the form, or `fixed`), how many slots there are, which
/// arguments are tensors, and which values of an integer slot are legal (of Int arguments and struct fields; all others have no limits).
struct Layout {
  static constexpr uint8_t kAbsent = 0xFF;
  struct Limits {
    int64_t low = INT64_MIN, high = INT64_MAX;
  };
  std::array<uint8_t, kMaxArgs> slot;
  uint8_t slots = 0;
  uint8_t tensors = 0;
  std::array<uint8_t, kMaxArgs> tensor; // the first `tensors` are argument numbers
  std::array<Limits, kMaxOperands> limits;
};
const Layout &layout(const Row &row, unsigned form);
unsigned slots_of(const Arg &arg);

/// A value in a slot. `known` is false where the verifier meets a run-time value; the simulator knows them all.
struct Operand {
  uint64_t bits = 0; // integers extended to 64 bits, floats as their bit pattern, tensors: Address::word
  DType dtype = DType::Void;
  bool known = true;
  Position position = Position::MAX; // tensors in the verifier: from the type; MAX where only the address tells
};

/// One API call: what rules, accesses, costs and semantics see.
struct Call {
  const Row *row = nullptr;
  const Layout *lay = nullptr;
  uint8_t form = 0;
  std::array<Operand, kMaxOperands> slots;

  bool has(unsigned arg) const { return lay->slot[arg] != Layout::kAbsent; }
  /// Slot `part` of argument `arg` (0 for single values; as StructRow::for_each_slot counts for structs; 0 = lo, 1 = hi for masks).
  const Operand &at(unsigned arg, unsigned part = 0) const { return slots[lay->slot[arg] + part]; }
  int64_t value(unsigned arg, unsigned part = 0) const { return int64_t(at(arg, part).bits); }
  bool known(unsigned arg, unsigned part = 0) const { return at(arg, part).known; }
  DType dtype(unsigned arg) const { return at(arg).dtype; }
  Address address(unsigned arg) const { return Address(at(arg).bits); }
  uint64_t length(unsigned arg) const { return at(arg, 1).bits; } // bytes
  /// The memory that a tensor is in; nothing while neither its position nor its address is known.
  std::optional<Memory> memory(unsigned arg) const {
    const Operand &tensor = at(arg);
    if (tensor.position != Position::MAX) return memory_of(tensor.position);
    if (tensor.known) return Address(tensor.bits).memory();
    return std::nullopt;
  }
};

inline constexpr uint64_t kDeqSign = uint64_t(1) << 46; // of a word that set_deq_scale writes: results are signed

/// Sticky registers of one core and its identity.
struct CoreState {
  uint64_t mask_lo = ~uint64_t(0), mask_hi = ~uint64_t(0);
  bool counter_mode = false;                         // CTRL[56]
  bool keep_inf_nan = assume::keep_inf_nan_at_start; // CTRL[48]
  bool saturate_int = assume::saturate_int_at_start; // CTRL[53]
  bool saturate_cast = true;                         // not CTRL[59]
  uint64_t pad_value = 0;                            // what data_copy_pad fills with: the low bits
  bool pad_value_set = false;                        // by set_pad_value
  uint64_t deq_scale = 0;                            // of dequantising conversions, as set_deq_scale writes it
  enum class DeqScale : uint8_t { Unset, Half, Float, Table } deq_scale_kind = DeqScale::Unset; // which form wrote it
  Atomic atomic;                                                                                // of stores to global memory
  /// What instructions have found in memory: known when they have run, not when S issues them. One that runs later finds these as they are
  /// then.
  struct Found {
    uint64_t gathered = 0;              // elements that gather_mask kept
    std::array<uint16_t, 4> merged{};   // records that mrg_sort took from each list
    std::array<uint64_t, 2> cmp_mask{}; // CMPMASK: a bit for each element of a repeat, of comparisons
  } found;
  uint32_t block_idx = 0, block_num = 1;
  CoreKind kind = CoreKind::AIV;
  uint8_t sub_block_idx = 0, sub_block_num = 1; // among the cores of its kind in the AI Core
  unsigned mhz = 1;                             // of its clock
  /// What init_soc_state and the constructor of a TPipe reset (01-memory section 8).
  void init_soc_state() { mask_lo = mask_hi = ~uint64_t(0), counter_mode = false, atomic = {}; }
};

// ---------------------------------------------------------------- accesses

/// The bytes that one tensor operand touches, relative to its address: for repeat r < repeats, block b < blocks: `bytes` bytes at
/// start + r * repeat_stride + b * block_stride. With `masked`, of repeat r only the elements of size `element` whose bit is set in `mask`
/// (bit k = element k of the repeat, counted through its blocks) are touched. The last repeat ends after `tail` of its bytes, counted
/// through its blocks, when tail != 0.
struct Access {
  static constexpr uint8_t kScratch = 0xFF;   // `arg` of memory that the instruction takes without being given a tensor
  static constexpr uint8_t kRegister = 0xFE;  // `arg` of memory whose address a register has
  static constexpr uint8_t kByAddress = 0xFD; // `arg` of memory that the program has given the address of

  uint8_t arg = 0;
  bool read = false, write = false;
  bool garbage = false; // what is written there is of use to nobody
  uint8_t atomic = 0;   // Atomic::number() of a write
  bool masked = false;
  uint8_t element = 1;
  Address address;
  uint32_t repeats = 1, blocks = 1, bytes = 0, tail = 0;
  uint8_t filler = 0; // how many of the last bytes belong to no element: they fill up a 32-byte block, inside the tensor or behind it
  int64_t start = 0, repeat_stride = 0, block_stride = 0;
  std::array<uint64_t, 4> mask = {};
  /// Instead of the strides: where each block is from `start` on, a uint32 for each, repeat by repeat. With `masked`, a block is an
  /// element.
  const std::byte *offsets = nullptr;
  bool given_offsets = false; // by the program, which may have made a mistake
  uint32_t lowest = 0, highest = 0,
           all_bits = 0; // of the offsets of blocks that are touched: the least, the largest, and all bits set in one

  uint32_t offset(size_t block) const {
    uint32_t value;
    std::memcpy(&value, offsets + block * sizeof(value), sizeof(value));
    return value;
  }
  /// How many offsets there are, without those that the last repeat no longer has; and whether one belongs to a lane that is on.
  size_t offset_count() const { return size_t(repeats) * blocks - (tail ? blocks - tail / bytes : 0); }
  bool has_offset(size_t block) const { return !masked || (mask[block % blocks / 64] >> block % blocks % 64 & 1); }
  /// Sets `offsets`, and what follows from them; all else has been set.
  void at_offsets(const std::byte *first);

  bool of_tensor() const { return arg < kMaxArgs; }
  bool empty() const { return repeats == 0 || blocks == 0 || bytes == 0; }
  /// One piece of memory.
  bool dense() const {
    return !masked && !tail && !offsets && !start && (blocks == 1 || block_stride == bytes) &&
           (repeats == 1 || repeat_stride == int64_t(blocks) * bytes);
  }
  /// Lowest offset and one past the highest offset touched.
  std::pair<int64_t, int64_t> extent() const;
  /// Calls `fn(offset, bytes)` for every contiguous run, in address order per repeat; neighbouring runs are joined.
  template <class Fn> void for_each_run(Fn &&fn) const;
  /// The same for one repeat, piece by piece: blocks, or runs of lanes within a block.
  template <class Fn> void for_each_piece(uint32_t repeat, Fn &&fn) const;
};

inline std::pair<int64_t, int64_t> Access::extent() const {
  if (empty()) return {0, 0};
  if (dense()) return {0, int64_t(repeats) * blocks * bytes};
  if (offsets) return {start + lowest, start + highest + bytes};
  int64_t low = 0, high = 0;
  bool any = false;
  const auto widen = [&](uint32_t repeat) {
    for_each_piece(repeat, [&](int64_t offset, int64_t length) {
      low = any && low < offset ? low : offset;
      high = any && high > offset + length ? high : offset + length;
      any = true;
    });
  };
  // Strides are the same for all repeats, so the first, the last whole and the last one span everything.
  widen(0);
  if (repeats > 1) widen(repeats - 2), widen(repeats - 1);
  return {low, high};
}

template <class Fn> void Access::for_each_run(Fn &&fn) const {
  int64_t start = 0, end = 0;
  for (uint32_t r = 0; r < repeats; ++r)
    for_each_piece(r, [&](int64_t offset, int64_t length) {
      if (offset == end && end > start) {
        end += length;
        return;
      }
      if (end > start) fn(start, end - start);
      start = offset, end = offset + length;
    });
  if (end > start) fn(start, end - start);
}

template <class Fn> void Access::for_each_piece(uint32_t repeat, Fn &&fn) const {
  int64_t left = repeat + 1 == repeats && tail ? tail : int64_t(blocks) * bytes;
  const int64_t base = start + repeat * repeat_stride;
  const unsigned per_block = masked ? bytes / element : 0;
  for (uint32_t b = 0; b < blocks && left > 0; ++b, left -= bytes) {
    const int64_t place = offsets ? start + offset(size_t(repeat) * blocks + b) : base + b * block_stride,
                  length = left < bytes ? left : bytes;
    if (!masked) {
      fn(place, length);
      continue;
    }
    const unsigned first = b * per_block, last = first + unsigned(length / element);
    for (unsigned k = first; k < last;) {
      const auto bit = [&](unsigned i) { return mask[i / 64] >> (i % 64) & 1; };
      if (!bit(k)) {
        ++k;
        continue;
      }
      unsigned stop = k + 1;
      while (stop < last && bit(stop)) ++stop;
      fn(place + int64_t(k - first) * element, int64_t(stop - k) * element);
      k = stop;
    }
  }
}

struct Accesses {
  std::vector<Access> list; // the first `size` of them
  unsigned size = 0;
  /// For accesses that depend on memory: the bytes at an address. Null where they are not known: then name all that may be touched.
  std::function<const std::byte *(Address, uint64_t bytes)> bytes_at = [](Address, uint64_t) -> const std::byte * { return nullptr; };
  Access &add() {
    if (list.empty()) list.reserve(kMaxArgs); // references stay while there are no more
    if (size == list.size()) list.emplace_back();
    return list[size++] = Access{};
  }
  std::span<const Access> span() const { return std::span(list).first(size); }
  std::span<Access> span() { return {list.data(), size}; }
};

// ---------------------------------------------------------------- rules

struct Violation {
  unsigned arg;         // the argument to point at
  std::string got;      // "count is 20 (40 bytes)"
  std::string expected; // "a multiple of 32 bytes"
  std::string help;     // the change to make
};
/// A legality rule: one code, one text, one function. The function returns nothing when the rule holds or depends on unknown values.
/// `core` is null in the verifier.
struct Rule {
  std::string_view code;  // "R201"
  std::string_view title; // short name, "tensor start aligned to 32 bytes"
  std::string_view text;  // for docs and `pyasc explain`: why, and the source of the fact
  std::optional<Violation> (*check)(const Call &, const CoreState *core);
  bool is_static = false;  // the verifier's answer is final: the simulator need not ask again
  bool is_warning = false; // the call is legal, and hardly what was meant: the launch warns, the verifier says nothing
};

// ---------------------------------------------------------------- cost

/// The shape of a row's cost; the hardware table (src/sim/hardware.h) holds the numbers per chip.
enum class CostShape : uint8_t { Scalar, Vector, Dma, Sync };
struct Cost {
  CostShape shape = CostShape::Scalar;
  std::string_view key = {};                   // entry of the hardware table: "add", "dup", "gm_ub" is derived from the memories for Dma
  uint64_t (*repeats)(const Call &) = nullptr; // of a vector instruction, where its accesses do not tell how many it takes
};

// ---------------------------------------------------------------- rows

/// What `run` gets: the call, the core's registers, and for each tensor argument the host address of its first element. Every byte named by
/// `access` has been bounds-checked.
struct Exec {
  Exec(const Call &c, CoreState &state) : call(c), core(state) {}

  const Call &call;
  CoreState &core;
  std::array<std::byte *, kMaxArgs> data; // set for the tensors of the form
  std::byte *unified_buffer = nullptr;    // byte 0 of UB, for what is given by its address
  uint64_t result = 0;                    // rows with a result
  std::array<uint64_t, kMaxResults - 1> further_results = {};
  std::string text = {};                 // what the call prints
  uint64_t cycle = 0;                    // when S issued it
  uint32_t pc = 0;                       // which instruction of the program it is
  std::span<const Access> accesses = {}; // what Row::access has named
  bool stream_stores = true;             // stores to GM bypass the caches: right for arrays larger than they are
  uint64_t progress = 0;                 // of Row::poll: kept from one call to the next
};

/// What came of a look at memory.
enum class Poll : uint8_t {
  NotYet, // nothing has changed
  Told,   // others may go on, the core itself not yet
  Done,
};

/// What a call tells the host. Such a call is never merged with another or left out as one without a result.
enum class Tells : uint8_t {
  Nothing,
  Dump,      // text; the option `dump` removes it
  TimeStamp, // text; only with the option `time_stamps`
  Profile,   // a mark for a profiler
};

/// How close the results of a function are to the exact ones (precision.h).
struct Precision {
  std::string_view text, source;
};

struct VectorArgs;
struct Row {
  std::string_view name;    // Python, IR, disassembly
  std::string_view ascendc; // Ascend C function
  /// "LocalTensor": no function, but a method of that class on the first argument. Its forms call helpers of the text, whose names begin
  /// with pyasc_.
  std::string_view receiver = {};
  Pipe pipe = Pipe::S;
  Pipe (*pipe_of)(const Call &) = nullptr; // when the pipe depends on the operands' memories
  std::span<const Arg> args;
  std::span<const Form> forms;
  std::span<const Rule *const> rules;
  DType result = DType::Void;
  bool typed_result = false; // the result has the DType that the call is given
  bool varies = false;       // another call does something else, or has another result: none is merged or moved
  bool pure = false;         // the result follows from the arguments alone: of known ones, it is known while compiling
  Cost cost;
  void (*access)(const Call &, const CoreState &, Accesses &) = nullptr;
  void (*run)(Exec &) = nullptr;
  /// Instead of `run`, where a core waits for others by words in global memory: looks at them again whenever memory has changed, until it
  /// is done. All pipes of the core stand still in the meantime. The words are the first access; they order what the cores do.
  Poll (*poll)(Exec &) = nullptr;
  /// Of a `poll` that is not done, when nothing changes any more: what is missing, for the report; "" where that cannot be told.
  std::string (*missing)(const Exec &) = nullptr;
  /// What the call does to the core's registers, in program order of S. `run` does it too, last; a simulator that runs a call later gives
  /// `run` a copy of the registers made before and applies this when S issues the call.
  void (*registers)(const Call &, CoreState &) = nullptr;
  /// Whether S waits for the end of the call, because it does the last step itself; null: it does not. S always waits for a result.
  bool (*ends_in_scalar)(const Call &) = nullptr;
  bool (*in_place)(const Call &) = nullptr; // whether the call may write where it reads: it has read everything by then
  bool combines_stores = false;             // stores that follow may read what they write (CoreState::atomic)
  bool copies = false;                      // from one piece of memory to one of the same size `run` does nothing but copy the bytes
  Tells tells = Tells::Nothing;             // what the host hears of it
  uint32_t scratch = 0;                     // bytes at the end of UB that `run` takes without being given a tensor
  bool remembers = false;                   // the core keeps the address of the tensor it is given, in a register
  bool (*recalls)(const Call &) = nullptr;  // whether a call reads the tensor so remembered
  const Precision *precision = nullptr;     // null: there is nothing to round
  std::string_view doc;                     // first sentence, formula included
  std::string_view source = {};             // where the facts come from
  std::string_view instead = {};            // these chips have no such instruction: what to use. No function then; calls are refused (T402)
  bool aliases = false;                     // the first argument becomes another name of the second one; what it was no longer has one
  std::string_view structure = {};          // ODS op that stands for this row ("set_flag"); empty: registered from the row
  const VectorArgs *vector = nullptr;       // vector instructions: where their common arguments are (vector.h)

  constexpr bool has_result() const { return result != DType::Void || typed_result; }
  constexpr unsigned results(unsigned form) const { return has_result() ? forms[form].results : 0; }
};

std::span<const Row *const> rows(); // all rows; the index is the opcode
const Row *find_row(std::string_view name);
unsigned row_number(const Row &row);
std::span<const StructRow *const> structs();
const StructRow *find_struct(std::string_view name);
/// Calls `fn(field, slot, index, item)` for every slot of a Struct argument or of the items of Structs: as StructRow::for_each_slot, the
/// slots counted from that of the argument.
template <class Fn> void for_each_field(const Arg &arg, Fn &&fn) {
  const StructRow &row = *find_struct(arg.type);
  const bool many = arg.kind == ArgKind::Structs;
  for (unsigned item = 0; item < (many ? arg.length : 1u); ++item)
    row.for_each_slot([&](const Field &field, unsigned slot, unsigned index) { fn(field, many + item * row.slots() + slot, index, item); });
}
std::span<const EnumRow *const> enums();
const EnumRow *find_enum(std::string_view name);
std::span<const Rule *const> all_rules(); // every rule named by a row, once
uint64_t table_hash();                    // changes whenever a binary of another table would mean something else
/// Python parameters of a form in order: indices into row.args. The `fixed` ones are those without a slot.
std::span<const unsigned> form_args(const Row &row, unsigned form);

} // namespace asc
