// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fields of each scalar instruction mean. Validation, listing, parser and the simulator's decoder read this table.
#pragma once

#include "apis/scalar.h"
#include "isa/program.h"

namespace asc {

/// Use of an instruction's dst, a or b.
enum class Use : uint8_t {
  None,     // 0
  Read,     // register
  Write,    // register
  Update,   // register, read and written
  ReadPair, // register and the next: a tensor
  WritePair,
  UpdatePair, // the first is read, both are written
  MaybeRead,  // register, or kNoRegister
  MaybeReadPair,
  Target,   // index into the code
  Row,      // row number
  Number,   // a plain number
  Operands, // index into the operands
  Text,     // index into the strings: a format
  String,   // index into the strings
  Count,    // how many operands
  Result,   // register to write, when the row has a result; else kNoRegister
  Object,   // index into the objects
  Queue,    // the same, of that kind
  Buffer,
  Pool,
  Allocator,
  Matmul,
  Owner,   // a pool, or kNoRegister
  Array,   // index into the arrays
  Mode,    // of a cross-core flag
  Barrier, // a DataBarrier
  Pointer, // of the core (types.h)
};

/// The kinds of object that a use names; 0: it names none.
constexpr unsigned object_kinds(Use use) {
  const auto only = [](ObjectKind kind) { return 1u << unsigned(kind); };
  switch (use) {
  case Use::Object: return ~0u;
  case Use::Queue: return only(ObjectKind::Queue);
  case Use::Buffer: return only(ObjectKind::Buffer);
  case Use::Owner:
  case Use::Pool: return only(ObjectKind::Pool);
  case Use::Allocator: return only(ObjectKind::Allocator);
  case Use::Matmul: return only(ObjectKind::Matmul);
  default: return 0;
  }
}

/// Use of an instruction's aux.
enum class Aux : uint8_t { None, Type, Position, Event, Pipe, Query, Moment, Matmul, Form };

struct OpInfo {
  std::string_view name;
  Use dst, a, b;
  Aux aux;
  DTypes types; // legal operand types
};

inline constexpr DTypes kSigned = DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64;
inline constexpr DTypes kIntegers = kSigned | DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64;
inline constexpr DTypes kFloats = DType::Float16 | DType::BFloat16 | DType::Float32 | DType::Float64;
inline constexpr DTypes kNumbers = kIntegers | kFloats;
inline constexpr DTypes kIndices = kIntegers | DType::Bool;
inline constexpr DTypes kScalars = kNumbers | DType::Bool;
inline constexpr DTypes kNone = DType::Void;
inline constexpr DTypes kAny = kScalars | DType::Void;

/// Names of the scalar unit's arithmetic begin with s_, so that none is the name of an API.
inline constexpr std::array<OpInfo, kOps> kOpInfo = {{
    {"halt", Use::None, Use::None, Use::None, Aux::None, kAny},
    {"move", Use::Write, Use::Read, Use::None, Aux::None, kAny},
    {"move2", Use::WritePair, Use::ReadPair, Use::None, Aux::None, kAny},
    {"s_add", Use::Write, Use::Read, Use::Read, Aux::None, kNumbers},
    {"s_sub", Use::Write, Use::Read, Use::Read, Aux::None, kNumbers},
    {"s_mul", Use::Write, Use::Read, Use::Read, Aux::None, kNumbers},
    {"s_div", Use::Write, Use::Read, Use::Read, Aux::None, kNumbers},
    {"s_rem", Use::Write, Use::Read, Use::Read, Aux::None, kNumbers},
    {"s_floor_div", Use::Write, Use::Read, Use::Read, Aux::None, kNumbers},
    {"s_floor_mod", Use::Write, Use::Read, Use::Read, Aux::None, kNumbers},
    {"s_and", Use::Write, Use::Read, Use::Read, Aux::None, kIndices},
    {"s_or", Use::Write, Use::Read, Use::Read, Aux::None, kIndices},
    {"s_xor", Use::Write, Use::Read, Use::Read, Aux::None, kIndices},
    {"s_shl", Use::Write, Use::Read, Use::Read, Aux::None, kIntegers},
    {"s_shr", Use::Write, Use::Read, Use::Read, Aux::None, kIntegers},
    {"s_neg", Use::Write, Use::Read, Use::None, Aux::None, kNumbers},
    {"s_not", Use::Write, Use::Read, Use::None, Aux::None, kIndices},
    {"s_min", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_max", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_eq", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_ne", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_lt", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_le", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_gt", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_ge", Use::Write, Use::Read, Use::Read, Aux::None, kScalars},
    {"s_cast", Use::Write, Use::Read, Use::None, Aux::Type, kScalars},
    {"s_narrow", Use::Write, Use::Read, Use::None, Aux::Type, kIntegers},
    {"s_select", Use::Update, Use::Read, Use::Read, Aux::None, kAny},
    {"s_select2", Use::UpdatePair, Use::ReadPair, Use::ReadPair, Aux::None, kAny},
    {"jump", Use::None, Use::Target, Use::None, Aux::None, kAny},
    {"jump_if_zero", Use::None, Use::Read, Use::Target, Aux::None, kAny},
    {"local", Use::WritePair, Use::Read, Use::Read, Aux::Position, kScalars},
    {"global", Use::WritePair, Use::Read, Use::MaybeRead, Aux::None, kScalars},
    {"view", Use::WritePair, Use::ReadPair, Use::Read, Aux::Type, kScalars},
    {"resize", Use::WritePair, Use::ReadPair, Use::Read, Aux::None, kScalars},
    {"offset", Use::Write, Use::Read, Use::Read, Aux::Type, kScalars},
    {"size", Use::Write, Use::ReadPair, Use::None, Aux::None, kScalars},
    {"get_value", Use::Write, Use::ReadPair, Use::Read, Aux::Type, kScalars},
    {"set_value", Use::ReadPair, Use::Read, Use::Read, Aux::Type, kScalars},
    {"set_flag", Use::None, Use::Read, Use::None, Aux::Event, kAny},
    {"wait_flag", Use::None, Use::Read, Use::None, Aux::Event, kAny},
    {"pipe_barrier", Use::None, Use::None, Use::None, Aux::Pipe, kAny},
    {"data_sync_barrier", Use::None, Use::Barrier, Use::None, Aux::None, kNone},
    {"cross_core_set_flag", Use::None, Use::Read, Use::Mode, Aux::Pipe, kNone},
    {"cross_core_wait_flag", Use::None, Use::Read, Use::None, Aux::None, kNone},
    {"set_pointer", Use::Pointer, Use::Read, Use::None, Aux::None, kNone},
    {"get_pointer", Use::Write, Use::Pointer, Use::None, Aux::None, kNone},
    {"construct", Use::Object, Use::None, Use::None, Aux::None, kNone},
    {"pipe_init", Use::None, Use::None, Use::None, Aux::None, kNone},
    {"pipe_reset", Use::None, Use::None, Use::None, Aux::None, kNone},
    {"pipe_destroy", Use::None, Use::None, Use::None, Aux::None, kNone},
    {"init_queue", Use::Queue, Use::Owner, Use::ReadPair, Aux::None, kNone},
    {"init_buffer", Use::Buffer, Use::Owner, Use::Read, Aux::None, kNone},
    {"init_pool", Use::Pool, Use::Owner, Use::Read, Aux::None, kNone},
    {"share_pool", Use::Pool, Use::Pool, Use::Read, Aux::None, kNone},
    {"reset_pool", Use::Pool, Use::None, Use::None, Aux::None, kNone},
    {"alloc_tensor", Use::WritePair, Use::Queue, Use::None, Aux::None, kScalars},
    {"enque", Use::ReadPair, Use::Queue, Use::MaybeRead, Aux::Event, kNone},
    {"deque", Use::WritePair, Use::Queue, Use::None, Aux::Event, kScalars},
    {"deque_in_place", Use::ReadPair, Use::Queue, Use::None, Aux::Event, kNone},
    {"free_tensor", Use::ReadPair, Use::Queue, Use::None, Aux::None, kNone},
    {"free_all_event", Use::None, Use::Queue, Use::None, Aux::None, kNone},
    {"queue_state", Use::Write, Use::Queue, Use::None, Aux::Query, kNone},
    {"user_tag", Use::Write, Use::ReadPair, Use::None, Aux::None, kNone},
    {"stack_buffer", Use::WritePair, Use::None, Use::None, Aux::None, kScalars},
    {"list_init", Use::None, Use::Read, Use::ReadPair, Aux::None, kNone},
    {"list_size", Use::Write, Use::Read, Use::None, Aux::None, kNone},
    {"list_dim", Use::Write, Use::Read, Use::Read, Aux::None, kNone},
    {"list_shape", Use::Write, Use::Read, Use::ReadPair, Aux::None, kNone},
    {"list_data", Use::Write, Use::Read, Use::Read, Aux::None, kNone},
    {"list_tensor", Use::WritePair, Use::Read, Use::Read, Aux::None, kScalars},
    {"get_buffer", Use::WritePair, Use::Buffer, Use::MaybeReadPair, Aux::None, kScalars},
    {"alloc_event_id", Use::Write, Use::None, Use::None, Aux::Event, kNone},
    {"fetch_event_id", Use::Write, Use::None, Use::None, Aux::Event, kNone},
    {"release_event_id", Use::None, Use::Read, Use::None, Aux::Event, kNone},
    {"allocate", Use::WritePair, Use::Allocator, Use::Read, Aux::Position, kScalars},
    {"current_address", Use::Write, Use::Allocator, Use::None, Aux::None, kNone},
    {"matmul", Use::Matmul, Use::Operands, Use::Count, Aux::Matmul, kNone},
    {"matmul_iterate", Use::Write, Use::Matmul, Use::Read, Aux::None, kNone},
    {"printf", Use::Text, Use::Operands, Use::Count, Aux::None, kNone},
    {"assert", Use::Text, Use::Operands, Use::Count, Aux::None, kNone},
    {"to_file", Use::String, Use::ReadPair, Use::None, Aux::None, kScalars},
    {"trap", Use::None, Use::None, Use::None, Aux::None, kNone},
    {"statement", Use::Number, Use::Operands, Use::Count, Aux::Moment, kNone},
    {"new_array", Use::Array, Use::None, Use::None, Aux::None, kScalars},
    {"fill_array", Use::Array, Use::Read, Use::None, Aux::None, kScalars},
    {"element", Use::Write, Use::Array, Use::Read, Aux::Type, kScalars},
    {"set_element", Use::Array, Use::Read, Use::Read, Aux::Type, kScalars},
    {"api", Use::Row, Use::Operands, Use::Result, Aux::Form, kAny},
}};
/// The instruction of an operation of the scalar unit, and the other way round.
constexpr Op instruction(ScalarOp op) { return Op(unsigned(Op::Add) + unsigned(op)); }
constexpr ScalarOp scalar_op(Op op) { return ScalarOp(unsigned(op) - unsigned(Op::Add)); }
static_assert(instruction(ScalarOp::Xor) == Op::Xor && instruction(ScalarOp::Max) == Op::Max && instruction(ScalarOp::Ge) == Op::Ge);

constexpr const OpInfo &info(Op op) { return kOpInfo[unsigned(op)]; }

} // namespace asc
