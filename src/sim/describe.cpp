// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See describe.h.
#include "sim/describe.h"

#include "apis/matmul.h"
#include "isa/ops.h"
#include "sim/cross_core.h"

namespace asc {

std::string call_name(const Program &program, uint32_t pc) {
  const Instr &instr = program.code[pc];
  if (instr.op == Op::Matmul) return std::string(kMatmulCalls[instr.aux].name);
  if (instr.op == Op::MatmulIterate) return "iterate";
  return std::string(instr.op == Op::Api ? rows()[instr.dst]->name : info(instr.op).name);
}

/// The object of an instruction of a Matmul.
static std::optional<uint32_t> matmul_of(const Instr &instr) {
  if (instr.op == Op::Matmul) return instr.dst;
  return instr.op == Op::MatmulIterate ? std::optional(instr.a) : std::nullopt;
}

static uint32_t tensor_register(const Program &program, uint32_t pc, unsigned arg) {
  const Instr &instr = program.code[pc];
  if (arg >= kMaxArgs) return kNoRegister;
  if (instr.op == Op::Api) return program.operands[instr.a + layout(*rows()[instr.dst], instr.aux).slot[arg]].reg;
  return info(instr.op).dst == Use::ReadPair ? instr.dst : instr.a;
}

/// The one instruction that writes the tensor register `reg`; kNoRegister when there are several or none.
static uint32_t definition_of(const Program &program, uint32_t reg) {
  uint32_t found = kNoRegister;
  for (uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const Use use = info(program.code[pc].op).dst;
    if ((use != Use::WritePair && use != Use::UpdatePair) || program.code[pc].dst != reg) continue;
    if (found != kNoRegister) return kNoRegister;
    found = pc;
  }
  return found;
}

/// Calls `fn(pc)` for the instructions that made a tensor, from the last view of it back to its origin, until `fn` returns true.
template <class Fn> static void for_each_definition(const Program &program, uint32_t reg, Fn &&fn) {
  for (unsigned steps = 0; steps < 16 && reg != kNoRegister; ++steps) {
    const uint32_t pc = definition_of(program, reg);
    if (pc == kNoRegister || fn(pc)) return;
    if (program.code[pc].op != Op::View && program.code[pc].op != Op::Move2) return;
    reg = program.code[pc].a;
  }
}

std::string operand_name(const Program &program, uint32_t pc, unsigned arg) {
  if (arg == Access::kScratch) return "its scratch memory";
  if (arg == Access::kRegister) return "the memory whose address a register has";
  if (arg == Access::kByAddress) return "a block given by its address";
  const Instr &instr = program.code[pc];
  if (const auto object = matmul_of(instr)) {
    const std::string &variable = program.strings[program.objects[*object].variable];
    return std::string(kMatmulOperands[arg]) + " of " + (variable.empty() ? "the Matmul" : variable);
  }
  const Row *row = instr.op == Op::Api ? rows()[instr.dst] : nullptr;
  uint32_t variable = row ? program.operands[instr.a + layout(*row, instr.aux).slot[arg]].variable : 0;
  if (variable == 0 && (!row || row->args[arg].is_tensor()))
    for_each_definition(program, tensor_register(program, pc, arg), [&](uint32_t at) {
      variable = program.sites[program.site_of[at]].variable;
      return variable != 0;
    });
  if (variable != 0) return program.strings[variable];
  return row ? std::string(row->args[arg].keyword()) : "the tensor";
}

uint32_t tensor_origin(const Program &program, uint32_t pc, unsigned arg) {
  uint32_t origin = kNoRegister;
  if (arg >= kMaxArgs) return origin; // not a tensor of the call
  for_each_definition(program, tensor_register(program, pc, arg), [&](uint32_t at) {
    if (program.code[at].op != Op::View && program.code[at].op != Op::Move2) origin = at;
    return false;
  });
  return origin;
}

std::string byte_range(Memory memory, uint64_t begin, uint64_t end, uint64_t total) {
  std::string text = std::string(info(memory).name) + " bytes " + std::to_string(begin) + ".." + std::to_string(end - 1);
  if (total != end - begin) text += " (first of " + std::to_string(total) + " bytes)";
  return text;
}

sim::FindingSite access_site(const Program &program, uint32_t pc, Pipe pipe, uint32_t core, unsigned arg, bool write, Memory memory,
                             uint64_t begin, uint64_t end, uint64_t total, std::string_view where) {
  const std::string tensor = operand_name(program, pc, arg);
  return {pc, pipe, core, (write ? "writes " : "reads ") + tensor + ", " + std::string(where) + byte_range(memory, begin, end, total),
          sim::FindingSite::Bytes{write, tensor, memory, int64_t(begin), int64_t(end), int64_t(total)}};
}

std::string core_name(KernelType type, uint32_t number) {
  const sim::Core core = sim::core_of(type, number);
  const bool both = info(type).aivs && info(type).aics;
  return (both ? std::string(name(core.kind)) + " block " : "block ") + std::to_string(sim::block_idx(type, core));
}

std::string plural(int64_t n, std::string_view what) { return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s"); }

} // namespace asc
