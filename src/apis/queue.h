// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of queues (01-memory section 5.3): between which positions a TQue lies, and the events that order its two sides.
#pragma once

#include "apis/types.h"

namespace asc {

struct QueueEnds {
  Position src, dst;
};

/// The ends of TQue(position); nothing where there is no such queue (use a TBuf).
constexpr std::optional<QueueEnds> queue_ends(Position position) {
  switch (position) {
  case Position::VECIN:
  case Position::A1:
  case Position::B1:
  case Position::C1: return QueueEnds{Position::GM, position};
  case Position::VECOUT:
  case Position::CO2: return QueueEnds{position, Position::GM};
  case Position::A2: return QueueEnds{Position::A1, position};
  case Position::B2: return QueueEnds{Position::B1, position};
  case Position::C2: return QueueEnds{Position::C1, position};
  case Position::CO1: return QueueEnds{position, Position::CO2};
  default: return std::nullopt;
  }
}

/// Where the buffers of a queue are: at its destination, unless that is global memory.
constexpr Position queue_position(QueueEnds ends) { return memory_of(ends.dst) == Memory::GM ? ends.src : ends.dst; }

/// Events of a queue, as numbers of kEventInfo.
struct QueueEvents {
  uint8_t ready; // set by enque, waited for by deque
  uint8_t free;  // set by free_tensor, waited for by alloc_tensor
};

/// The event that `src` sets and `dst` waits for, if there is one.
constexpr std::optional<uint8_t> event_between(Pipe src, Pipe dst) {
  for (unsigned i = 0; i < kEvents; ++i)
    if (kEventInfo[i].src == src && kEventInfo[i].dst == dst) return uint8_t(i);
  return std::nullopt;
}

/// Nothing where data has no way from one end to the other.
constexpr std::optional<QueueEvents> queue_events(QueueEnds ends) {
  struct Path {
    Memory src, dst;
    Pipe producer, consumer;
  };
  constexpr Path kPaths[] = {
      {Memory::GM, Memory::UB, Pipe::MTE2, Pipe::V},    {Memory::UB, Memory::GM, Pipe::V, Pipe::MTE3},
      {Memory::UB, Memory::UB, Pipe::MTE2, Pipe::MTE3}, {Memory::GM, Memory::L1, Pipe::MTE2, Pipe::MTE1},
      {Memory::UB, Memory::L1, Pipe::MTE3, Pipe::MTE1}, {Memory::GM, Memory::L0A, Pipe::MTE2, Pipe::M},
      {Memory::GM, Memory::L0B, Pipe::MTE2, Pipe::M},   {Memory::L1, Memory::L0A, Pipe::MTE1, Pipe::M},
      {Memory::L1, Memory::L0B, Pipe::MTE1, Pipe::M},   {Memory::L1, Memory::BT, Pipe::MTE1, Pipe::M},
      {Memory::L1, Memory::FB, Pipe::MTE1, Pipe::FIX},  {Memory::L0C, Memory::GM, Pipe::M, Pipe::FIX},
  };
  for (const Path &p : kPaths)
    if (p.src == memory_of(ends.src) && p.dst == memory_of(ends.dst))
      return QueueEvents{*event_between(p.producer, p.consumer), *event_between(p.consumer, p.producer)};
  return std::nullopt;
}
static_assert(kEventInfo[queue_events(*queue_ends(Position::VECIN))->ready].name == "MTE2_V");
static_assert(kEventInfo[queue_events(*queue_ends(Position::VECOUT))->free].name == "MTE3_V");

/// What a kernel can ask of a queue.
enum class QueueQuery : uint8_t { Vacant, HasTensor, Count, Idle };
inline constexpr unsigned kQueueQueries = 4;
inline constexpr std::array<std::string_view, kQueueQueries> kQueueQueryNames = {"vacant_in_que", "has_tensor_in_que",
                                                                                 "get_tensor_count_in_que", "has_idle_buffer"};

/// Bytes of memory that a buffer, TBuf or pool of `bytes` bytes takes.
constexpr uint64_t buffer_bytes(uint64_t bytes) { return (bytes + 31) / 32 * 32; }

inline constexpr unsigned kMaxBuffers = 64;     // of all queues and TBufs of a TPipe
inline constexpr unsigned kMaxPoolBuffers = 16; // of a TBufPool
inline constexpr unsigned kMaxQueueDepth = 8;   // as many events as there are of one kind

} // namespace asc
