// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of the framework: TPipe, TQue and TQueBind, TBuf, TBufPool, LocalMemAllocator. Their objects are known while compiling; their
// methods become ops on the IR value that stands for the object.
#include "frontend/functions.h"

#include "apis/queue.h"
#include "apis/vector.h"

#include <algorithm>

namespace asc {

static mlir::Value ir(Compilation &c, nb::handle object) { return c.use(*as_object(object)); }
template <class Type> static Type type_of(nb::handle object) { return llvm::cast<Type>(as_object(object)->ir.getType()); }

template <class T> static nb::object make(const Compilation &c, mlir::Value value) { return c.make<T>(value, DType::Void); }

static std::string quoted(Position position) { return "asc.TPosition." + std::string(name(position)); }

static Position position_argument(Compilation &c, const Argument &argument, std::string_view what) {
  auto position = Position(member_argument(c, argument, "TPosition", what));
  if (position == Position::MAX)
    throw c.error("T305", std::string(what) + " is " + quoted(position) + ", which is no place", {}, argument.node);
  return position;
}
static Position on_chip_argument(Compilation &c, const Argument &argument, std::string_view what) {
  Position position = position_argument(c, argument, what);
  if (memory_of(position) == Memory::GM)
    throw c.error("T305", std::string(what) + " is " + quoted(position) + ", which is in global memory",
                  "use VECIN, VECOUT or VECCALC for the unified buffer", argument.node);
  return position;
}

static bool given(const Argument &argument) { return argument.value && !argument.value.is_none(); }

static Index int_argument(Compilation &c, const Argument &argument, std::string_view what) {
  At at(c, argument.node ? argument.node : c.node);
  return index(c, argument.value, what);
}

/// A number of buffers or bytes: more than none where it is known.
static Index positive(Compilation &c, const Argument &argument, std::string_view what, int64_t most, std::string_view why) {
  Index number = int_argument(c, argument, what);
  if (number.known && (*number.known < 1 || *number.known > most))
    throw c.error("T310",
                  std::string(what) + " is " + std::to_string(*number.known) + ", expected 1 to " + std::to_string(most) + " (" +
                      std::string(why) + ")",
                  {}, argument.node);
  return number;
}

// ---------------------------------------------------------------- TPipe

static nb::object pipe(Compilation &c, nb::handle, Bound) {
  if (c.singles.pipe.function)
    throw c.error("L307", "the kernel has a TPipe already", "pass it to functions as an argument, or call asc.get_tpipe_ptr()", nullptr,
                  {{"it is made here", span_of(c.singles.pipe.place)}});
  for (const Compilation::Single &allocator : c.singles.allocators)
    if (allocator.function)
      throw c.error("L311", "a TPipe and a LocalMemAllocator would hand out the same memory", "use one of the two", nullptr,
                    {{"the LocalMemAllocator is made here", span_of(allocator.place)}});
  c.singles.pipe = c.here();
  return make<TPipe>(c, c.ops.create<PipeOp>(c.loc(), PipeType::get(&c.context)));
}

nb::object get_tpipe_ptr(Compilation &c, nb::handle, Bound) {
  const Compilation::Single &pipe = c.singles.pipe;
  if (!pipe.function) throw c.error("L308", "the kernel has no TPipe yet", "make one first: pipe = asc.TPipe()");
  if (pipe.function == c.regions.front() && std::find(c.regions.begin(), c.regions.end(), pipe.region) == c.regions.end())
    throw c.error("L308", "the TPipe of the kernel has ended with the branch or loop that made it", "make it before the branch or loop",
                  nullptr, {{"it is made here", span_of(pipe.place)}});
  return make<TPipe>(c, c.ops.create<PipePtrOp>(c.loc(), PipeType::get(&c.context)));
}

template <class Op> static nb::object simple(Compilation &c, nb::handle self, Bound) {
  c.ops.create<Op>(c.loc(), ir(c, self));
  return nb::none();
}

static uint32_t event_argument(Compilation &c, const Argument &argument) {
  if (argument.value) return uint32_t(member_argument(c, argument, "HardEvent", "the event"));
  constexpr uint8_t kDefault = *event_between(Pipe::V, Pipe::S);
  return kDefault;
}
template <class Op> static nb::object event_id(Compilation &c, nb::handle self, Bound a) {
  mlir::Type type = scalar_type(c.context, DType::Int32);
  return c.make_scalar(c.ops.create<Op>(c.loc(), type, ir(c, self), event_argument(c, a[0])), DType::Int32);
}
static nb::object release_event_id(Compilation &c, nb::handle self, Bound a) {
  mlir::Value pipe = ir(c, self);
  Index id = int_argument(c, a[0], "the event id");
  c.ops.create<ReleaseEventIdOp>(c.loc(), pipe, event_argument(c, a[1]), id.ir);
  return nb::none();
}

static nb::object get_base_addr(Compilation &c, nb::handle self, Bound a) {
  Position position = on_chip_argument(c, a[0], "the position");
  mlir::Type type = scalar_type(c.context, DType::Int32);
  return c.make_scalar(c.ops.create<BaseAddressOp>(c.loc(), type, ir(c, self), uint32_t(position)), DType::Int32);
}

// ---------------------------------------------------------------- memory for queues, TBufs and pools

/// Throws when the bytes, where they are known, do not fit the memory, or do not come from this owner.
static void check_memory(Compilation &c, nb::handle owner, Position position, const Index &bytes, const Index *number, PyObject *node) {
  const MemoryInfo &memory = info(memory_of(position));
  if (as<TBufPool>(owner)) {
    auto at = Position(type_of<BufPoolType>(owner).getPosition());
    if (memory_of(at) != memory_of(position))
      throw c.error("T310",
                    "a pool at " + quoted(at) + " has memory of " + std::string(info(memory_of(at)).name) + ", and " + quoted(position) +
                        " is in " + std::string(memory.name),
                    "take the memory from the TPipe or from a pool of that memory");
  }
  if (!bytes.known || (number && !number->known)) return;
  const int64_t length = int64_t(buffer_bytes(uint64_t(*bytes.known))), count = number ? *number->known : 1;
  if (length * count > memory.bytes)
    throw c.error("T310",
                  std::to_string(count * length) + " bytes do not fit " + std::string(memory.name) + ", which has " +
                      std::to_string(memory.bytes) +
                      (count > 1 ? " (" + std::to_string(count) + " buffers of " + std::to_string(length) + ")" : ""),
                  "use at most " + std::to_string(memory.bytes / count / kBlockBytes * kBlockBytes) + " bytes" +
                      (count > 1 ? " for each, or fewer of them" : ""),
                  node);
}

static Index bytes_argument(Compilation &c, const Argument &argument, std::string_view what) {
  return positive(c, argument, what, INT32_MAX, "bytes");
}

static nb::object init_buffer(Compilation &c, nb::handle self, Bound a) {
  mlir::Value owner = ir(c, self);
  const Argument &object = a[0], &num = a[1], &len = a[2];
  if (as_queue(object.value)) {
    if (!given(num) || !given(len))
      throw c.error("L401", "init_buffer() needs 'num' and 'len' for a queue", "write init_buffer(queue, number of buffers, bytes of one)");
    mlir::Value queue = ir(c, object.value);
    Index number = positive(c, num, "the number of buffers", kMaxBuffers, "a TPipe has 64 buffers");
    Index bytes = bytes_argument(c, len, "the length of a buffer");
    check_memory(c, self, type_of<QueueType>(object.value).position(), bytes, &number, len.node);
    c.ops.create<InitQueueOp>(c.loc(), owner, queue, number.ir, bytes.ir);
    return nb::none();
  }
  if (!as<TBuf>(object.value))
    throw c.error("T103", "init_buffer() gives memory to a TQue, TQueBind or TBuf, and this is " + describe(object.value),
                  as<TBufPool>(object.value) ? "a pool gets its memory from init_buf_pool(pool, bytes)"
                                             : "write init_buffer(queue, number, bytes) or init_buffer(buf, bytes)",
                  object.node);
  if (given(num) == given(len))
    throw c.error("L401", "init_buffer() needs one number for a TBuf, its bytes", "write init_buffer(buf, bytes)");
  const Argument &size = given(num) ? num : len;
  mlir::Value buf = ir(c, object.value);
  Index bytes = bytes_argument(c, size, "the length of the TBuf");
  check_memory(c, self, Position(type_of<BufType>(object.value).getPosition()), bytes, nullptr, size.node);
  c.ops.create<InitBufOp>(c.loc(), owner, buf, bytes.ir);
  return nb::none();
}

static nb::object init_buf_pool(Compilation &c, nb::handle self, Bound a) {
  const Argument &pool = a[0], &len = a[1], &share = a[2];
  if (!as<TBufPool>(pool.value))
    throw c.error("T103", "init_buf_pool() gives memory to a TBufPool, and this is " + describe(pool.value),
                  "queues and TBufs get theirs from init_buffer()", pool.node);
  if (!given(len)) throw c.error("L401", "init_buf_pool() needs 'len', the bytes of the pool");
  mlir::Value owner = ir(c, self), object = ir(c, pool.value), shared;
  if (given(share)) {
    if (!as<TBufPool>(share.value))
      throw c.error("T103", "a pool shares the memory of a TBufPool, and this is " + describe(share.value),
                    "write init_buf_pool(pool, bytes, other_pool)", share.node);
    if (share.value.is(pool.value)) throw c.error("T310", "a pool cannot share its own memory", {}, share.node);
    shared = ir(c, share.value);
  }
  Index bytes = bytes_argument(c, len, "the length of the pool");
  auto position = Position(type_of<BufPoolType>(pool.value).getPosition());
  check_memory(c, self, position, bytes, nullptr, len.node);
  if (shared) check_memory(c, share.value, position, bytes, nullptr, len.node);
  c.ops.create<InitPoolOp>(c.loc(), owner, object, bytes.ir, shared);
  return nb::none();
}

// ---------------------------------------------------------------- queues

static nb::object new_queue(Compilation &c, QueueEnds ends, const Argument &depth, int64_t default_depth, bool bind) {
  int64_t number = given(depth) ? static_int(c, depth, "the depth") : default_depth;
  if (number < 0 || number > kMaxQueueDepth)
    throw c.error("T309", "the depth is " + std::to_string(number) + ", expected 0 to " + std::to_string(kMaxQueueDepth),
                  "the depth is how many tensors can wait in the queue; the number of buffers goes to init_buffer()", depth.node);
  mlir::Type type = QueueType::get(&c.context, unsigned(ends.src), unsigned(ends.dst), unsigned(number), bind);
  mlir::Value queue = c.ops.create<QueueOp>(c.loc(), type);
  return bind ? make<TQueBind>(c, queue) : make<TQue>(c, queue);
}

static nb::object que(Compilation &c, nb::handle, Bound a) {
  Position position = given(a[0]) ? position_argument(c, a[0], "the position of the queue") : Position::VECIN;
  std::optional<QueueEnds> ends = queue_ends(position);
  if (!ends || !queue_events(*ends))
    throw c.error("T308", "there is no TQue at " + quoted(position),
                  position == Position::VECCALC ? "scratch memory without a queue is a TBuf: asc.TBuf(asc.TPosition.VECCALC)"
                                                : "a TQue is at VECIN, VECOUT, A1, A2, B1, B2, C1, C2 or CO1",
                  a[0].node);
  return new_queue(c, *ends, a[1], 1, /*bind=*/false);
}

static nb::object que_bind(Compilation &c, nb::handle, Bound a) {
  auto end = [&](const Argument &argument, std::string_view what) {
    return given(argument) ? position_argument(c, argument, what) : Position::VECIN;
  };
  QueueEnds ends{end(a[0], "the source of the queue"), end(a[1], "the destination of the queue")};
  if (!queue_events(ends))
    throw c.error("T308", "no queue leads from " + quoted(ends.src) + " to " + quoted(ends.dst),
                  "for example, data comes in from GM to VECIN, and goes out from VECOUT to GM", a[1].node ? a[1].node : a[0].node);
  return new_queue(c, ends, a[2], 0, /*bind=*/true);
}

static mlir::Type tensor_type(Compilation &c, DType dtype, Position position) {
  return LocalTensorType::get(&c.context, element_type(c.context, dtype), unsigned(position));
}

/// Puts what a queue gives into the LocalTensor that was passed for it.
static nb::object fill(Compilation &c, const Argument &target, mlir::Value value, Position position) {
  LocalTensor &tensor = *as<LocalTensor>(target.value);
  tensor.ir = value, tensor.position = position, tensor.user_tag = {};
  if (target.node && syntax_of(target.node) == Syntax::Name) c.name_op(value, field(target.node, Child::id));
  return nb::none();
}

static nb::object alloc_tensor(Compilation &c, nb::handle self, Bound a) {
  mlir::Value queue = ir(c, self);
  Position position = type_of<QueueType>(self).position();
  auto *tensor = as<LocalTensor>(a[0].value);
  if (tensor) c.check_fillable(a[0].value);
  DType dtype = tensor ? tensor->dtype : dtype_argument(c, a[0], "the dtype of alloc_tensor");
  mlir::Value made = c.ops.create<AllocTensorOp>(c.loc(), tensor_type(c, dtype, position), queue);
  return tensor ? fill(c, a[0], made, position) : c.make_local(made, dtype, position);
}

/// The queue that a tensor certainly comes from; null when it is not known.
static mlir::Value origin(mlir::Value tensor) {
  for (;;) {
    mlir::Operation *op = tensor.getDefiningOp();
    if (auto view = llvm::dyn_cast_or_null<ViewOp>(op))
      tensor = view.getTensor();
    else if (llvm::isa_and_nonnull<ReinterpretCastOp, ResizeOp, ShiftOp>(op))
      tensor = op->getOperand(0);
    else if (auto alloc = llvm::dyn_cast_or_null<AllocTensorOp>(op))
      return alloc.getQueue();
    else if (auto deque = llvm::dyn_cast_or_null<DequeOp>(op))
      return deque.getQueue();
    else
      return {};
  }
}

/// The tensor of a call, which must be one of this queue as far as that is known.
static mlir::Value own_tensor(Compilation &c, nb::handle self, const Argument &argument, std::string_view method) {
  auto *tensor = as<LocalTensor>(argument.value);
  std::string call = std::string(method) + "()";
  if (!tensor)
    throw c.error("T103", call + " takes a LocalTensor, and this is " + describe(argument.value),
                  "pass what alloc_tensor() or deque() of the queue gave", argument.node);
  mlir::Value value = c.use(*tensor), queue = ir(c, self);
  Position position = type_of<QueueType>(self).position();
  const std::string help = "a queue takes the tensors that its alloc_tensor() and deque() gave";
  if (tensor->position != position)
    throw c.error("T311",
                  call + " gets a tensor at " + std::string(name(tensor->position)) + ", and tensors of this queue are at " +
                      std::string(name(position)),
                  help, argument.node);
  mlir::Value from = origin(value);
  if (from && from != queue && from.getDefiningOp<QueueOp>() && queue.getDefiningOp<QueueOp>())
    throw c.error("T311", call + " gets a tensor of another queue", help, argument.node,
                  {{"the tensor comes from here", span_of(value.getLoc())}});
  mlir::Operation *made = value.getDefiningOp();
  if (llvm::isa_and_nonnull<LocalTensorOp, AutoTensorOp, GetBufOp, AllocateOp>(made))
    throw c.error("T311", call + " gets a tensor that comes from no queue", help, argument.node,
                  {{"the tensor is made here", span_of(value.getLoc())}});
  return value;
}

/// The two positions that choose an event of their own; null without them.
static std::pair<mlir::IntegerAttr, mlir::IntegerAttr> user_positions(Compilation &c, const Argument &src, const Argument &dst) {
  if (!given(src) && !given(dst)) return {};
  if (!given(src) || !given(dst))
    throw c.error("L401", "one position is given, expected 'src_user_pos' and 'dst_user_pos' or none of them");
  QueueEnds ends{position_argument(c, src, "the source"), position_argument(c, dst, "the destination")};
  auto allowed = [](Position p) { return p == Position::GM || memory_of(p) == Memory::UB; };
  if (!allowed(ends.src) || !allowed(ends.dst) || !queue_events(ends))
    throw c.error("T308", "no queue leads from " + quoted(ends.src) + " to " + quoted(ends.dst) + " here",
                  "the positions are GM, VECIN, VECOUT and VECCALC, and not GM twice", dst.node);
  return {c.ops.getI32IntegerAttr(int32_t(ends.src)), c.ops.getI32IntegerAttr(int32_t(ends.dst))};
}

static nb::object enque(Compilation &c, nb::handle self, Bound a) {
  mlir::Value tensor = own_tensor(c, self, a[0], "enque");
  auto [src, dst] = user_positions(c, a[1], a[2]);
  const nb::object &tag = as<LocalTensor>(a[0].value)->user_tag;
  c.ops.create<EnqueOp>(c.loc(), ir(c, self), tensor, tag ? c.use(*as<PlainValue>(tag)) : mlir::Value(), src, dst);
  return nb::none();
}

static nb::object deque(Compilation &c, nb::handle self, Bound a) {
  mlir::Value queue = ir(c, self);
  auto type = type_of<QueueType>(self);
  auto *tensor = as<LocalTensor>(a[0].value);
  auto [src, dst] = user_positions(c, a[1], a[2]);
  if (type.getDepth() == 0) {
    if (!tensor || src)
      throw c.error("T312", "a queue of depth 0 works on the tensor in place",
                    tensor ? "leave the positions out" : "pass the tensor: q.deque(t), or give the queue a depth of 1 or more");
    c.ops.create<DequeInPlaceOp>(c.loc(), queue, own_tensor(c, self, a[0], "deque"));
    return nb::none();
  }
  if (tensor) c.check_fillable(a[0].value);
  DType dtype = tensor ? tensor->dtype : dtype_argument(c, a[0], "the dtype of deque");
  mlir::Value taken = c.ops.create<DequeOp>(c.loc(), tensor_type(c, dtype, type.position()), queue, src, dst);
  return tensor ? fill(c, a[0], taken, type.position()) : c.make_local(taken, dtype, type.position());
}

static nb::object free_tensor(Compilation &c, nb::handle self, Bound a) {
  mlir::Value tensor = own_tensor(c, self, a[0], "free_tensor");
  c.ops.create<FreeTensorOp>(c.loc(), ir(c, self), tensor);
  return nb::none();
}

template <QueueQuery kQuery> static nb::object queue_state(Compilation &c, nb::handle self, Bound) {
  if (kQuery == QueueQuery::Count && type_of<QueueType>(self).getDepth() == 0)
    throw c.error("T312", "a queue of depth 0 does not count its tensors", "give the queue a depth of 1 or more");
  constexpr DType kResult = kQuery == QueueQuery::Count ? DType::Int32 : DType::Bool;
  mlir::Value queue = ir(c, self);
  return c.make_scalar(c.ops.create<QueueStateOp>(c.loc(), scalar_type(c.context, kResult), uint32_t(kQuery), queue), kResult);
}

static nb::object custom_buffers(Compilation &c, nb::handle, Bound) {
  throw c.error("L108", "buffer handles of custom pools cannot be used in a kernel", "use a TBufPool: pool.init_buffer(queue, num, len)");
}

// ---------------------------------------------------------------- TBuf, TBufPool

static nb::object buf(Compilation &c, nb::handle, Bound a) {
  Position position = on_chip_argument(c, a[0], "the position of the TBuf");
  return make<TBuf>(c, c.ops.create<BufOp>(c.loc(), BufType::get(&c.context, unsigned(position))));
}

static nb::object part_of_buf(Compilation &c, nb::handle self, DType dtype, mlir::Value size, mlir::Value offset) {
  auto position = Position(type_of<BufType>(self).getPosition());
  mlir::Value tensor = c.ops.create<GetBufOp>(c.loc(), tensor_type(c, dtype, position), ir(c, self), size, offset);
  return c.make_local(tensor, dtype, position);
}

/// Nothing, False and 0 stand for the whole buffer.
static bool is_whole(const Argument &length) {
  if (!given(length)) return true;
  std::optional<Number> number = number_of(length.value);
  return number && number->kind != Number::Kind::Float && number->integer == 0;
}

static nb::object get(Compilation &c, nb::handle self, Bound a) {
  DType dtype = dtype_argument(c, a[0], "the dtype of get");
  Argument length = a[1], shape = a[2];
  if (length.value && !shape.value && (PyList_Check(length.value.ptr()) || PyTuple_Check(length.value.ptr())))
    shape = length, length = {}; // get(dtype, shape)
  if (given(shape) && !PySequence_Check(shape.value.ptr()))
    throw c.error("T103", "the shape is " + describe(shape.value) + ", expected a list of ints", "write [rows, columns]", shape.node);
  if (is_whole(length)) return part_of_buf(c, self, dtype, {}, {});
  return part_of_buf(c, self, dtype, element_index(c, length, "the number of elements").ir, {});
}

static nb::object get_with_offset(Compilation &c, nb::handle self, Bound a) {
  Index size = element_index(c, a[0], "the number of elements"), offset = element_index(c, a[1], "the offset");
  DType dtype = dtype_argument(c, a[2], "the dtype of get_with_offset");
  if (offset.known && *offset.known % 32)
    throw c.error("T313", "the offset is " + std::to_string(*offset.known) + ", expected a multiple of 32 bytes",
                  "the offset counts bytes, not elements", a[1].node);
  return part_of_buf(c, self, dtype, size.ir, offset.ir);
}

static nb::object buf_pool(Compilation &c, nb::handle, Bound a) {
  Position position = on_chip_argument(c, a[0], "the position of the pool");
  if (memory_of(position) != Memory::UB && memory_of(position) != Memory::L1)
    throw c.error("T305", "there is no TBufPool at " + quoted(position), "a pool is at VECIN, VECOUT, VECCALC, A1, B1 or C1", a[0].node);
  int64_t buffers = given(a[1]) ? static_int(c, a[1], "the number of buffers") : 4;
  if (buffers < 1 || buffers > kMaxPoolBuffers)
    throw c.error("T310", "a pool of " + std::to_string(buffers) + " buffers, expected 1 to " + std::to_string(kMaxPoolBuffers), {},
                  a[1].node);
  return make<TBufPool>(c, c.ops.create<BufPoolOp>(c.loc(), BufPoolType::get(&c.context, unsigned(position), unsigned(buffers))));
}

// ---------------------------------------------------------------- LocalMemAllocator

static nb::object allocator(Compilation &c, nb::handle, Bound a) {
  auto number = given(a[0]) ? member_argument(c, a[0], "Hardware", "the memory") : int64_t(Memory::UB);
  if (number < int64_t(Memory::UB) || number > int64_t(Memory::BT))
    throw c.error("T305", "there is no LocalMemAllocator of this memory", "use asc.Hardware.UB, L1, L0A, L0B, L0C or BIAS", a[0].node);
  auto memory = Memory(number);
  if (c.singles.pipe.function)
    throw c.error("L311", "a TPipe and a LocalMemAllocator would hand out the same memory", "use one of the two", nullptr,
                  {{"the TPipe is made here", span_of(c.singles.pipe.place)}});
  Compilation::Single &single = c.singles.allocators[unsigned(memory)];
  if (single.function)
    throw c.error("L311", "there is a LocalMemAllocator of " + std::string(info(memory).name) + " already",
                  "two of them would hand out the same memory; use the first one", nullptr, {{"it is made here", span_of(single.place)}});
  single = c.here();
  return make<LocalMemAllocator>(c, c.ops.create<AllocatorOp>(c.loc(), AllocatorType::get(&c.context, unsigned(memory))));
}

static nb::object alloc(Compilation &c, nb::handle self, Bound a) {
  Position position = on_chip_argument(c, a[0], "the position");
  auto memory = Memory(type_of<AllocatorType>(self).getMemory());
  if (memory_of(position) != memory)
    throw c.error("T305",
                  quoted(position) + " is in " + std::string(info(memory_of(position)).name) + ", and this allocator has " +
                      std::string(info(memory).name),
                  {}, a[0].node);
  DType dtype = dtype_argument(c, a[1], "the dtype of alloc");
  Index size = positive(c, a[2], "the size of the tensor", info(memory).bytes / size_of(dtype), "elements that fit the memory");
  mlir::Value tensor = c.ops.create<AllocateOp>(c.loc(), tensor_type(c, dtype, position), ir(c, self), size.ir);
  return c.make_local(tensor, dtype, position);
}

static nb::object get_cur_addr(Compilation &c, nb::handle self, Bound) {
  mlir::Type type = scalar_type(c.context, DType::UInt32);
  return c.make_scalar(c.ops.create<CurrentAddressOp>(c.loc(), type, ir(c, self)), DType::UInt32);
}

nb::object make_object(const Compilation &c, mlir::Value value) {
  if (nb::object aggregate = make_aggregate(c, value)) return aggregate;
  mlir::Type type = value.getType();
  if (auto queue = llvm::dyn_cast<QueueType>(type)) return queue.getBind() ? make<TQueBind>(c, value) : make<TQue>(c, value);
  if (llvm::isa<PipeType>(type)) return make<TPipe>(c, value);
  if (llvm::isa<BufType>(type)) return make<TBuf>(c, value);
  if (llvm::isa<BufPoolType>(type)) return make<TBufPool>(c, value);
  if (llvm::isa<MatmulType>(type)) return make<Matmul>(c, value);
  if (llvm::isa<TensorListType>(type)) return make<ListTensorDesc>(c, value);
  if (auto desc = llvm::dyn_cast<TensorDescType>(type)) return c.make<TensorDesc>(value, dtype_of(desc.getElement()));
  return make<LocalMemAllocator>(c, value);
}

// ---------------------------------------------------------------- tables

static constexpr std::string_view kInitBuffer = "que|buf, num=0, len=0", kInitBufPool = "buf_pool, len=0, share_buf=None",
                                  kEvent = "event=HardEvent.V_S";
static constexpr std::string_view kInitBufferDoc =
    "Gives memory to a queue (`num` buffers of `len` bytes) or to a TBuf (its bytes). Lengths are rounded up to 32 bytes.";
static constexpr std::string_view kInitBufPoolDoc = "Gives `len` bytes to a TBufPool: new ones, or those that the pool `share_buf` has.";

static constexpr Function kPipeMethods[] = {
    {"init_buffer", kInitBuffer, kInitBufferDoc, init_buffer, "InitBuffer"},
    {"init_buf_pool", kInitBufPool, kInitBufPoolDoc, init_buf_pool, "InitBufPool"},
    {"alloc_event_id", kEvent, "Takes an event id that is not in use (int32).", event_id<AllocEventIdOp>, "AllocEventID"},
    {"fetch_event_id", kEvent, "An event id that is not in use (int32), without taking it.", event_id<FetchEventIdOp>, "FetchEventID"},
    {"release_event_id", "id, event=HardEvent.V_S", "Gives an event id back.", release_event_id, "ReleaseEventID"},
    {"get_base_addr", "logic_pos", "Byte address at which the memory of a position begins (int32).", get_base_addr, "GetBaseAddr"},
    {"init", "", "Begins anew, as the constructor does.", simple<PipeInitOp>, "Init"},
    {"reset", "", "Waits for buffers that were given back, and takes all memory back.", simple<PipeResetOp>, "Reset"},
    {"destroy", "", "Waits for everything and ends the TPipe; the end of the kernel does it too.", simple<PipeDestroyOp>, "Destroy"},
};

static constexpr Function kQueueMethods[] = {
    {"alloc_tensor", "dtype|tensor", "Takes a free buffer: a LocalTensor of that dtype; a LocalTensor that is passed is filled in place.",
     alloc_tensor, "AllocTensor"},
    {"enque", "tensor, src_user_pos=, dst_user_pos=", "Appends a tensor to the queue: the producing pipe is done with it.", enque, "EnQue"},
    {"deque", "dtype|tensor, src_user_pos=, dst_user_pos=",
     "Takes the first tensor off the queue, for the consuming pipe; a LocalTensor that is passed is filled in place.", deque, "DeQue"},
    {"free_tensor", "tensor", "Gives the buffer of a tensor back.", free_tensor, "FreeTensor"},
    {"free_all_event", "", "Waits until no buffer that was given back is in use.", simple<FreeAllEventOp>, "FreeAllEvent"},
    {"vacant_in_que", "", "Whether another tensor can be enqueued (bool).", queue_state<QueueQuery::Vacant>, "VacantInQue"},
    {"has_tensor_in_que", "", "Whether a tensor is in the queue (bool).", queue_state<QueueQuery::HasTensor>, "HasTensorInQue"},
    {"get_tensor_count_in_que", "", "How many tensors are in the queue (int32).", queue_state<QueueQuery::Count>, "GetTensorCountInQue"},
    {"has_idle_buffer", "", "Whether a buffer is free (bool).", queue_state<QueueQuery::Idle>, "HasIdleBuffer"},
    {"init_start_buf_handle", "start_buf_handle, num, len", "For custom pools of Ascend C; kernels use a TBufPool.", custom_buffers,
     "InitStartBufHandle"},
    {"init_buf_handle", "buf_pool, index, buf_handle, cur_pool_addr, len", "For custom pools of Ascend C; kernels use a TBufPool.",
     custom_buffers, "InitBufHandle"},
};

static constexpr Function kBufMethods[] = {
    {"get", "dtype, len=None, shape=None", "The buffer, or its first `len` elements, as a LocalTensor.", get, "Get"},
    {"get_with_offset", "size, buf_offset, dtype", "`size` elements from byte `buf_offset` on, a multiple of 32.", get_with_offset,
     "GetWithOffset"},
};

static constexpr Function kPoolMethods[] = {
    {"init_buffer", kInitBuffer, kInitBufferDoc, init_buffer, "InitBuffer"},
    {"init_buf_pool", kInitBufPool, kInitBufPoolDoc, init_buf_pool, "InitBufPool"},
    {"reset", "", "Waits for buffers that were given back, and empties the pool.", simple<ResetPoolOp>, "Reset"},
};

static constexpr Function kAllocatorMethods[] = {
    {"alloc", "pos, data_type, tile_size", "The next `tile_size` elements as a LocalTensor; nothing is rounded up.", alloc, "Alloc"},
    {"get_cur_addr", "", "Byte address of the next tensor (uint32).", get_cur_addr, "GetCurAddr"},
};

static constexpr Function kTPipe = {"TPipe", "", "Owner of the on-chip memory and of the event ids; a kernel has one.", pipe};
static constexpr Function kTQueBind = {"TQueBind", "src=TPosition.VECIN, dst=TPosition.VECIN, depth=0, mask=0",
                                       "A queue of tensors between two positions; `depth` tensors can wait in it. `mask` has no effect.",
                                       que_bind};
static constexpr Function kTQue = {"TQue", "pos=TPosition.VECIN, depth=1, mask=0",
                                   "A queue of tensors at one position: VECIN for what comes in, VECOUT for what goes out; `depth` tensors "
                                   "can wait in it. `mask` has no effect.",
                                   que};
static constexpr Function kTBuf = {"TBuf", "pos", "Memory for what a kernel computes in between; nothing orders accesses to it.", buf};
static constexpr Function kTBufPool = {"TBufPool", "pos, buf_id_size=4",
                                       "Memory for at most `buf_id_size` buffers that other pools can use at another time.", buf_pool};
static constexpr Function kAllocator = {"LocalMemAllocator", "hard=Hardware.UB",
                                        "Hands out one on-chip memory from its start to its end, for kernels without a TPipe.", allocator};

std::span<const Class> framework_classes() {
  static constexpr Class kClasses[] = {
      {class_of<TPipe>, "TPipe", kPipeMethods, &kTPipe},
      {class_of<TQueBind>, "TQueBind", kQueueMethods, &kTQueBind},
      {class_of<TQue>, "TQue", kQueueMethods, &kTQue},
      {class_of<TBuf>, "TBuf", kBufMethods, &kTBuf},
      {class_of<TBufPool>, "TBufPool", kPoolMethods, &kTBufPool},
      {class_of<TBufHandle>, "TBufHandle", {}, nullptr, "a TBufHandle is made by custom pools of Ascend C; use a TBufPool"},
      {class_of<LocalMemAllocator>, "LocalMemAllocator", kAllocatorMethods, &kAllocator},
  };
  return kClasses;
}

} // namespace asc
