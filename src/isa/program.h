// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AI Core program: fixed-size scalar instructions over virtual 64-bit registers, API instructions whose operands follow from the
// row, constants, and a debug section. Encode, decode, print, parse and validate are in codec.h, text.h.
#pragma once

#include "apis/api.h"

#include <algorithm>
#include <string>
#include <vector>

namespace asc {

/// Scalar and control instructions. `type` is the operand type: an instruction reads the low bits of its registers as that type and writes
/// integers extended to 64 bits by its signedness, floats as their bit pattern. A tensor is two consecutive registers (Address word, byte
/// length). Fields that an instruction does not use are 0 (ops.h has the table).
enum class Op : uint16_t {
  Halt,  // end of the block
  Move,  // dst = a
  Move2, // dst, dst+1 = a, a+1                                  (tensors)
  Add,
  Sub,
  Mul, // dst = a op b          integers wrap; under the checks signed overflow is a finding
  Div, // floats: a / b; integers: truncating (0 when b == 0; a finding under the checks)
  Rem, // integers: sign of the dividend; floats: fmod
  FloorDiv,
  FloorMod, // Python's // and %
  And,
  Or,
  Xor,
  Shl,
  Shr, // integers; Shr is arithmetic for signed types; shift counts are masked to the width; lost bits of a signed Shl are overflow
  Neg,
  Not, // dst = -a; dst = ~a (Bool: logical not)
  Min,
  Max,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,      // dst (Bool) = a op b, compared as `type`; NaN compares unequal
  Cast,    // dst = a converted from DType(aux) to `type`: float to int truncates and saturates (NaN 0), int to float rounds to nearest even
  Narrow,  // Cast between integers whose value must not change: a finding under the checks when it does
  Select,  // dst = dst ? a : b      (dst holds the condition)
  Select2, // the same for tensors: condition in dst
  Jump,    // to a
  JumpIfZero, // to b when a == 0 (Bool or integer)
  Local,      // dst, dst+1 = LocalTensor at position aux: byte address a, element count b (both Int64), of `type`
  Global,     // dst, dst+1 = GlobalTensor: Address a, element count b (Int64; kNoRegister: length 0 = not given)
  View,   // dst, dst+1 = tensor a, a+1 from element b (an integer of DType(aux)) on (`type`): address += b*E, length -= b*E (a length of 0
          // stays 0)
  Resize, // dst, dst+1 = tensor a, a+1 with b elements (Int64) of `type`
  Offset, // dst = Address a + b (DType(aux)) elements of `type`
  Size,   // dst = length of tensor a in elements of `type`
  GetValue,          // dst = tensor a, element b (DType(aux))               S pipe
  SetValue,          // tensor dst, element a (DType(aux)) = b               S pipe
  SetFlag,           // event aux, id in register a
  WaitFlag,          // event aux, id in register a
  Barrier,           // pipe aux
  DataBarrier,       // DataBarrier a
  CrossCoreSetFlag,  // flag register a, mode b, when pipe aux has done all before
  CrossCoreWaitFlag, // flag register a
  SetPointer,        // pointer dst of the core (types.h) = address register a
  GetPointer,        // dst = pointer a
  // The framework. Objects are entries of Program::objects; an owner is a pool, or kNoRegister for the TPipe.
  Construct, // object dst is made anew
  PipeInit,
  PipeReset,
  PipeDestroy,
  InitQueue,    // queue dst gets buffers from owner a: register b of them, register b+1 bytes each (Int64)
  InitBuffer,   // buffer dst gets register b bytes (Int64) from owner a
  InitPool,     // pool dst gets register b bytes (Int64) from owner a
  SharePool,    // pool dst uses register b bytes (Int64) of the memory of pool a
  ResetPool,    // pool dst
  AllocTensor,  // dst, dst+1 = a free buffer of queue a
  Enque,        // tensor dst goes into queue a, with the tag b (Int32; kNoRegister: as it is); sets a flag of event aux
  Deque,        // dst, dst+1 = the oldest tensor in queue a; waits for a flag of event aux
  DequeInPlace, // the same for tensor dst of queue a, which has depth 0
  FreeTensor,   // tensor dst goes back to queue a
  FreeEvents,   // waits for all buffers of queue a that were freed
  QueueState,   // dst = answer to QueueQuery(aux) about queue a
  UserTag,      // dst = the tag (Int32) of the buffer that tensor a lies in; -1 of other tensors
  StackBuffer,  // dst, dst+1 = what the TPipe has not given out of UB
  // A list of tensors, whose descriptor is at Address a (01-memory section 9). Tensor numbers are Int64.
  ListInit,   // checks that there is one, and its bytes and tensors against b, b+1 (0xFFFFFFFF: any)
  ListSize,   // dst = how many tensors
  ListDim,    // dst = dimensions of tensor b
  ListShape,  // dst = of tensor b, dimension b+1
  ListData,   // dst = Address of tensor b
  ListTensor, // dst, dst+1 = tensor b of `type` as get_data_obj makes it
  GetBuffer,  // dst, dst+1 = buffer a: register b elements from byte register b+1 on (Int64; kNoRegister: all of it)
  AllocEvent,
  FetchEvent,     // dst = an id of event aux that is not in use (Int32); AllocEvent takes it
  ReleaseEvent,   // id a of event aux is not in use any more
  Allocate,       // dst, dst+1 = the next b elements (Int64) of allocator a, at position aux
  CurrentAddress, // dst = the first free byte of allocator a
  Matmul,         // call MatmulCall(aux) of matmul dst: b values, entries of operands from a on
  MatmulIterate,  // dst (Bool) = matmul a has computed its next block; b: added to the one before
  // Text. Values are b entries of operands from a on; string dst is a format of printf (apis/format.h).
  Print,
  Assert, // stops the launch when the first value is 0. The next ones belong to the format, the rest is for the report; the names of all of
          // them are their Python texts
  ToFile, // file dst, a string, gets the bytes of tensor a
  Trap,   // stops the launch
  // Debug form. Says that moment aux has come, which is entry dst of the compiled kernel's debug table, and where the b values that exist
  // at run time are: entries of operands from a on, two for a tensor. Takes no time.
  Statement,
  // Arrays of the scalar unit: entries of Program::arrays, whose type `type` is.
  NewArray,   // the elements of array dst have no values any more
  FillArray,  // every element of array dst = a
  Element,    // dst = array a, element b (DType(aux))
  SetElement, // array dst, element a (DType(aux)) = b
  Api, // row number in dst (result register in b, the first of several, when the row has one, else kNoRegister), form in aux, operands from
       // operands[a] on, in slot order; `type` = element type of the first tensor (Void without)
};
inline constexpr unsigned kOps = unsigned(Op::Api) + 1;
inline constexpr uint32_t kNoRegister = 0xFFFFFFFF;

struct Instr {
  Op op;
  DType type;
  uint8_t aux;
  uint32_t dst, a, b;
};
static_assert(sizeof(Instr) == 16);

/// One slot of an API instruction: the register that holds it (a tensor's second slot is register + 1 and has its own entry) and its dtype
/// (of a tensor: the element type; of a value: how the register is read).
struct SlotRef {
  uint32_t reg;
  DType dtype;
  uint32_t variable = 0; // index into strings: the Python name of the value, for reports
};

enum class ParamKind : uint8_t { Address, Scalar };
struct Param {
  std::string name;
  ParamKind kind;
  DType dtype;
  bool reads = false, writes = false; // Address: what the program does with the array
};

/// An object that the kernel constructs: TQue and TQueBind, TBuf, TBufPool, LocalMemAllocator, Matmul.
enum class ObjectKind : uint8_t { Queue, Buffer, Pool, Allocator, Matmul };
struct Object {
  ObjectKind kind;
  Position src, dst;     // ends of a queue; for others both are the same
  uint8_t depth = 0;     // of a queue; of a pool: how many buffers it may have
  uint32_t variable = 0; // index into strings: its Python name
};

/// An array in the memory of the scalar unit: its elements are words from `first` on. Arrays that are not alive at the same time may share
/// words.
struct ScalarArray {
  DType dtype;
  uint32_t first, length;
  uint32_t variable = 0; // index into strings: its Python name
};
/// Words that the scalar unit has for arrays: as many as elements of one byte fit.
inline constexpr uint32_t kArrayWords = assume::scalar_memory;

/// Where an instruction comes from. `inlined_at` is an index into `sites` (the call of the device function), kNoRegister at the top.
struct Site {
  uint32_t file; // index into strings
  uint32_t line, column, end_line, end_column;
  uint32_t function; // index into strings
  uint32_t inlined_at;
  uint32_t variable; // index into strings: the Python name that the result was assigned to; "" if none
};

struct Program {
  std::string name;
  std::string target = "Ascend910B1";
  KernelType type = KernelType::AIV_ONLY;
  bool auto_sync = true;
  uint32_t registers = 0;          // all registers; r0.. are constants, then parameters, the rest start at 0
  std::vector<uint64_t> constants; // registers 0 .. constants.size()-1
  std::vector<Param> params;       // registers constants.size() .. +params.size()-1
  std::vector<Instr> code;
  std::vector<SlotRef> operands;
  std::vector<Object> objects;
  std::vector<ScalarArray> arrays;
  std::vector<std::string> strings; // [0] is ""
  std::vector<Site> sites;          // sites[0] = nowhere
  std::vector<uint32_t> site_of;    // per instruction: index into sites
  uint64_t table = 0;               // table_hash() of the producer
};

/// Whether there is a call of the API with this name.
inline bool calls(const Program &program, std::string_view name) {
  return std::any_of(program.code.begin(), program.code.end(),
                     [&](const Instr &i) { return i.op == Op::Api && rows()[i.dst]->name == name; });
}

} // namespace asc
