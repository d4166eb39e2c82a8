// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the framework's objects, and verifiers of its ops.
#include "dialect/dialect.h"
#include "dialect/keywords.h"

#include "mlir/IR/DialectImplementation.h"

namespace asc {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

// ---------------------------------------------------------------- types

Position QueueType::position() const { return queue_position({Position(getSrc()), Position(getDst())}); }

LogicalResult QueueType::verify(EmitError emit, unsigned src, unsigned dst, unsigned depth, bool bind) {
  if (src >= kPositions || dst >= kPositions || !queue_events({Position(src), Position(dst)}))
    return emit() << "no queue leads from position " << src << " to position " << dst;
  if (depth > kMaxQueueDepth) return emit() << "depth is " << depth << ", expected 0 to " << kMaxQueueDepth;
  auto ends = queue_ends(queue_position({Position(src), Position(dst)}));
  if (!bind && (!ends || unsigned(ends->src) != src || unsigned(ends->dst) != dst)) return emit() << "these are no ends of a TQue";
  return success();
}
mlir::Type QueueType::parse(mlir::AsmParser &parser) {
  if (parser.parseLess()) return {};
  llvm::SMLoc loc = parser.getCurrentLocation();
  auto first = parse_name(parser, kPositionNames, itself, "position");
  if (mlir::failed(first) || parser.parseComma()) return {};
  unsigned src = *first, dst = *first, depth = 0;
  mlir::OptionalParseResult number = parser.parseOptionalInteger(depth);
  const bool bind = !number.has_value();
  if (bind) {
    auto second = parse_name(parser, kPositionNames, itself, "position");
    if (mlir::failed(second) || parser.parseComma() || parser.parseInteger(depth)) return {};
    dst = *second;
  } else {
    if (mlir::failed(*number)) return {};
    auto ends = queue_ends(Position(*first));
    if (!ends) return parser.emitError(loc) << "there is no TQue at " << llvm::StringRef(kPositionNames[*first]), mlir::Type();
    src = unsigned(ends->src), dst = unsigned(ends->dst);
  }
  if (parser.parseGreater()) return {};
  return parser.getChecked<QueueType>(parser.getContext(), src, dst, depth, bind);
}
void QueueType::print(mlir::AsmPrinter &printer) const {
  printer << "<";
  if (getBind())
    printer << llvm::StringRef(kPositionNames[getSrc()]) << ", " << llvm::StringRef(kPositionNames[getDst()]);
  else
    printer << llvm::StringRef(asc::name(position()));
  printer << ", " << getDepth() << ">";
}

static LogicalResult verify_on_chip(EmitError emit, unsigned position) {
  if (position >= kPositions || memory_of(Position(position)) == Memory::GM) return emit() << "position " << position << " is not on chip";
  return success();
}
LogicalResult BufType::verify(EmitError emit, unsigned position) { return verify_on_chip(emit, position); }
mlir::Type BufType::parse(mlir::AsmParser &parser) {
  if (parser.parseLess()) return {};
  auto position = parse_name(parser, kPositionNames, itself, "position");
  if (mlir::failed(position) || parser.parseGreater()) return {};
  return parser.getChecked<BufType>(parser.getContext(), *position);
}
void BufType::print(mlir::AsmPrinter &printer) const { printer << "<" << llvm::StringRef(kPositionNames[getPosition()]) << ">"; }

LogicalResult BufPoolType::verify(EmitError emit, unsigned position, unsigned buffers) {
  if (buffers < 1 || buffers > kMaxPoolBuffers) return emit() << "buffers is " << buffers << ", expected 1 to " << kMaxPoolBuffers;
  return verify_on_chip(emit, position);
}
mlir::Type BufPoolType::parse(mlir::AsmParser &parser) {
  unsigned buffers = 0;
  if (parser.parseLess()) return {};
  auto position = parse_name(parser, kPositionNames, itself, "position");
  if (mlir::failed(position) || parser.parseComma() || parser.parseInteger(buffers) || parser.parseGreater()) return {};
  return parser.getChecked<BufPoolType>(parser.getContext(), *position, buffers);
}
void BufPoolType::print(mlir::AsmPrinter &printer) const {
  printer << "<" << llvm::StringRef(kPositionNames[getPosition()]) << ", " << getBuffers() << ">";
}

LogicalResult AllocatorType::verify(EmitError emit, unsigned memory) {
  if (memory >= kMemories || Memory(memory) == Memory::GM) return emit() << "memory " << memory << " is not on chip";
  return success();
}
mlir::Type AllocatorType::parse(mlir::AsmParser &parser) {
  if (parser.parseLess()) return {};
  auto memory = parse_name(parser, kMemoryInfo, [](const MemoryInfo &memory) { return memory.name; }, "memory");
  if (mlir::failed(memory) || parser.parseGreater()) return {};
  return parser.getChecked<AllocatorType>(parser.getContext(), *memory);
}
void AllocatorType::print(mlir::AsmPrinter &printer) const { printer << "<" << llvm::StringRef(kMemoryInfo[getMemory()].name) << ">"; }

// ---------------------------------------------------------------- ops

/// The memory that an owner, a queue, a TBuf or a pool has its bytes in; GM: any (the TPipe).
static Memory memory_of_object(mlir::Type type) {
  if (auto queue = llvm::dyn_cast<QueueType>(type)) return memory_of(queue.position());
  if (auto buf = llvm::dyn_cast<BufType>(type)) return memory_of(Position(buf.getPosition()));
  if (auto pool = llvm::dyn_cast<BufPoolType>(type)) return memory_of(Position(pool.getPosition()));
  return Memory::GM;
}
static LogicalResult verify_owner(mlir::Operation *op, mlir::Type owner, mlir::Type part) {
  if (llvm::isa<BufPoolType>(owner) && memory_of_object(owner) != memory_of_object(part))
    return op->emitOpError() << "gives memory of " << owner << " to " << part;
  return success();
}
LogicalResult InitQueueOp::verify() { return verify_owner(*this, getOwner().getType(), getQueue().getType()); }
LogicalResult InitBufOp::verify() { return verify_owner(*this, getOwner().getType(), getBuf().getType()); }
LogicalResult InitPoolOp::verify() {
  if (getShared() && mlir::failed(verify_owner(*this, getShared().getType(), getPool().getType()))) return failure();
  return verify_owner(*this, getOwner().getType(), getPool().getType());
}

static LogicalResult verify_tensor(mlir::Operation *op, unsigned expected, LocalTensorType tensor) {
  if (tensor.getPosition() != expected)
    return op->emitOpError() << "has a tensor at " << llvm::StringRef(kPositionNames[tensor.getPosition()]) << ", expected "
                             << llvm::StringRef(kPositionNames[expected]);
  return success();
}
static LogicalResult verify_tensor(mlir::Operation *op, QueueType queue, LocalTensorType tensor) {
  return verify_tensor(op, unsigned(queue.position()), tensor);
}
/// Positions given to enque and deque choose the event.
template <class Transfer> static LogicalResult verify_transfer(Transfer op) {
  auto src = op.getSrc(), dst = op.getDst();
  if (src.has_value() != dst.has_value()) return op.emitOpError("has one position, expected two or none");
  if (src && (*src >= kPositions || *dst >= kPositions || !queue_events({Position(*src), Position(*dst)})))
    return op.emitOpError("has positions that no queue leads between");
  return verify_tensor(op, op.getQueue().getType(), op.getTensor().getType());
}
LogicalResult AllocTensorOp::verify() { return verify_tensor(*this, getQueue().getType(), getTensor().getType()); }
LogicalResult EnqueOp::verify() { return verify_transfer(*this); }
LogicalResult DequeOp::verify() {
  if (getQueue().getType().getDepth() == 0) return emitOpError("takes the tensor along for a queue of depth 0: asc.deque_in_place");
  return verify_transfer(*this);
}
LogicalResult DequeInPlaceOp::verify() {
  if (getQueue().getType().getDepth() != 0) return emitOpError("is for queues of depth 0");
  return verify_tensor(*this, getQueue().getType(), getTensor().getType());
}
LogicalResult FreeTensorOp::verify() { return verify_tensor(*this, getQueue().getType(), getTensor().getType()); }
LogicalResult QueueStateOp::verify() {
  if (getQuery() >= kQueueQueries) return emitOpError() << "query is " << getQuery() << ", expected 0 to " << kQueueQueries - 1;
  unsigned width = QueueQuery(getQuery()) == QueueQuery::Count ? 32 : 1;
  if (!getValue().getType().isInteger(width)) return emitOpError() << "result is " << getValue().getType() << ", expected i" << width;
  return success();
}
LogicalResult GetBufOp::verify() {
  if (getOffset() && !getSize()) return emitOpError("has an offset without a size");
  return verify_tensor(*this, getBuf().getType().getPosition(), getTensor().getType());
}

LogicalResult AllocEventIdOp::verify() { return verify_event(*this); }
LogicalResult FetchEventIdOp::verify() { return verify_event(*this); }
LogicalResult ReleaseEventIdOp::verify() { return verify_event(*this); }

LogicalResult StackBufferOp::verify() {
  if (memory_of(Position(getType().getPosition())) != Memory::UB) return emitOpError("is not in the unified buffer");
  return success();
}

LogicalResult AllocateOp::verify() {
  Memory memory = Memory(getAllocator().getType().getMemory());
  if (memory_of(Position(getTensor().getType().getPosition())) != memory)
    return emitOpError() << "has a tensor at " << llvm::StringRef(kPositionNames[getTensor().getType().getPosition()])
                         << ", which is not in " << llvm::StringRef(info(memory).name);
  return success();
}

} // namespace asc
