// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See executable.h.
#include "sim/executable.h"

#include "diagnostics/diagnostic.h"
#include "isa/codec.h"
#include "sim/machine.h"

#include <algorithm>

namespace asc::sim {

static ApiSite make_site(const Program &p, const Instr &i) {
  const Row &row = *rows()[i.dst];
  ApiSite site{&row, &layout(row, i.aux), p.operands.data() + i.a, {}, nullptr, i.b, i.aux, 1, {}, {}};
  for (unsigned slot = 0; slot < site.lay->slots; ++slot) {
    const auto [reg, dtype, variable] = site.slots[slot];
    const DTypeInfo &type = info(dtype);
    site.reads.push_back({reg, dtype, uint8_t(64 - 8 * std::max<unsigned>(type.bytes, 1)), type.is_signed && !type.is_float});
  }
  for (unsigned arg = 0; arg < row.args.size(); ++arg) {
    const uint8_t slot = site.lay->slot[arg];
    if (!row.args[arg].is_tensor() || slot == Layout::kAbsent) continue;
    site.element = std::max(site.element, uint8_t(size_of(site.slots[slot].dtype)));
    site.reads[slot].unused = site.reads[slot + 1].unused = 0;
  }
  for (const Rule *rule : row.rules)
    if (!rule->is_static) site.rules.push_back(rule);
  if (row.cost.shape == CostShape::Vector) {
    const std::string_view key = row.forms[i.aux].cost.empty() ? row.cost.key : row.forms[i.aux].cost;
    site.vector = find_vector_cost(key);
    if (!site.vector) throw InternalError("no cost for " + std::string(row.name) + ": " + std::string(key));
  }
  return site;
}

const ApiSite &Executable::add_site(const Instr &instr) {
  ApiSite &site = sites_.emplace_back(make_site(program, instr));
  const auto tensors = std::span(site.lay->tensor).first(site.lay->tensors);
  if (site.row->access || !site.rules.empty()) {
    uint64_t addresses = 0;
    for (const uint8_t arg : tensors)
      if (site.row->args[arg].kind != ArgKind::Local) addresses |= uint64_t(1) << site.lay->slot[arg];
    site.known = {known++, known_slots, addresses};
    known_slots += site.lay->slots;
  }
  return site;
}

/// Whether a Matmul may combine its result with what is in memory.
static bool is_atomic(const Program &p, const Instr &i) {
  if (i.op != Op::Matmul || (MatmulCall(i.aux) != MatmulCall::GetTensorC && MatmulCall(i.aux) != MatmulCall::IterateAll)) return false;
  const uint32_t mode = p.operands[i.a + 2].reg;
  return mode >= p.constants.size() || p.constants[mode] != 0;
}

Executable::Executable(Program source) : program(std::move(source)), chip(find_chip(program.target)) {
  validate(program);
  if (!chip) {
    Diagnostic d;
    d.code = "C103", d.message = "the program is for the chip " + program.target + ", which is not known";
    d.help = "compile the kernel for a supported platform";
    throw DiagnosticError(std::move(d));
  }
  steps.resize(program.code.size());
  for (size_t pc = 0; pc < steps.size(); ++pc) {
    const Instr &i = program.code[pc];
    Step &s = steps[pc];
    s.run = handler_of(i);
    // Cores that add to the same bytes do so in an order that does not depend on threads.
    cores_talk |= is_atomic(program, i);
    cores_talk |= i.op == Op::CrossCoreSetFlag || i.op == Op::CrossCoreWaitFlag || (i.op == Op::Api && rows()[i.dst]->poll);
    const auto reads_or_writes = [](const Row &row) { return row.pipe == Pipe::S && row.access; };
    scalar_accesses |= i.op == Op::GetValue || i.op == Op::SetValue || (i.op == Op::Api && reads_or_writes(*rows()[i.dst]));
    s.dst = i.dst, s.a = i.a, s.b = i.b, s.op = i.op, s.type = i.type, s.aux = i.aux;
    if (i.op == Op::Api)
      s.site = &add_site(i);
    else
      s.target = i.op == Op::Jump ? &steps[i.a] : i.op == Op::JumpIfZero ? &steps[i.b] : nullptr;
  }
}

std::shared_ptr<const Executable> prepare(Program program) { return std::make_shared<const Executable>(std::move(program)); }
const Program &program_of(const Executable &executable) { return executable.program; }

} // namespace asc::sim
