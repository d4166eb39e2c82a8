// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the kernel in program order. One register per SSA value, two for a tensor; loops test at the bottom; device functions are inlined.
#include "aicore/aicore.h"
#include "aicore/program_builder.h"
#include "apis/matmul.h"
#include "apis/queue.h"
#include "dialect/constants.h"
#include "dialect/dialect.h"
#include "dialect/location.h"
#include "dialect/scalars.h"
#include "isa/ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

namespace asc {
namespace {

using mlir::Operation;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

bool is_tensor(mlir::Type type) { return llvm::isa<LocalTensorType, GlobalTensorType>(type); }
bool is_array(mlir::Type type) { return is_tensor(type) || llvm::isa<AddressType>(type); }

/// Signless integers count as signed where the operation does not say.
DType scalar_dtype(mlir::Type type) { return is_array(type) ? DType::UInt64 : dtype_of(type); }

Position position_in(Memory memory) {
  return Position(std::find(kPositionMemory.begin(), kPositionMemory.end(), memory) - kPositionMemory.begin());
}

/// The opposite comparison, where there is one also for NaN.
std::optional<Op> inverse(const Instr &compare) {
  switch (compare.op) {
  case Op::Eq: return Op::Ne;
  case Op::Ne: return Op::Eq;
  default: break;
  }
  if (info(compare.type).is_float) return std::nullopt;
  switch (compare.op) {
  case Op::Lt: return Op::Ge;
  case Op::Le: return Op::Gt;
  case Op::Gt: return Op::Le;
  case Op::Ge: return Op::Lt;
  default: return std::nullopt;
  }
}

class Lowering {
public:
  Lowering(KernelOp kernel, mlir::ModuleOp module, std::string_view target)
      : module_(module), kernel_(kernel), builder_(header(kernel, target)) {}

  Program run() {
    builder_.site({.inlined_at = kNoRegister}); // nowhere
    debug_form_ = module_.walk([](StatementOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
    for (auto [i, argument] : llvm::enumerate(kernel_.getBody().getArguments())) {
      auto name = llvm::cast<mlir::StringAttr>(kernel_.getNames()[i]).getValue();
      if (auto type = llvm::dyn_cast<StructType>(argument.getType())) {
        registers_[argument] = params_of(name.str(), type);
        continue;
      }
      bool address = llvm::isa<AddressType>(argument.getType());
      DType dtype = dtype_of(llvm::cast<mlir::TypeAttr>(kernel_.getDtypes()[i]).getValue());
      registers_[argument] = builder_.param({name.str(), address ? ParamKind::Address : ParamKind::Scalar, dtype});
    }
    module_.walk([&](Operation *op) { combines_stores_ |= ApiOp::is(op) && ApiOp(op).row().combines_stores; });
    function_ = builder_.string(kernel_.getSymName().str());
    block(kernel_.getBody().front());
    return builder_.finish();
  }

private:
  static Program header(KernelOp kernel, std::string_view target) {
    Program program;
    program.name = kernel.getSymName().str();
    program.target = target;
    program.type = kernel.kernel_type();
    program.auto_sync = !kernel.getNoAutoSync();
    program.table = table_hash();
    return program;
  }

  // -------------------------------------------------------------- values

  Reg reg(Value value) {
    auto found = registers_.find(value);
    if (found != registers_.end()) return found->second;
    mlir::Attribute attribute = constant_attribute(value);
    if (!attribute) throw InternalError("a value is used before it is lowered");
    Reg constant = builder_.constant(register_of(attribute));
    registers_[value] = constant;
    return constant;
  }

  /// The register of a result: the one that a loop or conditional wants it in, or a new one.
  Reg define(Value value) {
    auto [entry, is_new] = registers_.try_emplace(value);
    if (is_new) entry->second = builder_.value(is_tensor(value.getType()) ? 2 : 1);
    return entry->second;
  }
  Reg fresh(mlir::Type type) { return builder_.value(is_tensor(type) ? 2 : 1); }

  /// An integer as Int64, whatever its width: registers are extended by the signedness of the instruction that wrote them.
  Reg wide(Value value) {
    DType dtype = scalar_dtype(value.getType());
    if (dtype == DType::Int64 || constant_of(value)) return reg(value);
    Reg dst = builder_.value();
    builder_.emit(Op::Cast, DType::Int64, dst, reg(value), {0}, uint8_t(dtype));
    return dst;
  }

  Copy copy_of(Reg dst, Value value) {
    return {dst, reg(value), is_tensor(value.getType()), is_tensor(value.getType()) ? DType::Void : scalar_dtype(value.getType())};
  }

  // -------------------------------------------------------------- places

  uint32_t site_of(Operation &op) {
    const auto given = given_names_.find(&op);
    return site_of(given == given_names_.end() ? op.getLoc() : with_variable(op.getLoc(), given->second));
  }
  uint32_t site_of(mlir::Location location) {
    const void *key = location.getAsOpaquePointer();
    if (auto known = sites_.find(key); known != sites_.end()) return known->second;
    uint32_t function = function_, inlined_at = inlined_at_;
    if (auto inlined = inlined_call(location)) function = builder_.string(inlined->function), inlined_at = site_of(inlined->call);
    Span span = span_of(location);
    uint32_t site = 0;
    if (span.line != 0 || !variable_of(location).empty())
      site = builder_.site({builder_.string(span.file), span.line, span.column, span.end_line, span.end_column, function, inlined_at,
                            builder_.string(variable_of(location))});
    return sites_[key] = site;
  }

  // -------------------------------------------------------------- code

  void block(mlir::Block &block) {
    ProgramBuilder::ArrayScope arrays(builder_);
    PipeOp pipe;
    for (Operation &op : block) {
      if (pipe && op.hasTrait<mlir::OpTrait::IsTerminator>()) { // the destructor
        builder_.at(site_of(pipe.getLoc()));
        builder_.emit(Op::PipeDestroy, DType::Void);
      }
      if (auto made = llvm::dyn_cast<PipeOp>(op)) pipe = made;
      if (!llvm::isa<arith::ConstantOp, scf::YieldOp>(op)) builder_.at(site_of(op));
      lower(op);
    }
  }

  void lower(Operation &op) {
    if (ApiOp::is(&op)) return api(ApiOp(&op));
    if (std::optional<ScalarCall> call = scalar_call(&op)) return scalar(op, *call);
    llvm::TypeSwitch<Operation *>(&op)
        .Case([](arith::ConstantOp) {})
        .Case<arith::SelectOp, ConvertOp>([&](auto o) { lower_op(o); })
        .Case<GlobalTensorOp, LocalTensorOp, ViewOp, ReinterpretCastOp, ResizeOp, ShiftOp, UserTagOp, OffsetOp, AddressOfOp, LocalAddressOp,
              SizeOp, GetValueOp, SetValueOp>([&](auto o) { lower_op(o); })
        .Case<SetFlagOp, WaitFlagOp, PipeBarrierOp, DataSyncBarrierOp, SetPointerOp, GetPointerOp, CrossCoreSetFlagOp, CrossCoreWaitFlagOp>(
            [&](auto o) { lower_op(o); })
        .Case([&](PipeOp o) { builder_.emit(Op::PipeInit, DType::Void), registers_[o] = {kNoRegister}; })
        .Case([&](PipeInitOp) { builder_.emit(Op::PipeInit, DType::Void); })
        .Case([&](PipeResetOp) { builder_.emit(Op::PipeReset, DType::Void); })
        .Case([&](PipeDestroyOp) { builder_.emit(Op::PipeDestroy, DType::Void); })
        .Case([&](PipePtrOp o) { registers_[o] = {kNoRegister}; })
        .Case<QueueOp, BufOp, BufPoolOp, AllocatorOp, InitQueueOp, InitBufOp, InitPoolOp>([&](auto o) { lower_op(o); })
        .Case([&](ResetPoolOp o) { builder_.emit(Op::ResetPool, DType::Void, reg(o.getPool())); })
        .Case<AllocTensorOp, EnqueOp, DequeOp, DequeInPlaceOp, FreeTensorOp, QueueStateOp, GetBufOp>([&](auto o) { lower_op(o); })
        .Case([&](FreeAllEventOp o) { builder_.emit(Op::FreeEvents, DType::Void, {0}, reg(o.getQueue())); })
        .Case([&](AllocEventIdOp o) { builder_.emit(Op::AllocEvent, DType::Void, define(o), {0}, {0}, uint8_t(o.getEvent())); })
        .Case([&](FetchEventIdOp o) { builder_.emit(Op::FetchEvent, DType::Void, define(o), {0}, {0}, uint8_t(o.getEvent())); })
        .Case([&](ReleaseEventIdOp o) { builder_.emit(Op::ReleaseEvent, DType::Void, {0}, reg(o.getId()), {0}, uint8_t(o.getEvent())); })
        .Case([&](BaseAddressOp o) { registers_[o] = builder_.constant(0); }) // addresses count from the start of a memory
        .Case<AllocateOp, CurrentAddressOp>([&](auto o) { lower_op(o); })
        .Case<MatmulOp, RegisterMatmulOp, MatmulInitOp, MatmulSetOp, MatmulShapeOp, MatmulIterateOp>([&](auto o) { lower_op(o); })
        .Case([&](MatmulDisableBiasOp o) { matmul(MatmulCall::DisableBias, o.getMatmul(), {}); })
        .Case([&](MatmulGetOp o) { store(MatmulCall::GetTensorC, o); })
        .Case([&](MatmulIterateAllOp o) { store(MatmulCall::IterateAll, o); })
        .Case([&](MatmulEndOp o) { matmul(MatmulCall::End, o.getMatmul(), {}); })
        .Case<TensorListOp, TensorDescOp, ListInitOp, ListDataOp, ListDescOp, DescShapeOp, DescDataOp, DescTensorOp>(
            [&](auto o) { lower_op(o); })
        .Case([&](ListSizeOp o) { builder_.emit(Op::ListSize, DType::Void, define(o), reg(o.getList())); })
        .Case([&](DescDimOp o) { builder_.emit(Op::ListDim, DType::Void, define(o), reg(o.getDesc()), {reg(o.getDesc()).word + 1}); })
        .Case([&](DescIndexOp o) { builder_.emit(Op::Move, DType::Int64, define(o), {reg(o.getDesc()).word + 1}); })
        .Case([](SetShapeAddressOp) {}) // ListDescOp says which array it is
        .Case<PrintfOp, AssertOp>([&](auto o) { lower_op(o); })
        .Case([&](ToFileOp o) {
          builder_.emit(Op::ToFile, element_dtype(o.getTensor().getType()), {builder_.string(o.getFile())}, reg(o.getTensor()));
        })
        .Case([&](TrapOp) { builder_.emit(Op::Trap, DType::Void); })
        .Case([&](StatementOp o) { lower_op(o); })
        .Case<StructOp, CopyStructOp, GetFieldOp, SetFieldOp>([&](auto o) { lower_op(o); })
        .Case([&](MemberOp o) { registers_[o] = field_register(o); })
        .Case<ArrayOp, ElementOp, SetElementOp, ShapeInfoOp, DimensionOp>([&](auto o) { lower_op(o); })
        .Case([](SetL2CacheHintOp) {})                   // changes no value
        .Case<SetShapeInfoOp, SetUserTagOp>([](auto) {}) // whoever reads it says which one
        .Case([&](StackBufferOp o) { builder_.emit(Op::StackBuffer, element_dtype(o.getType()), define(o)); })
        .Case([&](GetShapeInfoOp o) { registers_[o] = reg(o.getInfo()); })
        .Case<scf::ForOp, scf::WhileOp, scf::IfOp, mlir::func::CallOp>([&](auto o) { lower_op(o); })
        .Case<scf::YieldOp, scf::ConditionOp, mlir::func::ReturnOp>([](auto) {}) // whoever owns the block reads their operands
        .Case([](RoundOp) {})                                                    // for the passes only
        .Case([&](ReturnOp) { builder_.emit(Op::Halt, DType::Void); })
        .Default([](Operation *o) { throw InternalError("no lowering for " + o->getName().getStringRef().str()); });
  }

  void scalar(Operation &op, ScalarCall call) {
    const Reg lhs = reg(op.getOperand(0)), rhs = op.getNumOperands() > 1 ? reg(op.getOperand(1)) : Reg{0};
    builder_.emit(instruction(call.op), call.type, define(op.getResult(0)), lhs, rhs);
  }

  void lower_op(arith::SelectOp op) {
    Reg condition = reg(op.getCondition()), yes = reg(op.getTrueValue()), no = reg(op.getFalseValue()), dst = define(op);
    bool pair = is_tensor(op.getType());
    builder_.emit(Op::Move, DType::Bool, dst, condition);
    builder_.emit(pair ? Op::Select2 : Op::Select, pair ? DType::Void : scalar_dtype(op.getType()), dst, yes, no);
    if (is_array(op.getType())) builder_.same_array(dst, yes), builder_.same_array(dst, no);
  }

  void lower_op(ConvertOp op) {
    Reg value = reg(op.getValue());
    builder_.emit(op.getChecked() ? Op::Narrow : Op::Cast, DType(op.getTo()), define(op), value, {0}, uint8_t(op.getFrom()));
  }

  // -------------------------------------------------------------- tensors

  void lower_op(GlobalTensorOp op) {
    Reg address = reg(op.getAddress()), size = op.getSize() ? wide(op.getSize()) : Reg();
    Reg dst = define(op);
    builder_.emit(Op::Global, element_dtype(op.getType()), dst, address, size);
    builder_.same_array(dst, address);
  }
  void lower_op(LocalTensorOp op) {
    Reg address = wide(op.getAddress()), size = wide(op.getSize());
    builder_.emit(Op::Local, element_dtype(op.getType()), define(op), address, size, uint8_t(op.getType().getPosition()));
  }
  void lower_op(ViewOp op) {
    Reg tensor = reg(op.getTensor()), index = reg(op.getIndex()), dst = define(op);
    builder_.emit(Op::View, element_dtype(op.getType()), dst, tensor, index, uint8_t(dtype_of(op.getIndex().getType())));
    builder_.same_array(dst, tensor);
  }
  void lower_op(OffsetOp op) {
    Reg address = reg(op.getAddress()), index = reg(op.getIndex()), dst = define(op);
    builder_.emit(Op::Offset, element_dtype(op.getType()), dst, address, index, uint8_t(dtype_of(op.getIndex().getType())));
    builder_.same_array(dst, address);
  }
  void lower_op(ReinterpretCastOp op) { registers_[op] = reg(op.getTensor()); }
  void lower_op(ResizeOp op) {
    Reg tensor = reg(op.getTensor()), size = wide(op.getSize());
    builder_.emit(Op::Resize, op.getBytes() ? DType::UInt8 : element_dtype(op.getType()), define(op), tensor, size);
  }
  void lower_op(ShiftOp op) {
    Reg tensor = reg(op.getTensor()), index = reg(op.getIndex()), dst = define(op);
    builder_.emit(Op::Offset, element_dtype(op.getTensor().getType()), dst, tensor, index, uint8_t(dtype_of(op.getIndex().getType())));
    builder_.emit(Op::Move, DType::Void, {dst.word + 1}, {tensor.word + 1});
  }
  void lower_op(UserTagOp op) { builder_.emit(Op::UserTag, DType::Void, define(op), reg(op.getTensor())); }
  void lower_op(AddressOfOp op) { registers_[op] = reg(op.getTensor()); } // the first of the tensor's registers
  void lower_op(LocalAddressOp op) {                                      // Address::offset
    Reg word = builder_.value(), tensor = reg(op.getTensor());
    builder_.emit(Op::And, DType::UInt64, word, tensor, builder_.constant(Address::kOffsetMask));
    builder_.emit(Op::Sub, DType::UInt64, define(op), word, builder_.constant(Address::kBias));
  }
  void lower_op(SizeOp op) {
    Reg tensor = reg(op.getTensor());
    builder_.emit(Op::Size, element_dtype(op.getTensor().getType()), define(op), tensor);
  }
  void lower_op(GetValueOp op) {
    Reg tensor = reg(op.getTensor()), index = reg(op.getIndex());
    builder_.emit(Op::GetValue, element_dtype(op.getTensor().getType()), define(op), tensor, index,
                  uint8_t(dtype_of(op.getIndex().getType())));
    builder_.note_access(tensor, true, false);
  }
  void lower_op(SetValueOp op) {
    Reg tensor = reg(op.getTensor()), index = reg(op.getIndex()), value = reg(op.getValue());
    builder_.emit(Op::SetValue, element_dtype(op.getTensor().getType()), tensor, index, value, uint8_t(dtype_of(op.getIndex().getType())));
    builder_.note_access(tensor, false, true);
  }

  // -------------------------------------------------------------- API calls and synchronisation

  void lower_op(SetFlagOp op) { builder_.emit(Op::SetFlag, DType::Void, {0}, reg(op.getId()), {0}, uint8_t(op.getEvent())); }
  void lower_op(WaitFlagOp op) { builder_.emit(Op::WaitFlag, DType::Void, {0}, reg(op.getId()), {0}, uint8_t(op.getEvent())); }
  void lower_op(PipeBarrierOp op) { builder_.emit(Op::Barrier, DType::Void, {0}, {0}, {0}, uint8_t(op.getPipe())); }

  void lower_op(DataSyncBarrierOp op) { builder_.emit(Op::DataBarrier, DType::Void, {0}, {op.getKind()}); }

  /// A pointer may hold any address that is set anywhere.
  Reg &pointer(uint32_t number) {
    Reg &reg = pointers_[number];
    if (reg.kind() == Reg::None) reg = builder_.value();
    return reg;
  }
  void lower_op(SetPointerOp op) {
    const Reg address = reg(op.getAddress());
    builder_.emit(Op::SetPointer, DType::Void, {op.getNumber()}, address);
    builder_.same_array(pointer(op.getNumber()), address);
  }
  void lower_op(GetPointerOp op) {
    const Reg dst = define(op);
    builder_.emit(Op::GetPointer, DType::Void, dst, {op.getNumber()});
    builder_.same_array(pointer(op.getNumber()), dst);
  }

  void lower_op(CrossCoreSetFlagOp op) { cross_set(reg(op.getFlag()), op.getMode(), Pipe(op.getPipe())); }
  void lower_op(CrossCoreWaitFlagOp op) { cross_wait(reg(op.getFlag())); }
  void cross_set(Reg flag, unsigned mode, Pipe pipe) { builder_.emit(Op::CrossCoreSetFlag, DType::Void, {0}, flag, {mode}, uint8_t(pipe)); }
  void cross_wait(Reg flag) { builder_.emit(Op::CrossCoreWaitFlag, DType::Void, {0}, flag); }
  Reg core_is(std::string_view row) {
    const Reg result = builder_.value();
    builder_.emit(Op::Api, DType::Void, {row_number(*find_row(row))}, {builder_.operands({})}, result);
    return result;
  }

  /// The hardware's meeting of all cores: all vector cores, or all cores, the cube of each AI Core for its vectors (07-sync section 5).
  void sync_all(bool vectors_only) {
    enum : uint64_t { Cubes = 11, ToCube = 12, FromCube = 13, Vectors = 14 };
    const auto set = [&](uint64_t flag, unsigned mode, Pipe pipe) { cross_set(builder_.constant(flag), mode, pipe); };
    const auto wait = [&](uint64_t flag) { cross_wait(builder_.constant(flag)); };
    builder_.emit(Op::Barrier, DType::Void, {0}, {0}, {0}, uint8_t(Pipe::ALL));
    const uint32_t on_cube = builder_.jump_if_zero(core_is("ascend_is_aiv"));
    if (vectors_only) {
      set(Vectors, 0, Pipe::MTE3), wait(Vectors);
    } else {
      set(ToCube, 2, Pipe::MTE3), wait(FromCube);
      const uint32_t done = builder_.emit(Op::Jump, DType::Void);
      builder_.instr(on_cube).b = builder_.here();
      wait(ToCube), set(Cubes, 0, Pipe::FIX), wait(Cubes), set(FromCube, 2, Pipe::MTE3);
      builder_.instr(done).a = builder_.here();
    }
    if (vectors_only) builder_.instr(on_cube).b = builder_.here();
  }

  void api(ApiOp op) {
    const Row &row = op.row();
    if (is_hardware_sync_all(op)) return sync_all(is_for_vectors_only(op));
    const Call call = op.call(); // for the dtype of each slot
    std::vector<SlotRef> slots(call.lay->slots);
    DType first = DType::Void;
    for (unsigned index = 0; index < row.args.size(); ++index) {
      if (!call.has(index)) continue;
      const Arg &arg = row.args[index];
      unsigned slot = call.lay->slot[index];
      mlir::ValueRange values = op.operands(index);
      if (values.empty()) {
        slots[slot] = {builder_.constant(uint64_t(op.attribute(index))).word, call.slots[slot].dtype};
      } else if (arg.is_tensor()) {
        Reg tensor = reg(values[0]);
        uint32_t variable = builder_.string(name_of(values[0]));
        DType dtype = call.slots[slot].dtype;
        if (first == DType::Void) first = dtype;
        slots[slot] = {tensor.word, dtype, variable};
        slots[slot + 1] = {tensor.word + 1, dtype, variable};
        const bool combines = combines_stores_ && llvm::isa<GlobalTensorType>(values[0].getType());
        builder_.note_access(tensor, arg.role != Role::Out || combines, arg.role != Role::In);
      } else if (arg.kind == ArgKind::Shape) {
        const unsigned rank = llvm::cast<ShapeInfoType>(values[0].getType()).getRank();
        slots[slot] = {builder_.constant(rank).word, DType::UInt32};
        for (unsigned d = 0; d < assume::most_dimensions; ++d)
          slots[slot + 1 + d] = {(d < rank ? dimension(values[0], d) : builder_.constant(0)).word, DType::UInt32};
      } else {
        for (auto [part, value] : llvm::enumerate(values))
          slots[slot + part] = {reg(value).word, call.slots[slot + part].dtype, builder_.string(name_of(value))};
      }
    }
    Operation *operation = op.operation();
    const unsigned results = operation->getNumResults();
    // Several results have registers one after the other.
    Reg result = results == 1 ? define(operation->getResult(0)) : results ? builder_.value(results) : Reg();
    builder_.emit(Op::Api, first, {row_number(row)}, {builder_.operands(slots)}, result, uint8_t(op.form()));
    for (unsigned k = 0; results > 1 && k < results; ++k) {
      const Value value = operation->getResult(k);
      const auto [wanted, is_new] = registers_.try_emplace(value, Reg{result.word + k});
      if (!is_new) builder_.emit(Op::Move, scalar_dtype(value.getType()), wanted->second, Reg{result.word + k});
    }
  }

  // -------------------------------------------------------------- lists of tensors

  /// The address of its descriptor.
  void lower_op(TensorListOp op) {
    registers_[op] = builder_.value();
    builder_.emit(Op::Move, DType::UInt64, reg(op), builder_.constant(0));
  }
  /// The address of the list's descriptor, and the number of the tensor.
  void lower_op(TensorDescOp op) {
    registers_[op] = builder_.value(2);
    for (unsigned k = 0; k < 2; ++k) builder_.emit(Op::Move, DType::UInt64, {reg(op).word + k}, builder_.constant(0));
  }
  void lower_op(ListInitOp op) {
    Reg list = reg(op.getList()), data = reg(op.getData());
    builder_.emit(Op::Move, DType::UInt64, list, data);
    builder_.same_array(list, data);
    builder_.note_access(list, true, false);
    builder_.emit(Op::ListInit, DType::Void, {0}, list, pair(op.getLength(), op.getCount()));
  }
  void lower_op(ListDataOp op) {
    Reg list = reg(op.getList()), index = wide(op.getIndex());
    builder_.emit(Op::ListData, DType::Void, define(op), list, index);
    builder_.same_array(reg(op), list);
  }
  void lower_op(ListDescOp op) {
    Reg list = reg(op.getList()), desc = reg(op.getDesc()), number = {desc.word + 1}, dim = builder_.value();
    builder_.emit(Op::Move, DType::UInt64, desc, list);
    put(number, op.getIndex());
    builder_.same_array(desc, list);
    builder_.emit(Op::ListDim, DType::Void, dim, desc, number);
    if (!op.getShape()) return;
    // Every element that the shape has, and once more the last of the shape: an array that is too short is told.
    Reg last = builder_.value(), place = builder_.value(2), size = builder_.value();
    builder_.emit(Op::Sub, DType::Int64, last, dim, builder_.constant(1));
    builder_.emit(Op::Move, DType::Int64, place, number);
    const Reg array = reg(op.getShape()), dimension = {place.word + 1};
    const unsigned length = llvm::cast<ArrayType>(op.getShape().getType()).getLength();
    for (unsigned k = 0; k <= length; ++k) {
      if (k < length)
        builder_.emit(Op::Min, DType::Int64, dimension, last, builder_.constant(k));
      else
        builder_.emit(Op::Move, DType::Int64, dimension, last);
      builder_.emit(Op::ListShape, DType::Void, size, desc, place);
      builder_.emit(Op::SetElement, DType::UInt64, array, dimension, size, uint8_t(DType::Int64));
    }
  }
  void lower_op(DescShapeOp op) {
    Reg place = builder_.value(2);
    builder_.emit(Op::Move, DType::Int64, place, {reg(op.getDesc()).word + 1});
    put({place.word + 1}, op.getIndex());
    builder_.emit(Op::ListShape, DType::Void, define(op), reg(op.getDesc()), place);
  }
  void lower_op(DescDataOp op) {
    builder_.emit(Op::ListData, DType::Void, define(op), reg(op.getDesc()), {reg(op.getDesc()).word + 1});
    builder_.same_array(reg(op), reg(op.getDesc()));
  }
  void lower_op(DescTensorOp op) {
    builder_.emit(Op::ListTensor, element_dtype(op.getType()), define(op), reg(op.getDesc()), {reg(op.getDesc()).word + 1});
    builder_.same_array(reg(op), reg(op.getDesc()));
  }

  // -------------------------------------------------------------- arrays: their number stands for them in the place of a register

  /// The op in the array's block that is, or holds, its last use; null: it may be used anywhere.
  static Operation *last_use_of(ArrayOp array) {
    Operation *last = array;
    for (Operation *user : array->getUsers()) {
      const bool passes_on =
          user->hasTrait<mlir::OpTrait::IsTerminator>() || llvm::any_of(user->getResultTypes(), llvm::IsaPred<ArrayType>);
      Operation *here = array->getBlock()->findAncestorOpInBlock(*user);
      if (passes_on || !here) return nullptr;
      if (last->isBeforeInBlock(here)) last = here;
    }
    return last;
  }
  void give_up_arrays_before(Operation *op) {
    std::erase_if(given_up_after_, [&](const std::pair<Operation *, uint32_t> &array) {
      Operation *here = array.first->getBlock()->findAncestorOpInBlock(*op);
      const bool dead = here && array.first->isBeforeInBlock(here);
      if (dead) builder_.give_up_array(array.second);
      return dead;
    });
  }
  Reg new_array(Operation *op, DType dtype, uint32_t length) {
    give_up_arrays_before(op);
    Reg array = {builder_.array(dtype, length, variable_of(op->getLoc()))};
    if (auto made = llvm::dyn_cast<ArrayOp>(op))
      if (Operation *last = last_use_of(made)) given_up_after_.emplace_back(last, array.word);
    if (builder_.array_bytes() <= assume::scalar_memory && builder_.array_words() <= assume::scalar_memory) return array;
    Diagnostic d;
    d.code = "T331";
    d.message = "the arrays that are alive here have " + std::to_string(builder_.array_bytes()) + " bytes, and there are " +
                std::to_string(assume::scalar_memory) + " for them";
    d.help = "make them smaller, or keep the data in a LocalTensor";
    d.span = span_of(op->getLoc());
    throw DiagnosticError(std::move(d));
  }
  void set_element(Reg array, DType dtype, unsigned index, Reg value) {
    builder_.emit(Op::SetElement, dtype, array, builder_.constant(index), value, uint8_t(DType::Int64));
  }
  void lower_op(ArrayOp op) {
    DType dtype = element_dtype(op.getType());
    Reg array = registers_[op] = new_array(op, dtype, op.getType().getLength());
    mlir::ValueRange values = op.getValues();
    if (values.empty()) return void(builder_.emit(Op::NewArray, dtype, array));
    if (values.size() == 1) return void(builder_.emit(Op::FillArray, dtype, array, reg(values[0])));
    for (auto [index, value] : llvm::enumerate(values)) set_element(array, dtype, unsigned(index), reg(value));
  }
  void lower_op(ElementOp op) {
    Reg array = reg(op.getArray()), index = reg(op.getIndex());
    builder_.emit(Op::Element, element_dtype(op.getArray().getType()), define(op), array, index,
                  uint8_t(dtype_of(op.getIndex().getType())));
  }
  void lower_op(SetElementOp op) {
    Reg array = reg(op.getArray()), index = reg(op.getIndex()), value = reg(op.getValue());
    builder_.emit(Op::SetElement, element_dtype(op.getArray().getType()), array, index, value, uint8_t(dtype_of(op.getIndex().getType())));
  }

  /// A ShapeInfo is an array of its dimensions and one of the original ones, with consecutive numbers.
  void lower_op(ShapeInfoOp op) {
    Reg info = {kNoRegister};
    for (Value shape : op.getShapes()) {
      auto type = llvm::cast<ArrayType>(shape.getType());
      Reg copy = new_array(op, DType::Int32, type.getLength());
      if (info.word == kNoRegister) info = copy;
      for (unsigned i = 0; i < type.getLength(); ++i) {
        Reg value = builder_.value();
        builder_.emit(Op::Element, element_dtype(type), value, reg(shape), builder_.constant(i), uint8_t(DType::Int64));
        set_element(copy, DType::Int32, i, value);
      }
    }
    registers_[op] = info;
  }
  Reg dimension(Value info, unsigned index) {
    Reg size = builder_.value();
    builder_.emit(Op::Element, DType::Int32, size, reg(info), builder_.constant(index), uint8_t(DType::Int64));
    return size;
  }
  void lower_op(DimensionOp op) {
    Reg info = reg(op.getInfo()), index = reg(op.getIndex());
    if (op.getOriginal()) ++info.word;
    builder_.emit(Op::Element, DType::Int32, define(op), info, index, uint8_t(dtype_of(op.getIndex().getType())));
  }

  // -------------------------------------------------------------- structures: registers side by side, one per number

  /// The parameters of the program for a parameter of the kernel; the first one stands for all.
  Reg params_of(const std::string &name, StructType type) {
    Reg first;
    for (unsigned i = 0; i < type.size(); ++i) {
      const std::string path = name + "." + llvm::cast<mlir::StringAttr>(type.getNames()[i]).str();
      auto inner = llvm::dyn_cast<StructType>(type.field(i));
      Reg field = inner ? params_of(path, inner) : builder_.param({path, ParamKind::Scalar, dtype_of(type.field(i))});
      if (i == 0) first = field;
    }
    return first;
  }
  template <class FieldOp> Reg field_register(FieldOp op) {
    return {reg(op.getStructure()).word + op.getStructure().getType().leaves_before(op.getIndex())};
  }
  template <class FieldOp> static DType field_dtype(FieldOp op) { return dtype_of(op.getStructure().getType().field(op.getIndex())); }

  void lower_op(StructOp op) {
    llvm::SmallVector<DType> dtypes;
    op.getType().add_leaves(dtypes);
    Reg structure = registers_[op] = builder_.value(unsigned(dtypes.size()));
    for (auto [i, value] : llvm::enumerate(op.getValues())) builder_.emit(Op::Move, dtypes[i], {structure.word + uint32_t(i)}, reg(value));
  }
  void lower_op(CopyStructOp op) {
    llvm::SmallVector<DType> dtypes;
    op.getType().add_leaves(dtypes);
    Reg from = reg(op.getStructure()), copy = registers_[op] = builder_.value(unsigned(dtypes.size()));
    for (uint32_t i = 0; i < dtypes.size(); ++i) builder_.emit(Op::Move, dtypes[i], {copy.word + i}, {from.word + i});
  }
  void lower_op(GetFieldOp op) { builder_.emit(Op::Move, field_dtype(op), define(op), field_register(op)); }
  void lower_op(SetFieldOp op) {
    Reg value = reg(op.getValue());
    builder_.emit(Op::Move, field_dtype(op), field_register(op), value);
  }

  // -------------------------------------------------------------- text

  template <class TextOp> void add_values(TextOp op, std::vector<SlotRef> &slots) {
    for (auto [value, dtype] : llvm::zip_equal(op.getValues(), op.getDtypes())) slots.push_back({reg(value).word, DType(dtype)});
  }
  void text(Op code, llvm::StringRef format, const std::vector<SlotRef> &slots) {
    builder_.emit(code, DType::Void, {builder_.string(format)}, {builder_.operands(slots)}, {uint32_t(slots.size())});
  }
  void lower_op(PrintfOp op) {
    std::vector<SlotRef> slots;
    add_values(op, slots);
    text(Op::Print, op.getFormat(), slots);
  }
  void lower_op(AssertOp op) {
    std::vector<SlotRef> slots = {{reg(op.getCondition()).word, DType::Bool, builder_.string(op.getTest())}};
    add_values(op, slots);
    mlir::ArrayAttr names = op.getNames();
    for (auto [slot, name] : llvm::zip_equal(std::span(slots).last(names.size()), names.getAsValueRange<mlir::StringAttr>()))
      slot.variable = builder_.string(name);
    text(Op::Assert, op.getFormat(), slots);
  }

  void lower_op(StatementOp op) {
    std::vector<SlotRef> slots;
    for (auto [value, dtype, name] : llvm::zip_equal(op.getValues(), op.getDtypes(), op.getNames().getAsValueRange<mlir::StringAttr>())) {
      const Reg first = reg(value);
      slots.push_back({first.word, DType(dtype), builder_.string(name)});
      if (is_tensor(value.getType())) slots.push_back({first.word + 1, DType::UInt64});
    }
    builder_.emit(Op::Statement, DType::Void, {op.getNumber()}, {builder_.operands(slots)}, {uint32_t(slots.size())},
                  uint8_t(op.getMoment()));
  }

  // -------------------------------------------------------------- the framework

  /// A new object. The value that stands for it has the object's number in the place of a register; that of the TPipe has none.
  template <class ObjectOp> void construct(ObjectOp op, Object object) {
    object.variable = builder_.string(variable_of(op.getLoc()));
    registers_[op] = {builder_.object(object)};
    builder_.emit(Op::Construct, DType::Void, registers_[op]);
  }
  void lower_op(QueueOp op) {
    QueueType type = op.getType();
    construct(op, {ObjectKind::Queue, Position(type.getSrc()), Position(type.getDst()), uint8_t(type.getDepth())});
  }
  void lower_op(BufOp op) {
    auto position = Position(op.getType().getPosition());
    construct(op, {ObjectKind::Buffer, position, position});
  }
  void lower_op(BufPoolOp op) {
    auto position = Position(op.getType().getPosition());
    construct(op, {ObjectKind::Pool, position, position, uint8_t(op.getType().getBuffers())});
  }
  void lower_op(AllocatorOp op) {
    Position position = position_in(Memory(op.getType().getMemory()));
    construct(op, {ObjectKind::Allocator, position, position});
  }

  /// Two values as Int64 in registers side by side.
  Reg pair(Value first, Value second) {
    Reg registers = builder_.value(2);
    put(registers, first);
    if (second)
      put({registers.word + 1}, second);
    else
      builder_.emit(Op::Move, DType::Int64, {registers.word + 1}, builder_.constant(0));
    return registers;
  }
  void put(Reg dst, Value value) {
    DType dtype = scalar_dtype(value.getType());
    bool as_it_is = dtype == DType::Int64 || constant_of(value);
    builder_.emit(as_it_is ? Op::Move : Op::Cast, DType::Int64, dst, reg(value), {0}, as_it_is ? uint8_t(0) : uint8_t(dtype));
  }

  void lower_op(InitQueueOp op) {
    Reg sizes = pair(op.getNumber(), op.getBytes());
    builder_.emit(Op::InitQueue, DType::Void, reg(op.getQueue()), reg(op.getOwner()), sizes);
  }
  void lower_op(InitBufOp op) {
    Reg bytes = wide(op.getBytes());
    builder_.emit(Op::InitBuffer, DType::Void, reg(op.getBuf()), reg(op.getOwner()), bytes);
  }
  void lower_op(InitPoolOp op) {
    Reg bytes = wide(op.getBytes());
    if (op.getShared())
      builder_.emit(Op::SharePool, DType::Void, reg(op.getPool()), reg(op.getShared()), bytes);
    else
      builder_.emit(Op::InitPool, DType::Void, reg(op.getPool()), reg(op.getOwner()), bytes);
  }

  void lower_op(AllocTensorOp op) { builder_.emit(Op::AllocTensor, element_dtype(op.getType()), define(op), reg(op.getQueue())); }
  /// The event of a queue between its own ends, or between those that the call names.
  template <class Transfer> static uint8_t ready_event(Transfer op) {
    QueueType queue = op.getQueue().getType();
    return queue_events({Position(op.getSrc().value_or(queue.getSrc())), Position(op.getDst().value_or(queue.getDst()))})->ready;
  }
  void lower_op(EnqueOp op) {
    const Reg tag = op.getTag() ? reg(op.getTag()) : Reg();
    builder_.emit(Op::Enque, DType::Void, reg(op.getTensor()), reg(op.getQueue()), tag, ready_event(op));
  }
  void lower_op(DequeOp op) { builder_.emit(Op::Deque, element_dtype(op.getType()), define(op), reg(op.getQueue()), {0}, ready_event(op)); }
  void lower_op(DequeInPlaceOp op) {
    QueueType type = op.getQueue().getType();
    uint8_t event = queue_events({Position(type.getSrc()), Position(type.getDst())})->ready;
    builder_.emit(Op::DequeInPlace, DType::Void, reg(op.getTensor()), reg(op.getQueue()), {0}, event);
  }
  void lower_op(FreeTensorOp op) { builder_.emit(Op::FreeTensor, DType::Void, reg(op.getTensor()), reg(op.getQueue())); }
  void lower_op(QueueStateOp op) {
    builder_.emit(Op::QueueState, DType::Void, define(op), reg(op.getQueue()), {0}, uint8_t(op.getQuery()));
  }
  void lower_op(GetBufOp op) {
    Reg part = op.getSize() ? pair(op.getSize(), op.getOffset()) : Reg();
    builder_.emit(Op::GetBuffer, element_dtype(op.getType()), define(op), reg(op.getBuf()), part);
  }
  void lower_op(AllocateOp op) {
    Reg size = wide(op.getSize());
    builder_.emit(Op::Allocate, element_dtype(op.getType()), define(op), reg(op.getAllocator()), size, uint8_t(op.getType().getPosition()));
  }
  void lower_op(CurrentAddressOp op) { builder_.emit(Op::CurrentAddress, DType::Void, define(op), reg(op.getAllocator())); }

  // -------------------------------------------------------------- the Matmul

  void lower_op(MatmulOp op) { construct(op, {ObjectKind::Matmul, Position::CO1, Position::CO1}); }
  void matmul(MatmulCall call, Value object, const std::vector<SlotRef> &slots) {
    builder_.emit(Op::Matmul, DType::Void, reg(object), {builder_.operands(slots)}, {uint32_t(slots.size())}, uint8_t(call));
  }
  SlotRef known(int64_t value) { return {builder_.constant(uint64_t(value)).word, DType::Int64}; }
  SlotRef number(Value value) { return {reg(value).word, scalar_dtype(value.getType())}; }
  std::vector<SlotRef> tensor_slots(Value tensor, bool reads, bool writes) {
    const Reg first = reg(tensor);
    builder_.note_access(first, reads, writes);
    return {{first.word, element_dtype(tensor.getType()), builder_.string(name_of(tensor))}, {first.word + 1, DType::UInt64}};
  }

  void init(Value object, Value tiling) {
    std::vector<SlotRef> slots = {known(llvm::cast<MatmulType>(object.getType()).getOrder())};
    for (const uint8_t field : kTilingFields) slots.push_back({reg(tiling).word + field, DType::Int32});
    matmul(MatmulCall::Init, object, slots);
  }
  void lower_op(RegisterMatmulOp op) {
    matmul(MatmulCall::Register, op.getMatmul(), {});
    if (op.getTiling()) init(op.getMatmul(), op.getTiling());
  }
  void lower_op(MatmulInitOp op) { init(op.getMatmul(), op.getTiling()); }
  void lower_op(MatmulSetOp op) {
    constexpr MatmulCall kCalls[] = {MatmulCall::SetA, MatmulCall::SetB, MatmulCall::SetBias};
    std::vector<SlotRef> slots = tensor_slots(op.getTensor(), true, false);
    if (op.getTranspose()) {
      slots.push_back(number(op.getTranspose()));
      slots.push_back(known(op.getMatmul().getType().getTransposable() >> op.getWhich() & 1));
    }
    matmul(kCalls[op.getWhich()], op.getMatmul(), slots);
  }
  void lower_op(MatmulShapeOp op) {
    std::vector<SlotRef> slots;
    for (Value size : op.getSizes()) slots.push_back(number(size));
    if (op.getShape() != 0) return matmul(MatmulCall::SingleShape, op.getMatmul(), slots);
    if (slots.size() == 3) slots.push_back(slots[2]); // kb is ka
    if (slots.size() == 4) slots.push_back(known(0));
    matmul(MatmulCall::OrgShape, op.getMatmul(), slots);
  }
  void lower_op(MatmulIterateOp op) {
    const Reg partial = reg(op.getPartialSum());
    builder_.emit(Op::MatmulIterate, DType::Void, define(op), reg(op.getMatmul()), partial);
  }
  template <class Store> void store(MatmulCall call, Store op) {
    std::vector<SlotRef> slots = tensor_slots(op.getTensor(), constant_of(op.getAtomic()) != 0, true);
    slots.push_back(number(op.getAtomic())), slots.push_back(number(op.getSequential()));
    matmul(call, op.getMatmul(), slots);
  }

  // -------------------------------------------------------------- control flow

  /// Whether the op writes its one result with one instruction after reading its operands, so that the result may share a register with one
  /// of them.
  static bool is_simple(Operation *op) {
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 || is_tensor(op->getResult(0).getType())) return false;
    return !llvm::isa<arith::ConstantOp, arith::SelectOp, AddressOfOp, BaseAddressOp, mlir::func::CallOp>(op);
  }

  /// Lets `value`, which the block yields, be computed in the register `target` if nothing later in the block reads one of `residents`, the
  /// values that live there.
  void place(Value value, Reg target, mlir::Block &block, llvm::ArrayRef<Value> residents) {
    if (debug_form_) return; // a debugger looks at the residents until the next statement begins
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block || !is_simple(op) || registers_.contains(value)) return;
    for (Value resident : residents)
      for (Operation *user : resident.getUsers()) {
        Operation *here = block.findAncestorOpInBlock(*user);
        if (here && here != op && !here->isBeforeInBlock(op)) return;
      }
    registers_[value] = target;
  }

  /// Copies the operands of a terminator into the registers that wait for them.
  void yield(mlir::ValueRange values, llvm::ArrayRef<Reg> targets) {
    std::vector<Copy> copies;
    for (auto [value, target] : llvm::zip_equal(values, targets)) copies.push_back(copy_of(target, value));
    builder_.copy(std::move(copies));
  }

  /// Registers for values that change from round to round; they start with `inits`.
  llvm::SmallVector<Reg> carry(mlir::ValueRange inits, mlir::ValueRange arguments) {
    llvm::SmallVector<Reg> carried;
    for (auto [init, argument] : llvm::zip_equal(inits, arguments)) {
      carried.push_back(fresh(argument.getType()));
      registers_[argument] = carried.back();
    }
    yield(inits, carried);
    return carried;
  }

  void lower_op(scf::ForOp op) {
    uint32_t site = site_of(op.getLoc());
    mlir::Block &body = *op.getBody();
    Reg lower = wide(op.getLowerBound()), upper = wide(op.getUpperBound()), step = wide(op.getStep());
    llvm::SmallVector<Reg> carried = carry(op.getInitArgs(), op.getRegionIterArgs());
    // The counter is Int64: it may pass the upper bound by a step.
    Reg counter = builder_.value();
    registers_[op.getInductionVar()] = counter;
    builder_.emit(Op::Move, DType::Int64, counter, lower);
    std::optional<int64_t> first = constant_of(op.getLowerBound()), last = constant_of(op.getUpperBound());
    bool runs = first && last && *first < *last;
    Reg test = builder_.value();
    uint32_t skip = 0;
    if (!runs) {
      builder_.emit(Op::Lt, DType::Int64, test, counter, upper);
      skip = builder_.jump_if_zero(test);
    }
    uint32_t top = builder_.here();
    auto yields = llvm::cast<scf::YieldOp>(body.getTerminator());
    for (auto [value, target, argument] : llvm::zip_equal(yields.getOperands(), carried, op.getRegionIterArgs()))
      place(value, target, body, {argument});
    block(body);
    yield(yields.getOperands(), carried);
    builder_.at(site);
    builder_.emit(Op::Add, DType::Int64, counter, counter, step);
    builder_.emit(Op::Ge, DType::Int64, test, counter, upper);
    builder_.jump_if_zero(test, top);
    if (!runs) builder_.instr(skip).b = builder_.here();
    for (auto [result, target] : llvm::zip_equal(op.getResults(), carried)) registers_[result] = target;
  }

  void lower_op(scf::WhileOp op) {
    uint32_t site = site_of(op.getLoc());
    mlir::Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
    scf::ConditionOp condition = op.getConditionOp();
    scf::YieldOp yields = op.getYieldOp();
    llvm::SmallVector<Reg> carried = carry(op.getInits(), before.getArguments());
    // What the test hands on to the body and to the code behind the loop: values that stay where they are, or go to a register of their
    // own.
    llvm::SmallVector<Reg> handed;
    for (auto [value, argument, result] : llvm::zip_equal(condition.getArgs(), after.getArguments(), op.getResults())) {
      bool computed = value.getDefiningOp() && op.getBefore().isAncestor(value.getParentRegion());
      Reg target = computed ? fresh(value.getType()) : reg(value);
      handed.push_back(target);
      registers_[argument] = target;
      registers_[result] = target;
    }
    uint32_t enter = builder_.emit(Op::Jump, DType::Void);
    uint32_t top = builder_.here();
    for (auto [value, target] : llvm::zip_equal(yields.getOperands(), carried)) {
      llvm::SmallVector<Value> residents;
      for (auto [argument, place] : llvm::zip_equal(after.getArguments(), handed))
        if (place == target) residents.push_back(argument);
      place(value, target, after, residents);
    }
    block(after);
    yield(yields.getOperands(), carried);
    builder_.instr(enter).a = builder_.here();
    for (auto [value, target] : llvm::zip_equal(condition.getArgs(), handed)) place(value, target, before, {});
    block(before);
    builder_.at(site);
    Reg stop = negate(condition.getCondition(), before);
    yield(condition.getArgs(), handed);
    builder_.jump_if_zero(stop, top);
  }

  /// The opposite of the condition of a test: of the comparison that ends it, if nobody else wants it. A comparison elsewhere is on one of
  /// the paths to the test only.
  Reg negate(Value condition, mlir::Block &test) {
    Reg reg = this->reg(condition);
    mlir::Operation *made = condition.getDefiningOp();
    if (llvm::isa_and_nonnull<arith::CmpIOp, arith::CmpFOp>(made) && made->getBlock() == &test && condition.hasOneUse()) {
      Instr &last = builder_.instr(builder_.here() - 1);
      std::optional<Op> opposite = inverse(last);
      if (opposite && last.dst == reg.word) {
        last.op = *opposite;
        return reg;
      }
    }
    Reg negated = builder_.value();
    builder_.emit(Op::Not, DType::Bool, negated, reg);
    return negated;
  }

  void lower_op(scf::IfOp op) {
    llvm::SmallVector<Reg> targets;
    for (Value result : op.getResults()) targets.push_back(define(result));
    uint32_t otherwise = builder_.jump_if_zero(reg(op.getCondition()));
    branch(op.thenBlock(), targets);
    if (op.elseBlock()) {
      uint32_t done = builder_.emit(Op::Jump, DType::Void);
      builder_.instr(otherwise).b = builder_.here();
      branch(op.elseBlock(), targets);
      builder_.instr(done).a = builder_.here();
    } else {
      builder_.instr(otherwise).b = builder_.here();
    }
  }
  void branch(mlir::Block *body, llvm::ArrayRef<Reg> targets) {
    mlir::OperandRange values = body->getTerminator()->getOperands();
    for (auto [value, target] : llvm::zip_equal(values, targets)) {
      place(value, target, *body, {});
      // So do the results of an inner conditional that the branch hands on.
      if (auto inner = value.getDefiningOp<scf::IfOp>(); inner && inner->getBlock() == body) registers_.try_emplace(value, target);
    }
    block(*body);
    yield(values, targets);
  }

  /// What has no name in a device function has that which its caller gives it.
  void name_result(mlir::func::CallOp call, Operation *end) {
    Operation *made = end->getNumOperands() == 1 ? end->getOperand(0).getDefiningOp() : nullptr;
    if (!made || !variable_of(made->getLoc()).empty()) return;
    const auto given = given_names_.find(call);
    const std::string variable(given == given_names_.end() ? variable_of(call.getLoc()) : given->second);
    if (variable.empty())
      given_names_.erase(made);
    else
      given_names_[made] = variable;
  }

  void lower_op(mlir::func::CallOp op) {
    auto callee = module_.lookupSymbol<mlir::func::FuncOp>(op.getCallee());
    if (!callee || callee.isExternal()) throw InternalError("call of an unknown device function " + op.getCallee().str());
    if (llvm::is_contained(calls_, callee)) throw InternalError("device function " + op.getCallee().str() + " calls itself");
    mlir::Block &body = callee.getBody().front();
    llvm::SmallVector<Reg> arguments;
    for (Value operand : op.getOperands()) arguments.push_back(reg(operand));
    name_result(op, body.getTerminator());
    const uint32_t called_at = site_of(*op.getOperation());
    // A function that is called again gets registers and sites anew.
    auto outer_registers = std::move(registers_);
    auto outer_sites = std::move(sites_);
    auto outer = std::pair(inlined_at_, function_);
    registers_.clear(), sites_.clear();
    for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments)) registers_[argument] = value;
    inlined_at_ = called_at;
    function_ = builder_.string(callee.getSymName().str());
    calls_.push_back(callee);
    block(body);
    llvm::SmallVector<Reg> results;
    for (Value value : body.getTerminator()->getOperands()) results.push_back(reg(value));
    calls_.pop_back();
    std::tie(inlined_at_, function_) = outer;
    registers_ = std::move(outer_registers);
    sites_ = std::move(outer_sites);
    for (auto [result, value] : llvm::zip_equal(op.getResults(), results)) registers_[result] = value;
  }

  mlir::ModuleOp module_;
  KernelOp kernel_;
  ProgramBuilder builder_;
  llvm::DenseMap<Value, Reg> registers_;
  std::vector<std::pair<Operation *, uint32_t>> given_up_after_; // arrays by their last use
  llvm::DenseMap<const void *, uint32_t> sites_;                 // by location, of the function being lowered
  llvm::SmallVector<mlir::func::FuncOp> calls_;                  // device functions being inlined
  std::map<Operation *, std::string> given_names_;               // of their results
  uint32_t inlined_at_ = kNoRegister, function_ = 0;
  bool debug_form_ = false, combines_stores_ = false;
  std::array<Reg, kPointers> pointers_; // what stands for them in the analysis of arrays
};

} // namespace

Program to_program(mlir::ModuleOp module, std::string_view target) {
  auto kernels = module.getOps<KernelOp>();
  if (kernels.empty()) throw InternalError("the module has no kernel");
  return Lowering(*kernels.begin(), module, target).run();
}

} // namespace asc
