// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the framework keeps on a core: the memory that a TPipe and its pools give out, the buffers of the queues with their states, and
// which event ids are taken (01-memory section 5).
#pragma once

#include "apis/queue.h"
#include "isa/program.h"
#include "sim/matmul.h"

#include <map>

namespace asc::sim {

enum class BufferState : uint8_t { Free, Occupied, Enqueued, Dequeued };

/// A buffer of a queue.
struct QueueBuffer {
  uint64_t address;
  uint32_t pc = 0; // of the last change of its state
  BufferState state = BufferState::Free;
  int32_t tag = -1;                   // assumption "user tags"
  uint8_t ready_event = 0;            // while a flag of it is set, its id is in ready_id
  int8_t ready_id = -1, free_id = -1; // -1: no flag pending
};

/// The state of an Object of the program.
struct ObjectState {
  bool has_memory = false;
  uint32_t pc = kNoRegister;     // where it got its memory
  uint64_t start = 0, bytes = 0; // queue: of each buffer; allocator: bytes given out
  // Queues. The positions of the ring hold numbers of buffers.
  std::vector<QueueBuffer> buffers;
  std::array<uint8_t, kMaxQueueDepth> ring = {};
  uint8_t head = 0, used = 0, cursor = 0;
  // Pools.
  uint64_t given = 0;
  unsigned count = 0;

  QueueBuffer *buffer_at(uint64_t address) {
    const uint64_t n = address - start;
    return address >= start && n < buffers.size() * bytes ? &buffers[n / bytes] : nullptr;
  }
};

/// Ids of all events that are taken, one bit each.
struct EventIds {
  std::array<uint8_t, kEvents> taken = {};
  /// The lowest id that is not taken; -1 when all are.
  int lowest(unsigned event) const { return taken[event] == 0xFF ? -1 : std::countr_one(taken[event]); }
  void take(unsigned event, unsigned id) { taken[event] |= uint8_t(1u << id); }
  void release(unsigned event, unsigned id) { taken[event] &= uint8_t(~(1u << id)); }
  bool is_taken(unsigned event, unsigned id) const { return taken[event] >> id & 1; }
};

struct Framework {
  enum class Pipe : uint8_t { None, Alive, Destroyed } pipe = Pipe::None;
  std::array<uint64_t, kMemories> given = {}; // bytes of each memory that the TPipe gave out
  unsigned count = 0;                         // buffers of the TPipe
  EventIds ids;
  std::vector<ObjectState> objects;
  std::map<uint32_t, MatmulState> matmuls; // by the number of the object

  void start(size_t size) {
    pipe = Pipe::None, given = {}, count = 0, ids = {};
    objects.assign(size, {});
    matmuls.clear();
  }
};

} // namespace asc::sim
