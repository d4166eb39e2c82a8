// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "aicore/program_builder.h"
#include "isa/ops.h"

#include <algorithm>

namespace asc {

Reg ProgramBuilder::constant(uint64_t bits) {
  auto [entry, is_new] = constants_.try_emplace(bits, uint32_t(program_.constants.size()));
  if (is_new) program_.constants.push_back(bits);
  return {Reg::Constant | entry->second};
}

Reg ProgramBuilder::param(Param param) {
  program_.params.push_back(std::move(param));
  return {Reg::Param | uint32_t(program_.params.size() - 1)};
}

Reg ProgramBuilder::value(unsigned registers) {
  values_ += registers;
  return {Reg::Value | (values_ - registers)};
}

uint32_t ProgramBuilder::string(std::string_view text) {
  auto [entry, is_new] = strings_.try_emplace(llvm::StringRef(text.data(), text.size()), uint32_t(program_.strings.size()));
  if (is_new) program_.strings.emplace_back(text);
  return entry->second;
}

uint32_t ProgramBuilder::site(const Site &site) {
  program_.sites.push_back(site);
  return uint32_t(program_.sites.size() - 1);
}

uint32_t ProgramBuilder::object(const Object &object) {
  program_.objects.push_back(object);
  return uint32_t(program_.objects.size() - 1);
}

uint32_t ProgramBuilder::array(DType dtype, uint32_t length, std::string_view variable) {
  uint32_t first = 0;
  auto next = alive_.begin();
  for (; next != alive_.end() && program_.arrays[*next].first - first < length; ++next)
    first = program_.arrays[*next].first + program_.arrays[*next].length;
  const auto number = uint32_t(program_.arrays.size());
  program_.arrays.push_back({dtype, first, length, string(variable)});
  alive_.insert(next, number);
  return number;
}
uint32_t ProgramBuilder::array_bytes() const {
  uint32_t bytes = 0;
  for (uint32_t number : alive_) bytes += program_.arrays[number].length * size_of(program_.arrays[number].dtype);
  return bytes;
}
uint32_t ProgramBuilder::array_words() const {
  return alive_.empty() ? 0 : program_.arrays[alive_.back()].first + program_.arrays[alive_.back()].length;
}

uint32_t ProgramBuilder::operands(std::span<const SlotRef> slots) {
  auto first = uint32_t(program_.operands.size());
  program_.operands.insert(program_.operands.end(), slots.begin(), slots.end());
  return first;
}

uint32_t ProgramBuilder::emit(Op op, DType type, Reg dst, Reg a, Reg b, uint8_t aux) {
  program_.code.push_back({op, type, aux, dst.word, a.word, b.word});
  program_.site_of.push_back(site_);
  return here() - 1;
}

void ProgramBuilder::copy(std::vector<Copy> copies) {
  std::erase_if(copies, [](const Copy &c) { return c.dst == c.src; });
  auto emit_copy = [&](const Copy &c) {
    emit(c.pair ? Op::Move2 : Op::Move, c.type, c.dst, c.src);
    same_array(c.dst, c.src);
  };
  while (!copies.empty()) {
    auto is_read = [&](Reg reg) { return std::any_of(copies.begin(), copies.end(), [&](const Copy &c) { return c.src == reg; }); };
    auto ready = std::find_if(copies.begin(), copies.end(), [&](const Copy &c) { return !is_read(c.dst); });
    if (ready != copies.end()) {
      emit_copy(*ready);
      copies.erase(ready);
      continue;
    }
    // Only cycles are left: save what the first copy overwrites.
    const Copy first = copies.front();
    Copy saved = {value(first.pair ? 2 : 1), first.dst, first.pair, first.type};
    emit_copy(saved);
    for (Copy &c : copies)
      if (c.src == first.dst) c.src = saved.dst;
  }
}

ProgramBuilder::ArrayUse &ProgramBuilder::array(Reg reg) {
  ArrayUse *use = &arrays_.try_emplace(reg.word, ArrayUse{reg.word}).first->second;
  while (use->parent != reg.word) {
    reg.word = use->parent;
    use = &arrays_.find(reg.word)->second;
  }
  return *use;
}

void ProgramBuilder::same_array(Reg a, Reg b) {
  array(a), array(b); // both exist: references below stay valid
  ArrayUse &root = array(a), &other = array(b);
  other.parent = root.parent;
  root.reads |= other.reads;
  root.writes |= other.writes;
}

void ProgramBuilder::note_access(Reg tensor, bool reads, bool writes) {
  ArrayUse &use = array(tensor);
  use.reads |= reads;
  use.writes |= writes;
}

Program ProgramBuilder::finish() {
  for (uint32_t i = 0; i < program_.params.size(); ++i) {
    Param &param = program_.params[i];
    if (param.kind != ParamKind::Address) continue;
    const ArrayUse &use = array({Reg::Param | i});
    param.reads = use.reads;
    param.writes = use.writes;
  }
  const auto constants = uint32_t(program_.constants.size()), params = uint32_t(program_.params.size());
  auto number = [&](uint32_t &word) {
    Reg reg{word};
    switch (reg.kind()) {
    case Reg::Constant: word = reg.index(); break;
    case Reg::Param: word = constants + reg.index(); break;
    case Reg::Value: word = constants + params + reg.index(); break;
    case Reg::None: word = kNoRegister; break;
    }
  };
  auto number_field = [&](Use use, uint32_t &word) {
    switch (use) {
    case Use::None:
    case Use::Target:
    case Use::Row:
    case Use::Operands:
    case Use::String:
    case Use::Text:
    case Use::Number:
    case Use::Count:
    case Use::Mode:
    case Use::Barrier:
    case Use::Pointer:
    case Use::Array: return;
    default:
      if (!object_kinds(use)) number(word);
    }
  };
  for (Instr &instr : program_.code) {
    const OpInfo &op = info(instr.op);
    number_field(op.dst, instr.dst);
    number_field(op.a, instr.a);
    number_field(op.b, instr.b);
  }
  for (SlotRef &slot : program_.operands) number(slot.reg);
  program_.registers = constants + params + values_;
  return std::move(program_);
}

} // namespace asc
