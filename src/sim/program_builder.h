// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: programs written by hand, an instruction per call.
#pragma once

#include "apis/queue.h"
#include "isa/codec.h"
#include "isa/ops.h"
#include "sim/simulator.h"

#include <map>
#include <stdexcept>

namespace asc::sim {

/// Registers are numbers; a tensor is the number of its first. Constants come first, then parameters (declare them before all else), then
/// the rest.
class ProgramBuilder {
public:
  using Reg = uint32_t;
  Program p;

  ProgramBuilder() {
    p.name = "test";
    p.constants.assign(kConstants, 0);
    p.strings = {""};
    p.sites = {Site{0, 0, 0, 0, 0, 0, kNoRegister, 0}};
    p.table = table_hash();
  }

  Reg array(std::string name, DType dtype, bool reads = true, bool writes = true) {
    p.params.push_back({std::move(name), ParamKind::Address, dtype, reads, writes});
    return reg();
  }
  Reg scalar(std::string name, DType dtype) {
    p.params.push_back({std::move(name), ParamKind::Scalar, dtype});
    return reg();
  }
  Reg constant(uint64_t bits) {
    const auto [it, added] = constants_.try_emplace(bits, Reg(constants_.size()));
    if (it->second >= kConstants) throw std::logic_error("too many constants");
    if (added) p.constants[it->second] = bits;
    return it->second;
  }
  Reg constant(float value) { return constant(uint64_t(std::bit_cast<uint32_t>(value))); }
  Reg reg(unsigned count = 1) {
    next_ += count;
    return next_ - count;
  }

  uint32_t here() const { return uint32_t(p.code.size()); }
  uint32_t emit(Op op, DType type, uint32_t dst = 0, uint32_t a = 0, uint32_t b = 0, uint8_t aux = 0) {
    p.code.push_back({op, type, aux, dst, a, b});
    return here() - 1;
  }
  Reg binary(Op op, DType type, Reg a, Reg b) {
    const Reg dst = reg();
    emit(op, type, dst, a, b);
    return dst;
  }
  Reg local(DType type, uint64_t address, uint64_t count) {
    const Reg dst = reg(2);
    emit(Op::Local, type, dst, constant(address), constant(count), uint8_t(Position::VECCALC));
    dtypes_[dst] = type;
    return dst;
  }
  Reg global(DType type, Reg address) {
    const Reg dst = reg(2);
    emit(Op::Global, type, dst, address, kNoRegister);
    dtypes_[dst] = type;
    return dst;
  }
  Reg view(DType type, Reg tensor, Reg index) {
    const Reg dst = reg(2);
    emit(Op::View, type, dst, tensor, index, uint8_t(DType::Int64));
    dtypes_[dst] = type;
    return dst;
  }
  void store(DType type, Reg tensor, uint64_t index, Reg value) {
    emit(Op::SetValue, type, tensor, constant(index), value, uint8_t(DType::Int64));
  }
  void set_flag(std::string_view event, uint64_t id) { emit(Op::SetFlag, DType::Void, 0, constant(id), 0, event_of(event)); }
  void wait_flag(std::string_view event, uint64_t id) { emit(Op::WaitFlag, DType::Void, 0, constant(id), 0, event_of(event)); }
  uint32_t queue(Position position, uint8_t depth) {
    const QueueEnds ends = *queue_ends(position);
    return object({ObjectKind::Queue, ends.src, ends.dst, depth});
  }
  uint32_t object(Object object) {
    p.objects.push_back(object);
    emit(Op::Construct, DType::Void, uint32_t(p.objects.size() - 1));
    return uint32_t(p.objects.size() - 1);
  }
  void init_queue(uint32_t queue, uint64_t buffers, uint64_t bytes, uint32_t owner = kNoRegister) {
    const Reg pair = reg(2);
    emit(Op::Move, DType::Int64, pair, constant(buffers));
    emit(Op::Move, DType::Int64, pair + 1, constant(bytes));
    emit(Op::InitQueue, DType::Void, queue, owner, pair);
  }
  /// AllocTensor or Deque.
  Reg take(Op op, DType type, uint32_t queue) {
    const Reg dst = reg(2);
    emit(op, type, dst, queue, 0, op == Op::Deque ? queue_events({p.objects[queue].src, p.objects[queue].dst})->ready : uint8_t(0));
    dtypes_[dst] = type;
    return dst;
  }
  void enque(uint32_t queue, Reg tensor) {
    emit(Op::Enque, DType::Void, tensor, queue, kNoRegister, queue_events({p.objects[queue].src, p.objects[queue].dst})->ready);
  }
  void free(uint32_t queue, Reg tensor) { emit(Op::FreeTensor, DType::Void, tensor, queue); }
  void barrier(Pipe pipe) { emit(Op::Barrier, DType::Void, 0, 0, 0, uint8_t(pipe)); }
  /// One register per argument; returns the result register.
  Reg api(std::string_view name, unsigned form, std::vector<Reg> args) {
    const Row &row = *find_row(name);
    const Layout &lay = layout(row, form);
    const uint32_t first = uint32_t(p.operands.size());
    size_t next = 0;
    DType type = DType::Void;
    for (unsigned n = 0; n < row.args.size(); ++n) {
      if (lay.slot[n] == Layout::kAbsent) continue;
      if (row.args[n].is_tensor()) {
        const Reg tensor = args.at(next++);
        if (type == DType::Void) type = dtypes_.at(tensor);
        p.operands.push_back({tensor, dtypes_.at(tensor)});
        p.operands.push_back({tensor + 1, DType::UInt64});
      } else {
        const DType dtype = row.args[n].kind == ArgKind::Number ? type : DType::Int64;
        for (unsigned part = 0; part < slots_of(row.args[n]); ++part) p.operands.push_back({args.at(next++), dtype});
      }
    }
    const Reg result = !row.results(form) ? kNoRegister : reg();
    for (unsigned more = 1; more < row.results(form); ++more) reg();
    emit(Op::Api, type, row_number(row), first, result, uint8_t(form));
    return result;
  }
  void copy(Reg dst, Reg src, uint64_t count) { api("data_copy", 0, {dst, src, constant(count)}); }

  Program build() {
    if (p.code.empty() || p.code.back().op != Op::Halt) emit(Op::Halt, DType::Void);
    p.registers = next_;
    p.site_of.assign(p.code.size(), 0);
    return p;
  }

  static uint8_t event_of(std::string_view name) {
    for (unsigned i = 0; i < kEvents; ++i)
      if (kEventInfo[i].name == name) return uint8_t(i);
    throw std::logic_error("no such event");
  }

private:
  static constexpr uint32_t kConstants = 64;
  std::map<uint64_t, Reg> constants_;
  std::map<Reg, DType> dtypes_;
  Reg next_ = kConstants;
};

/// Launches with one window per array, numbered in order; scalars are given as words after them in parameter order.
struct TestLaunch {
  std::vector<Window> windows;
  std::vector<uint64_t> scalars;
  LaunchOptions options;

  template <class T> TestLaunch &array(std::vector<T> &data, bool read_only = false) {
    windows.push_back(
        {reinterpret_cast<std::byte *>(data.data()), data.size() * sizeof(T), read_only, "a" + std::to_string(windows.size())});
    return *this;
  }
  LaunchResult run(const Executable &executable) const {
    std::vector<uint64_t> args;
    uint32_t window = 0;
    size_t scalar = 0;
    for (const Param &param : program_of(executable).params)
      args.push_back(param.kind == ParamKind::Address ? Address(Memory::GM, window++, 0).word : scalars.at(scalar++));
    return launch(executable, args, windows, options);
  }
  LaunchResult run(ProgramBuilder &builder) const { return run(*prepare(builder.build())); }
};

inline std::vector<std::string> codes_of(const LaunchResult &result) {
  std::vector<std::string> codes;
  for (const Finding &finding : result.findings) codes.push_back(finding.code);
  return codes;
}

} // namespace asc::sim
