// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of the framework. S executes them in program order; the flags that they set and wait for are flags like any other, on
// the pipes of the queue's two sides.
#include "sim/framework.h"

#include "sim/machine.h"

namespace asc::sim {

static std::string_view class_of(const Object &object) {
  switch (object.kind) {
  case ObjectKind::Queue: return "TQue";
  case ObjectKind::Buffer: return "TBuf";
  case ObjectKind::Pool: return "TBufPool";
  case ObjectKind::Allocator: return "LocalMemAllocator";
  case ObjectKind::Matmul: return "Matmul";
  }
  return {};
}

/// "q_in", or "the TQue" of one without a name.
std::string Machine::object_name(uint32_t number) const {
  const Object &object = program().objects[number];
  return object.variable ? program().strings[object.variable] : "the " + std::string(class_of(object));
}

static std::string_view done_by(BufferState state) {
  switch (state) {
  case BufferState::Free: return "freed it";
  case BufferState::Occupied: return "allocated it";
  case BufferState::Enqueued: return "put it into the queue";
  case BufferState::Dequeued: return "took it out of the queue";
  }
  return {};
}

FindingSite Machine::history(const QueueBuffer &buffer) const {
  return {buffer.pc, Pipe::S, place_.number, std::string(done_by(buffer.state))};
}

static Memory memory_of(const Object &object) { return memory_of(queue_position({object.src, object.dst})); }
static QueueEvents events_of(const Object &object) { return *queue_events({object.src, object.dst}); }

// ---------------------------------------------------------------- TPipe

/// As init_soc_state, and all memory is free.
const Step *Machine::pipe_init(const Step &s) {
  core_.init_soc_state();
  framework_.pipe = Framework::Pipe::Alive;
  framework_.given = {}, framework_.count = 0, framework_.ids = {};
  for (ObjectState &object : framework_.objects) object = {};
  return &s + 1;
}

/// Waits for all buffers of queues that were freed; complains about those that were not.
bool Machine::settle(const Step &s) {
  for (uint32_t i = 0; i < framework_.objects.size(); ++i) {
    const Object &object = program().objects[i];
    if (object.kind != ObjectKind::Queue) continue;
    for (QueueBuffer &buffer : framework_.objects[i].buffers)
      if (buffer.state != BufferState::Free)
        report_not_freed(i, buffer);
      else if (!wait_free(s, object, buffer))
        return false;
  }
  return true;
}

void Machine::report_not_freed(uint32_t number, const QueueBuffer &buffer) {
  if (!launch_->report.wanted("Q107", place_.number, buffer.pc)) return;
  const std::string queue = object_name(number);
  const bool queued = buffer.state == BufferState::Enqueued;
  launch_->report.add({"Q107",
                       "a tensor of " + queue + " is " + (queued ? "still in the queue" : "not freed") +
                           " at the end: its buffer is lost to the next user, and its flag stays set for the next kernel",
                       {history(buffer)},
                       queued ? "take it out with " + queue + ".deque(dtype), use it, and free it with " + queue + ".free_tensor(tensor)"
                              : "call " + queue + ".free_tensor(tensor) after the last use of the tensor"});
}

const Step *Machine::pipe_reset(const Step &s) {
  if (!settle(s)) return nullptr;
  return pipe_init(s);
}

const Step *Machine::pipe_destroy(const Step &s) {
  if (framework_.pipe != Framework::Pipe::Alive) return &s + 1;
  if (!settle(s) || !wait_for_all(s)) return nullptr;
  framework_.pipe = Framework::Pipe::Destroyed;
  return &s + 1;
}

// ---------------------------------------------------------------- memory for objects

const Step *Machine::construct(const Step &s) {
  framework_.objects[s.dst] = {};
  framework_.matmuls.erase(s.dst);
  return &s + 1;
}

/// Finds `count` buffers of `bytes` bytes for object `s.dst` at its owner `s.a`; nothing after a fault.
bool Machine::place(const Step &s, uint64_t count, uint64_t bytes) {
  const Object &object = program().objects[s.dst];
  ObjectState &state = framework_.objects[s.dst];
  const Memory memory = memory_of(object);
  const std::string name = object_name(s.dst), holder = s.a == kNoRegister ? std::string(info(memory).name) : object_name(s.a);
  if (framework_.pipe != Framework::Pipe::Alive)
    return fault({"Q111", name + " is initialised after the TPipe was destroyed", {site(s, Pipe::S)}, "destroy the TPipe last"});
  if (state.has_memory)
    return fault({"Q109",
                  name + " is initialised twice",
                  {site(s, Pipe::S), {state.pc, Pipe::S, place_.number, "initialised it before"}},
                  "call init_buffer once for every object, or reset() the TPipe between the two"});
  const uint64_t most = s.a == kNoRegister ? kMaxBuffers : program().objects[s.a].depth;
  if (count == 0 || count > most || bytes == 0 || int64_t(bytes) < 0)
    return fault({"Q109",
                  name + " gets " + plural(int64_t(count), "buffer") + " of " + std::to_string(int64_t(bytes)) + " bytes, expected 1 to " +
                      std::to_string(most) + " buffers of at least 1 byte",
                  {site(s, Pipe::S)},
                  "check the arguments of init_buffer: the number of buffers, and the bytes of one"});
  uint64_t start = 0, room = info(memory).bytes, *given = &framework_.given[unsigned(memory)];
  unsigned *buffers = &framework_.count;
  if (s.a != kNoRegister) {
    ObjectState &pool = framework_.objects[s.a];
    if (memory_of(program().objects[s.a]) != memory)
      return fault({"Q114",
                    name + " lies in " + std::string(info(memory).name) + " and " + holder + " in " +
                        std::string(info(memory_of(program().objects[s.a])).name),
                    {site(s, Pipe::S)},
                    "use a TBufPool at a position of the same memory"});
    if (!pool.has_memory)
      return fault({"Q109", holder + " has no memory yet", {site(s, Pipe::S)}, "call init_buf_pool for it first (again after reset())"});
    start = pool.start, room = pool.bytes, given = &pool.given, buffers = &pool.count;
  }
  if (*buffers + count > most)
    return fault({"Q114",
                  "with " + name + ", " + (s.a == kNoRegister ? "the TPipe" : holder) + " would have " +
                      plural(*buffers + count, "buffer") + ", and it can have " + std::to_string(most),
                  {site(s, Pipe::S)},
                  s.a == kNoRegister ? "use fewer buffers" : "use fewer buffers, or give the TBufPool a larger buf_id_size"});
  const uint64_t size = buffer_bytes(bytes), left = room - *given;
  if (size < bytes || size > left / count) {
    Finding finding{"Q110",
                    name + " does not fit " + holder + ": " + plural(count, "buffer") + " of " + std::to_string(size) + " bytes, and " +
                        plural(left, "byte") + " of " + std::to_string(room) + " are left",
                    {site(s, Pipe::S)},
                    "use smaller or fewer buffers; what has the memory is listed above"};
    for (uint32_t i = 0; i < framework_.objects.size(); ++i) {
      const ObjectState &other = framework_.objects[i];
      if (!other.has_memory || program().objects[i].kind == ObjectKind::Allocator || memory_of(program().objects[i]) != memory) continue;
      const uint64_t end = other.start + other.bytes * std::max<size_t>(other.buffers.size(), 1);
      finding.sites.push_back({other.pc, Pipe::S, place_.number,
                               object_name(i) + " has bytes " + std::to_string(other.start) + ".." + std::to_string(end - 1)});
    }
    return fault(std::move(finding));
  }
  state.has_memory = true, state.pc = pc_of(s), state.start = start + *given, state.bytes = size;
  *given += size * count, *buffers += unsigned(count);
  return true;
}

const Step *Machine::init_queue(const Step &s) {
  const Object &object = program().objects[s.dst];
  const uint64_t count = registers_[s.b];
  if (!place(s, count, registers_[s.b + 1])) return nullptr;
  ObjectState &queue = framework_.objects[s.dst];
  for (uint64_t i = 0; i < count; ++i) {
    QueueBuffer &buffer = queue.buffers.emplace_back(QueueBuffer{queue.start + i * queue.bytes, pc_of(s)});
    if (object.depth > 0) continue;
    // An in-place queue has its events for good, and begins with all buffers free.
    const QueueEvents events = events_of(object);
    buffer.ready_event = events.ready;
    if (!take_id(s, events.ready, buffer.ready_id) || !take_id(s, events.free, buffer.free_id)) return nullptr;
    if (!set(s, events.free, unsigned(buffer.free_id))) return nullptr;
  }
  return &s + 1;
}

/// Of a buffer or a pool.
const Step *Machine::init_memory(const Step &s) { return place(s, 1, registers_[s.b]) ? &s + 1 : nullptr; }

const Step *Machine::share_pool(const Step &s) {
  ObjectState &pool = framework_.objects[s.dst];
  const ObjectState &shared = framework_.objects[s.a];
  const uint64_t bytes = buffer_bytes(registers_[s.b]);
  const bool same = memory_of(program().objects[s.dst]) == memory_of(program().objects[s.a]);
  if (!shared.has_memory || !same || int64_t(registers_[s.b]) < 0 || bytes > shared.bytes)
    return fault(
        {"Q114",
         object_name(s.dst) + " cannot share the memory of " + object_name(s.a) + ": " +
             (!shared.has_memory ? "that has none yet"
              : !same            ? "that lies in another memory"
                      : "that has " + plural(shared.bytes, "byte") + ", and " + std::to_string(int64_t(registers_[s.b])) + " are wanted"),
         {site(s, Pipe::S)},
         "share the memory of a TBufPool that is initialised, lies in the same memory and is at least as long"});
  pool = {};
  pool.has_memory = true, pool.pc = pc_of(s), pool.start = shared.start, pool.bytes = shared.bytes;
  return &s + 1;
}

const Step *Machine::reset_pool(const Step &s) {
  const ObjectState &pool = framework_.objects[s.dst];
  for (uint32_t i = 0; pool.has_memory && i < framework_.objects.size(); ++i) {
    ObjectState &queue = framework_.objects[i];
    if (program().objects[i].kind != ObjectKind::Queue || memory_of(program().objects[i]) != memory_of(program().objects[s.dst])) continue;
    if (!queue.has_memory || queue.start < pool.start || queue.start >= pool.start + pool.bytes) continue;
    for (QueueBuffer &buffer : queue.buffers)
      if (buffer.state == BufferState::Free && !wait_free(s, program().objects[i], buffer)) return nullptr;
  }
  framework_.objects[s.dst] = {};
  return &s + 1;
}

// ---------------------------------------------------------------- queues

/// Takes the lowest id of an event that is not in use.
bool Machine::take_id(const Step &s, unsigned event, int8_t &id) {
  const int lowest = framework_.ids.lowest(event);
  if (lowest < 0)
    return fault(
        {"Q108",
         "all " + std::to_string(kEventIds) + " ids of " + std::string(kEventInfo[event].name) + " are in use",
         {site(s, Pipe::S)},
         "give ids back with release_event_id, and keep fewer tensors in queues and freed buffers: every one of them takes an id of its event"});
  id = int8_t(lowest);
  framework_.ids.take(event, unsigned(lowest));
  return true;
}

/// Waits for the flag that says that a freed buffer may be used again.
bool Machine::wait_free(const Step &s, const Object &object, QueueBuffer &buffer) {
  if (buffer.free_id < 0) return true;
  const unsigned event = events_of(object).free, id = unsigned(buffer.free_id);
  if (!wait(s, event, id)) return false;
  if (object.depth == 0) return true;
  framework_.ids.release(event, id);
  buffer.free_id = -1;
  return true;
}

/// The queue in `s.a` with its memory.
ObjectState *Machine::queue_of(const Step &s) {
  ObjectState &queue = framework_.objects[s.a];
  if (framework_.pipe == Framework::Pipe::Destroyed) {
    fault({"Q111", object_name(s.a) + " is used after the TPipe was destroyed", {site(s, Pipe::S)}, "destroy the TPipe last"});
    return nullptr;
  }
  if (queue.has_memory) return &queue;
  fault({"Q109", object_name(s.a) + " has no memory yet", {site(s, Pipe::S)}, "call init_buffer for it first (again after reset())"});
  return nullptr;
}

/// The buffer that the tensor in register `s.dst` is in or a part of.
QueueBuffer *Machine::buffer_of(const Step &s, ObjectState &queue) {
  const Address address(registers_[s.dst]);
  if (address.memory() == memory_of(program().objects[s.a]))
    if (QueueBuffer *buffer = queue.buffer_at(uint64_t(address.offset()))) return buffer;
  const std::string name = operand_name(s, 0);
  fault({"Q101",
         name + " does not belong to " + object_name(s.a) + ": it is at byte " + std::to_string(address.offset()) +
             ", the buffers of the queue are bytes " + std::to_string(queue.start) + ".." +
             std::to_string(queue.start + queue.bytes * queue.buffers.size() - 1),
         {site(s, Pipe::S), {queue.pc, Pipe::S, place_.number, "gave the queue its buffers"}},
         "give a tensor back to the queue that it was allocated from"});
  return nullptr;
}

const Step *Machine::user_tag(const Step &s) {
  const Address address(registers_[s.a]);
  int64_t tag = -1;
  for (uint32_t i = 0; i < framework_.objects.size(); ++i) {
    const Object &object = program().objects[i];
    if (object.kind != ObjectKind::Queue || memory_of(object) != address.memory()) continue;
    if (const QueueBuffer *buffer = framework_.objects[i].buffer_at(uint64_t(address.offset()))) tag = buffer->tag;
  }
  registers_[s.dst] = uint64_t(tag);
  return &s + 1;
}

/// The last 64 bytes of UB belong to the library of matrix multiplication.
const Step *Machine::stack_buffer(const Step &s) {
  constexpr uint64_t kKept = 64;
  if (framework_.pipe != Framework::Pipe::Alive)
    return fault({"Q111",
                  "pop_stack_buffer is called without a TPipe",
                  {site(s, Pipe::S)},
                  "make the TPipe first, and destroy it last: pipe = asc.TPipe()"});
  const uint64_t start = framework_.given[unsigned(Memory::UB)], end = info(Memory::UB).bytes - kKept;
  if (start >= end)
    return fault({"Q110",
                  "pop_stack_buffer finds nothing left of UB: the TPipe has given out " + plural(start, "byte") + " of " +
                      std::to_string(info(Memory::UB).bytes),
                  {site(s, Pipe::S)},
                  "use smaller or fewer buffers"});
  registers_[s.dst] = Address(Memory::UB, 0, int64_t(start)).word;
  registers_[s.dst + 1] = end - start;
  return &s + 1;
}

const Step *Machine::alloc_tensor(const Step &s) {
  ObjectState *queue = queue_of(s);
  if (!queue) return nullptr;
  const Object &object = program().objects[s.a];
  for (size_t probes = 0; probes < queue->buffers.size(); ++probes) {
    QueueBuffer &buffer = queue->buffers[queue->cursor];
    queue->cursor = uint8_t((queue->cursor + 1u) % queue->buffers.size());
    if (buffer.state != BufferState::Free) continue;
    if (!wait_free(s, object, buffer)) return nullptr;
    buffer.state = BufferState::Occupied, buffer.pc = pc_of(s), buffer.tag = -1;
    registers_[s.dst] = Address(memory_of(object), 0, int64_t(buffer.address)).word;
    registers_[s.dst + 1] = queue->bytes;
    return &s + 1;
  }
  Finding finding{"Q106",
                  "deadlock in " + own_name() + ": alloc_tensor waits for a free buffer of " + object_name(s.a) + ", and none of its " +
                      plural(queue->buffers.size(), "buffer") + " will ever be free",
                  {site(s, Pipe::S, "waits for a free buffer")},
                  "free every tensor after its last use, or give init_buffer more buffers"};
  for (const QueueBuffer &buffer : queue->buffers) finding.sites.push_back(history(buffer));
  return fault(std::move(finding));
}

const Step *Machine::enque(const Step &s) {
  ObjectState *queue = queue_of(s);
  QueueBuffer *buffer = queue ? buffer_of(s, *queue) : nullptr;
  if (!buffer) return nullptr;
  const Object &object = program().objects[s.a];
  if (buffer->state == BufferState::Free || buffer->state == BufferState::Enqueued) {
    const bool free = buffer->state == BufferState::Free;
    return fault(
        {"Q102",
         operand_name(s, 0) + " goes into " + object_name(s.a) + (free ? ", and its buffer is free" : ", and it is in the queue already"),
         {site(s, Pipe::S), history(*buffer)},
         free ? "enque a tensor between its alloc_tensor and its free_tensor" : "deque it before it is put in again"});
  }
  if (object.depth > 0) {
    if (queue->used == object.depth) {
      Finding finding{
          "Q104",
          object_name(s.a) + " is full: it has depth " + std::to_string(object.depth) + " and " + plural(queue->used, "tensor") + " in it",
          {site(s, Pipe::S)},
          "deque a tensor before the next enque, or make the queue deeper: asc.TQue(position, " + std::to_string(object.depth + 1) + ")"};
      for (unsigned i = 0; i < queue->used; ++i)
        finding.sites.push_back(history(queue->buffers[queue->ring[(queue->head + i) % object.depth]]));
      return fault(std::move(finding));
    }
    if (!take_id(s, s.aux, buffer->ready_id)) return nullptr;
    buffer->ready_event = s.aux;
    queue->ring[(queue->head + queue->used++) % object.depth] = uint8_t(buffer - queue->buffers.data());
  }
  if (s.b != kNoRegister) buffer->tag = int32_t(registers_[s.b]);
  buffer->state = BufferState::Enqueued, buffer->pc = pc_of(s);
  return set(s, buffer->ready_event, unsigned(buffer->ready_id)) ? &s + 1 : nullptr;
}

const Step *Machine::deque(const Step &s) {
  ObjectState *queue = queue_of(s);
  if (!queue) return nullptr;
  const Object &object = program().objects[s.a];
  if (queue->used == 0) {
    Finding finding{"Q105",
                    "deadlock in " + own_name() + ": deque waits for a tensor in " + object_name(s.a) +
                        ", which is empty, and nothing comes after",
                    {site(s, Pipe::S, "waits for a tensor")},
                    "enque a tensor for every deque, on every path through the kernel"};
    for (const QueueBuffer &buffer : queue->buffers)
      if (buffer.state != BufferState::Free) finding.sites.push_back(history(buffer));
    return fault(std::move(finding));
  }
  QueueBuffer &buffer = queue->buffers[queue->ring[queue->head]];
  if (buffer.ready_event != s.aux)
    return fault(
        {"Q112",
         "deque waits for " + std::string(kEventInfo[s.aux].name) + " and enque set " + std::string(kEventInfo[buffer.ready_event].name),
         {site(s, Pipe::S), history(buffer)},
         "give enque and deque of a tensor the same positions"});
  queue->head = uint8_t((queue->head + 1u) % object.depth), --queue->used;
  if (!wait(s, s.aux, unsigned(buffer.ready_id))) return nullptr;
  framework_.ids.release(s.aux, unsigned(buffer.ready_id));
  buffer.ready_id = -1;
  buffer.state = BufferState::Dequeued, buffer.pc = pc_of(s);
  registers_[s.dst] = Address(memory_of(object), 0, int64_t(buffer.address)).word;
  registers_[s.dst + 1] = queue->bytes;
  return &s + 1;
}

const Step *Machine::deque_in_place(const Step &s) {
  ObjectState *queue = queue_of(s);
  QueueBuffer *buffer = queue ? buffer_of(s, *queue) : nullptr;
  if (!buffer) return nullptr;
  if (buffer->state != BufferState::Enqueued)
    return fault({"Q105",
                  "deadlock in " + own_name() + ": deque waits for " + operand_name(s, 0) + ", which is not in " + object_name(s.a),
                  {site(s, Pipe::S, "waits for the tensor"), history(*buffer)},
                  "enque a tensor for every deque, on every path through the kernel"});
  if (!wait(s, buffer->ready_event, unsigned(buffer->ready_id))) return nullptr;
  buffer->state = BufferState::Dequeued, buffer->pc = pc_of(s);
  return &s + 1;
}

const Step *Machine::free_tensor(const Step &s) {
  ObjectState *queue = queue_of(s);
  QueueBuffer *buffer = queue ? buffer_of(s, *queue) : nullptr;
  if (!buffer) return nullptr;
  const Object &object = program().objects[s.a];
  if (buffer->state == BufferState::Free)
    return fault({"Q103",
                  operand_name(s, 0) + " of " + object_name(s.a) + " is freed, and its buffer is free already",
                  {site(s, Pipe::S), history(*buffer)},
                  "free a tensor once, after its last use"});
  const unsigned event = events_of(object).free;
  if (object.depth > 0 && !take_id(s, event, buffer->free_id)) return nullptr;
  buffer->state = BufferState::Free, buffer->pc = pc_of(s);
  return set(s, event, unsigned(buffer->free_id)) ? &s + 1 : nullptr;
}

const Step *Machine::free_events(const Step &s) {
  ObjectState *queue = queue_of(s);
  if (!queue) return nullptr;
  for (QueueBuffer &buffer : queue->buffers)
    if (buffer.state == BufferState::Free && !wait_free(s, program().objects[s.a], buffer)) return nullptr;
  return &s + 1;
}

const Step *Machine::queue_state(const Step &s) {
  const ObjectState *queue = queue_of(s);
  if (!queue) return nullptr;
  uint64_t answer = 0;
  switch (QueueQuery(s.aux)) {
  case QueueQuery::Vacant: answer = queue->used < program().objects[s.a].depth; break;
  case QueueQuery::HasTensor: answer = queue->used > 0; break;
  case QueueQuery::Count: answer = queue->used; break;
  case QueueQuery::Idle:
    for (const QueueBuffer &buffer : queue->buffers) answer |= buffer.state == BufferState::Free;
    break;
  }
  registers_[s.dst] = answer;
  return &s + 1;
}

// ---------------------------------------------------------------- buffers, events, allocators

const Step *Machine::get_buffer(const Step &s) {
  const ObjectState *buffer = queue_of(s);
  if (!buffer) return nullptr;
  int64_t offset = 0, bytes = int64_t(buffer->bytes);
  if (s.b != kNoRegister) {
    const int64_t elements = int64_t(registers_[s.b]);
    offset = int64_t(registers_[s.b + 1]);
    const bool fits = elements > 0 && offset >= 0 && offset % 32 == 0 &&
                      !__builtin_mul_overflow(elements, int64_t(size_of(s.type)), &bytes) && bytes % 32 == 0 &&
                      offset <= int64_t(buffer->bytes) && bytes <= int64_t(buffer->bytes) - offset;
    if (!fits)
      return fault({"Q113",
                    plural(elements, "element") + " of " + std::string(name(s.type)) + " from byte " + std::to_string(offset) + " of " +
                        object_name(s.a) + ", expected a multiple of 32 bytes from a multiple of 32 on, within its " +
                        plural(buffer->bytes, "byte"),
                    {site(s, Pipe::S), {buffer->pc, Pipe::S, place_.number, "gave it its memory"}},
                    "check the number of elements and the offset, which counts bytes"});
  }
  registers_[s.dst] = Address(memory_of(program().objects[s.a]), 0, int64_t(buffer->start) + offset).word;
  registers_[s.dst + 1] = uint64_t(bytes);
  return &s + 1;
}

const Step *Machine::alloc_event(const Step &s) {
  int8_t id = 0;
  if (!take_id(s, s.aux, id)) return nullptr;
  registers_[s.dst] = uint64_t(id);
  return &s + 1;
}

const Step *Machine::fetch_event(const Step &s) {
  int8_t id = 0;
  if (!take_id(s, s.aux, id)) return nullptr;
  framework_.ids.release(s.aux, unsigned(id));
  registers_[s.dst] = uint64_t(id);
  return &s + 1;
}

const Step *Machine::release_event(const Step &s) {
  const int64_t id = int64_t(registers_[s.a]);
  if (id < 0 || id >= int64_t(kEventIds) || !framework_.ids.is_taken(s.aux, unsigned(id)))
    return fault({"Q115",
                  "id " + std::to_string(id) + " of " + std::string(kEventInfo[s.aux].name) + " is released, and it is not in use",
                  {site(s, Pipe::S)},
                  "release an id that alloc_event_id gave, once, with the same event"});
  framework_.ids.release(s.aux, unsigned(id));
  return &s + 1;
}

const Step *Machine::allocate(const Step &s) {
  ObjectState &allocator = framework_.objects[s.a];
  const Memory memory = memory_of(Position(s.aux));
  const int64_t elements = int64_t(registers_[s.b]), start = int64_t(allocator.bytes);
  int64_t bytes = 0;
  const bool fits =
      elements >= 0 && !__builtin_mul_overflow(elements, int64_t(size_of(s.type)), &bytes) && bytes <= int64_t(info(memory).bytes) - start;
  if (!fits || start % info(memory).alignment != 0)
    return fault({"Q116",
                  std::to_string(elements) + " elements of " + std::string(name(s.type)) + " from byte " + std::to_string(start) + " of " +
                      std::string(info(memory).name) +
                      (fits ? ", where no tensor may start" : ", which has " + plural(info(memory).bytes, "byte")),
                  {site(s, Pipe::S)},
                  fits ? "the allocator does not round up: let every tensor before have a multiple of " +
                             std::to_string(info(memory).alignment) + " bytes"
                       : "make the tensors smaller"});
  registers_[s.dst] = Address(memory, 0, start).word;
  registers_[s.dst + 1] = uint64_t(bytes);
  allocator.bytes += uint64_t(bytes);
  return &s + 1;
}

const Step *Machine::current_address(const Step &s) {
  registers_[s.dst] = framework_.objects[s.a].bytes;
  return &s + 1;
}

} // namespace asc::sim
