// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects a program: registers, constants, code, places. Follows which array a tensor register may point into.
#pragma once

#include "diagnostics/diagnostic.h"
#include "isa/program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <unordered_map>

namespace asc {

/// A register before numbering: constants come first in a program, then parameters, then all others, and their counts are known at the end
/// only.
struct Reg {
  enum Kind : uint32_t { Constant = 0, Param = 1u << 30, Value = 2u << 30, None = 3u << 30 };
  uint32_t word = None;
  Kind kind() const { return Kind(word & None); }
  uint32_t index() const { return word & ~None; }
  bool operator==(const Reg &) const = default;
};

/// dst = src, of one register or of a tensor's two.
struct Copy {
  Reg dst, src;
  bool pair;
  DType type;
};

class ProgramBuilder {
public:
  explicit ProgramBuilder(Program program) : program_(std::move(program)) { string(""); }

  Reg constant(uint64_t bits);
  Reg param(Param param);
  Reg value(unsigned registers = 1);
  uint32_t string(std::string_view text);
  uint32_t object(const Object &object);
  uint32_t array(DType dtype, uint32_t length, std::string_view variable);
  uint32_t site(const Site &site);
  uint32_t operands(std::span<const SlotRef> slots); // registers of the slots as words of Reg

  /// The scalar unit's memory: arrays made in a scope share theirs with what is made after it, and one that is given up with later ones.
  struct ArrayScope {
    explicit ArrayScope(ProgramBuilder &b) : builder(b), first(uint32_t(b.program_.arrays.size())) {}
    ~ArrayScope() {
      std::erase_if(builder.alive_, [&](uint32_t number) { return number >= first; });
    }
    ArrayScope(const ArrayScope &) = delete;
    ProgramBuilder &builder;
    uint32_t first;
  };
  void give_up_array(uint32_t number) { std::erase(alive_, number); }
  /// Of the arrays that are alive: their bytes, and the words up to the end of the last one.
  uint32_t array_bytes() const;
  uint32_t array_words() const;

  /// Instructions that follow belong to this site.
  void at(uint32_t site) { site_ = site; }
  uint32_t here() const { return uint32_t(program_.code.size()); }
  uint32_t emit(Op op, DType type, Reg dst = {0}, Reg a = {0}, Reg b = {0}, uint8_t aux = 0);
  Instr &instr(uint32_t pc) { return program_.code[pc]; }
  void jump(uint32_t target) { emit(Op::Jump, DType::Void, {0}, {target}); }
  uint32_t jump_if_zero(Reg condition, uint32_t target = 0) { return emit(Op::JumpIfZero, DType::Bool, {0}, condition, {target}); }
  /// All copies at once: every source is read before it is overwritten.
  void copy(std::vector<Copy> copies);

  /// Both registers may point into the same arrays.
  void same_array(Reg a, Reg b);
  void note_access(Reg tensor, bool reads, bool writes);

  Program finish();

private:
  struct ArrayUse {
    uint32_t parent;
    bool reads = false, writes = false;
  };
  ArrayUse &array(Reg reg);

  Program program_;
  uint32_t site_ = 0, values_ = 0;
  std::vector<uint32_t> alive_; // numbers of arrays, by their place
  std::unordered_map<uint64_t, uint32_t> constants_;
  llvm::StringMap<uint32_t> strings_;
  llvm::DenseMap<uint32_t, ArrayUse> arrays_; // union-find over registers
};

} // namespace asc
