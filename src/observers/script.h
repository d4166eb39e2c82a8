// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the tests of the checkers: a launch played by hand, event by event, together with the program that the findings refer to.
#pragma once

#include "observers/checkers.h"
#include "observers/history.h"
#include "sim/report.h"

#include <map>

namespace asc {

/// A tensor in the memory of a block, or in a window of GM.
struct Tensor {
  std::string name;
  Memory memory;
  int64_t offset;
  uint32_t bytes;
  uint32_t window = 0;
  /// `count` bytes from `at` on, under the same name.
  Tensor part(int64_t at, uint32_t count) const { return {name, memory, offset + at, count, window}; }
};
inline Tensor ub(std::string name, int64_t offset, uint32_t bytes) { return {std::move(name), Memory::UB, offset, bytes}; }
inline Tensor gm(std::string name, int64_t offset, uint32_t bytes, uint32_t window = 0) {
  return {std::move(name), Memory::GM, offset, bytes, window};
}

class Script {
public:
  explicit Script(bool auto_sync = false, std::vector<std::unique_ptr<sim::Observer>> observers = {}) : observers_(std::move(observers)) {
    program.auto_sync = auto_sync;
    program.strings = {""};
    program.sites = {Site{}};
    if (observers_.empty()) observers_ = make_checkers();
  }

  /// The following events are those of this block.
  Script &block(uint32_t number) {
    current_ = &blocks_[number];
    if (current_->empty())
      for (auto &observer : observers_) current_->push_back(observer->block({&program, number, 65535, {}}, report));
    return *this;
  }

  /// Calls of the rows; the instruction is the same whenever row, names and `tag` are. MTE2 or MTE3 follow from the memories.
  void data_copy(const Tensor &dst, const Tensor &src, const char *tag = "") {
    const Pipe pipe = src.memory == Memory::GM ? Pipe::MTE2 : dst.memory == Memory::GM ? Pipe::MTE3 : Pipe::V;
    api("data_copy", pipe, {{&dst, true}, {&src, false}}, tag);
  }
  void add(const Tensor &dst, const Tensor &src0, const Tensor &src1, const char *tag = "") {
    api("add", Pipe::V, {{&dst, true}, {&src0, false}, {&src1, false}}, tag);
  }
  void duplicate(const Tensor &dst, const char *tag = "") { api("duplicate", Pipe::V, {{&dst, true}}, tag); }
  void get_value(const Tensor &t, const char *tag = "") { scalar(Op::GetValue, t, tag); }
  void set_value(const Tensor &t, const char *tag = "") { scalar(Op::SetValue, t, tag); }

  /// A store to global memory that adds elements of a type, or takes their maximum.
  void combine(const Tensor &dst, Atomic atomic, const char *tag = "") {
    atomic_ = atomic.number();
    api("data_copy", Pipe::MTE3, {{&dst, true}}, tag);
    atomic_ = 0;
  }
  void data_barrier(DataBarrier kind) {
    each([&](auto &o, auto) { o.data_barrier(0, kind, 0, 0); });
  }

  /// Any access by any pipe, as the instruction `pc`.
  void access(uint32_t pc, Pipe pipe, std::span<const Access> accesses) { execute(pc, pipe, nullptr, accesses); }
  static Access plain(const Tensor &t, bool write, uint8_t arg = 0) {
    Access access;
    access.arg = arg;
    access.read = !write, access.write = write;
    access.address = Address(t.memory, t.window, t.offset);
    access.bytes = t.bytes;
    return access;
  }
  /// A new get_value or set_value of a tensor called `name`.
  uint32_t scalar_pc(Op op, const std::string &name) {
    const uint32_t local = code({Op::Local, DType::Float32, uint8_t(Position::VECCALC), registers_, 0, 0}, name);
    const uint32_t reg = program.code[local].dst;
    registers_ += 2;
    return code({op, DType::Float32, 0, op == Op::SetValue ? reg : 0, op == Op::SetValue ? 0 : reg, 0}, "");
  }

  void set_flag(unsigned event, unsigned id = 0) {
    each([&](auto &o, auto ticket) { o.set_flag(0, event, id, ticket, 0); });
  }
  void wait_flag(unsigned event, unsigned id = 0) {
    each([&](auto &o, auto ticket) { o.wait_flag(0, event, id, ticket, 0, 0); });
  }
  void barrier(Pipe pipe) {
    each([&](auto &o, auto ticket) { o.barrier(0, pipe, ticket, 0, 0); });
  }

  /// S dispatches the next instruction now, and it takes effect later: `script.later(script.issue(pipe)).add(...)`.
  std::vector<uint64_t> issue(Pipe pipe) {
    std::vector<uint64_t> tickets;
    for (auto &observer : *current_) tickets.push_back(observer->issue(0, pipe));
    return tickets;
  }
  Script &later(std::vector<uint64_t> tickets) {
    tickets_ = std::move(tickets);
    return *this;
  }

  /// Ends the blocks and the launch.
  std::vector<sim::Finding> finish() {
    for (auto &[number, observers] : blocks_)
      for (auto &observer : observers) observer->end(0);
    for (auto &observer : observers_) observer->finish(report);
    return report.take();
  }

  Program program;
  sim::Report report;

private:
  struct Use {
    const Tensor *tensor;
    bool write;
  };

  uint32_t string(const std::string &text) {
    for (uint32_t i = 0; i < program.strings.size(); ++i)
      if (program.strings[i] == text) return i;
    program.strings.push_back(text);
    return uint32_t(program.strings.size() - 1);
  }
  uint32_t code(Instr instr, const std::string &variable) {
    program.code.push_back(instr);
    program.sites.push_back({});
    program.sites.back().line = uint32_t(program.code.size());
    program.sites.back().variable = string(variable);
    program.site_of.push_back(uint32_t(program.sites.size() - 1));
    return uint32_t(program.code.size() - 1);
  }

  /// The tensor arguments of the rows above stand first, dst before the sources.
  void api(const char *name, Pipe pipe, std::initializer_list<Use> uses, const std::string &tag) {
    const Row &row = *find_row(name);
    const Layout &lay = layout(row, 0);
    std::string key = name + tag;
    Call call{&row, &lay};
    std::vector<Access> accesses;
    for (const Use &use : uses) {
      const uint8_t arg = uint8_t(accesses.size());
      accesses.push_back(plain(*use.tensor, use.write, arg));
      accesses.back().atomic = atomic_;
      call.slots[lay.slot[arg]] = {accesses.back().address.word, DType::Float32};
      key += " " + use.tensor->name;
    }
    auto [it, added] = pcs_.try_emplace(key);
    if (added) {
      const uint32_t first = uint32_t(program.operands.size());
      program.operands.resize(first + lay.slots);
      for (uint8_t arg = 0; const Use &use : uses)
        program.operands[first + lay.slot[arg++]] = {0, DType::Float32, string(use.tensor->name)};
      it->second = code({Op::Api, DType::Float32, 0, row_number(row), first, kNoRegister}, "");
    }
    execute(it->second, pipe, &call, accesses);
  }

  void scalar(Op op, const Tensor &t, const std::string &tag) {
    auto [it, added] = pcs_.try_emplace((op == Op::GetValue ? "get_value" : "set_value") + tag + " " + t.name);
    if (added) it->second = scalar_pc(op, t.name);
    const Access access = plain(t, op == Op::SetValue);
    execute(it->second, Pipe::S, nullptr, {&access, 1});
  }

  void execute(uint32_t pc, Pipe pipe, const Call *call, std::span<const Access> accesses) {
    const uint64_t number = tickets_.empty() ? number_of(pc, accesses) : 0;
    each([&](auto &o, auto ticket) { o.execute({pc, pipe, call, accesses, 0, 0, ticket, 0, number}); });
  }
  /// As the simulator gives them: from the second time on.
  uint64_t number_of(uint32_t pc, std::span<const Access> accesses) {
    std::vector<uint64_t> key = {pc};
    for (const Access &a : accesses) {
      if (!a.of_tensor() || a.offsets) return 0;
      const uint64_t place = a.address.memory() == Memory::GM ? uint64_t(a.address.offset()) % 512 : a.address.word;
      key.insert(key.end(),
                 {a.arg, a.read, a.write, a.garbage, a.masked, a.element, uint64_t(a.address.memory()), place, a.repeats, a.blocks, a.bytes,
                  a.tail, a.filler, a.atomic, uint64_t(a.start), uint64_t(a.repeat_stride), uint64_t(a.block_stride)});
      key.insert(key.end(), a.mask.begin(), a.mask.end());
    }
    const auto [it, added] = numbers_.try_emplace(key, numbers_.size() + 1);
    return added ? 0 : it->second;
  }
  template <class Fn> void each(Fn &&fn) {
    for (size_t i = 0; i < current_->size(); ++i) fn(*(*current_)[i], tickets_.empty() ? 0 : tickets_[i]);
    tickets_.clear();
  }

  std::vector<std::unique_ptr<sim::Observer>> observers_;
  std::map<uint32_t, std::vector<std::unique_ptr<sim::BlockObserver>>> blocks_;
  std::vector<std::unique_ptr<sim::BlockObserver>> *current_ = nullptr;
  std::vector<uint64_t> tickets_;
  std::map<std::string, uint32_t> pcs_;
  std::map<std::vector<uint64_t>, uint64_t> numbers_;
  uint32_t registers_ = 0;
  uint8_t atomic_ = 0;
};

/// The number of an event.
inline unsigned event(std::string_view name) {
  for (unsigned e = 0; e < kEvents; ++e)
    if (kEventInfo[e].name == name) return e;
  return kEvents;
}

} // namespace asc
