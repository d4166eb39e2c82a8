// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See report.h.
#include "kernel_file/report.h"

#include "diagnostics/json.h"
#include "kernel_file/options.h"
#include "sim/describe.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace asc::kernel_file {
namespace {

using std::to_string;

[[gnu::format(printf, 1, 2)]] std::string format(const char *form, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, form);
  std::vsnprintf(text, sizeof text, form, arguments);
  va_end(arguments);
  return text;
}

std::string place(const Span &span) {
  if (span.line == 0) return "";
  return "\n  --> " + span.file + ":" + to_string(span.line) + ":" + to_string(span.column + 1);
}

const char *role_text(Role role) {
  constexpr const char *kNames[] = {"input", "output", "input and output", "workspace", "scalar"};
  static_assert(std::size(kNames) == kRoles);
  return kNames[unsigned(role)];
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string texts_json(const std::vector<std::string> &words) {
  std::vector<std::string> quoted;
  for (const std::string &word : words) quoted.push_back(json_text(word));
  return json_array(quoted);
}

/// The value of a register at an instruction, where the program tells it: a constant, or one that was moved there just before.
std::optional<uint64_t> value_at(const Program &program, size_t pc, uint32_t reg) {
  while (reg >= program.constants.size()) {
    while (pc > 0 && program.code[pc - 1].op == Op::Move && program.code[pc - 1].dst != reg) --pc;
    if (pc == 0 || program.code[pc - 1].op != Op::Move) return std::nullopt;
    reg = program.code[--pc].a;
  }
  return program.constants[reg];
}

/// Queues and other objects of a program, and its tensors at fixed addresses, as it names them.
std::vector<std::string> buffers_of(const Program &program) {
  constexpr const char *kKinds[] = {"queue", "buffer", "pool", "allocator", "Matmul"};
  std::vector<std::string> list;
  for (const Object &object : program.objects) {
    std::string text = std::string(kKinds[unsigned(object.kind)]) + " " + program.strings[object.variable];
    text += object.kind == ObjectKind::Queue ? " " + std::string(name(object.src)) + " to " + std::string(name(object.dst))
                                             : " in " + std::string(name(object.dst));
    list.push_back(std::move(text));
  }
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    const Instr &i = program.code[pc];
    if (i.op == Op::InitQueue) {
      const auto count = value_at(program, pc, i.b), bytes = value_at(program, pc, i.b + 1);
      if (count && bytes) list[i.dst] += ": " + to_string(*count) + " of " + to_string(*bytes) + " bytes";
    } else if (i.op == Op::Local) {
      const auto address = value_at(program, pc, i.a), count = value_at(program, pc, i.b);
      if (!address || !count || *count == 0) continue;
      const std::string &variable = program.strings[program.sites[program.site_of[pc]].variable];
      std::string text = "tensor " + (variable.empty() ? "" : variable + " ") + "in " + std::string(name(Position(i.aux))) + ": " +
                         byte_range(memory_of(Position(i.aux)), *address, *address + *count * size_of(i.type), *count * size_of(i.type));
      if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
    }
  }
  return list;
}

std::string ratio(uint64_t moved, uint64_t least) {
  return least ? format("%llu bytes, least possible %llu (%.2fx)", (unsigned long long)moved, (unsigned long long)least,
                        double(moved) / double(least))
               : format("%llu bytes", (unsigned long long)moved);
}

std::vector<unsigned> pipes_of(const sim::LaunchResult &result) {
  std::vector<unsigned> pipes;
  for (unsigned i = 0; i < kPipes; ++i)
    if (result.pipes[i].instructions) pipes.push_back(i);
  return pipes;
}

constexpr size_t kMostCores = 64; // in the table

std::string cores_table(const Launched &launched) {
  const std::vector<unsigned> pipes = pipes_of(launched.result);
  std::string text = format("  %-14s %12s", "core", "cycles");
  for (unsigned pipe : pipes) text += format(" %12s", std::string(kPipeNames[pipe]).c_str());
  text += "   busy cycles of the pipes\n";
  for (size_t i = 0; i < launched.cores.size() && i < kMostCores; ++i) {
    const sim::LaunchResult &core = launched.cores[i];
    text += format("  %-14s %12llu", core_name(launched.program->type, uint32_t(i)).c_str(), (unsigned long long)core.cycles);
    for (unsigned pipe : pipes) text += format(" %12llu", (unsigned long long)core.pipes[pipe].busy);
    text += "\n";
  }
  if (launched.cores.size() > kMostCores) text += format("  and %zu more\n", launched.cores.size() - kMostCores);
  return text;
}

std::string pipes_json(const sim::LaunchResult &result) {
  std::string text = "{";
  for (unsigned pipe : pipes_of(result)) {
    if (text.size() > 1) text += ", ";
    text += json_text(kPipeNames[pipe]) + ": {\"busy_cycles\": " + to_string(result.pipes[pipe].busy) +
            ", \"instructions\": " + to_string(result.pipes[pipe].instructions) + "}";
  }
  return text + "}";
}

std::string to_json(const Launched &launched) {
  const sim::LaunchResult &r = launched.result;
  std::vector<std::string> cores;
  for (const sim::LaunchResult &core : launched.cores)
    cores.push_back("{\"cycles\": " + to_string(core.cycles) + ", \"pipes\": " + pipes_json(core) + "}");
  return "{\"kernel\": " + json_text(launched.program->name) + ", \"target\": " + json_text(launched.program->target) +
         ", \"cores\": " + to_string(launched.blocks) + ", \"cycles\": " + to_string(r.cycles) +
         ", \"microseconds\": " + format("%.3f", r.microseconds) + ", \"instructions\": " + to_string(r.instructions) +
         ", \"gm_read_bytes\": " + to_string(r.gm_read_bytes) + ", \"least_read_bytes\": " + to_string(launched.least_read) +
         ", \"gm_written_bytes\": " + to_string(r.gm_written_bytes) + ", \"least_written_bytes\": " + to_string(launched.least_written) +
         ", \"gm_transfers\": " + to_string(r.gm_transfers) + ", \"pipes\": " + pipes_json(r) + ", \"per_core\": " + json_array(cores) +
         "}";
}

} // namespace

std::string to_text(const Diagnostic &d) {
  std::string text = std::string(d.severity == Severity::Error ? "error" : "warning") + "[" + d.code + "]: " + d.message + place(d.span);
  for (const Note &note : d.notes) text += "\nnote: " + note.text + place(note.span);
  return d.help.empty() ? text : text + "\nhelp: " + d.help;
}

std::string info_text(const Loaded &loaded) {
  const KernelFile &file = loaded.file;
  std::string text = "kernel    " + file.name + (file.summary.empty() ? "" : ": " + file.summary) + "\n";
  text += "producer  " + file.producer + "\n";
  text += "target    " + loaded.program().target + ", " + std::string(info(loaded.program().type).name) + "\n";
  text += "cores     " + to_string(file.cores ? file.cores : loaded.all_cores()) + "\n";
  if (file.rule) text += "tiling    " + joined(file.rule->results) + " of " + joined(file.rule->facts) + "\n";
  text += "parameters\n";
  for (const Parameter &p : file.parameters) {
    text += format("  %-16s %-16s ", p.name.c_str(), role_text(p.role)) + std::string(name(p.dtype));
    if (p.role != Role::Scalar) text += " " + shape_text(p);
    if (!p.number.empty()) text += ", from the files: " + p.number;
    if (p.default_value && !p.name.starts_with(".")) text += ", " + number_text(*p.default_value, p.dtype) + " unless given";
    text += "\n";
  }
  for (size_t i = 0; i < loaded.steps.size(); ++i) {
    const Program &program = sim::program_of(*loaded.steps[i]);
    text += "program   " + program.name + ", " + to_string(program.code.size()) + " instructions";
    text += file.steps[i].data_cache ? ", with the scalar unit's data cache\n" : "\n";
    for (const std::string &buffer : buffers_of(program)) text += "  " + buffer + "\n";
  }
  return text;
}

std::string info_json(const Loaded &loaded) {
  const KernelFile &file = loaded.file;
  std::vector<std::string> parameters, programs;
  for (const Parameter &p : file.parameters)
    parameters.push_back("{\"name\": " + json_text(p.name) + ", \"role\": " + json_text(role_text(p.role)) + ", \"dtype\": " +
                         json_text(name(p.dtype)) + ", \"shape\": " + texts_json(sizes_of(p)) + ", \"from\": " + json_text(p.number) + "}");
  for (size_t i = 0; i < loaded.steps.size(); ++i) {
    const Program &program = sim::program_of(*loaded.steps[i]);
    programs.push_back("{\"name\": " + json_text(program.name) + ", \"instructions\": " + to_string(program.code.size()) +
                       ", \"data_cache\": " + (file.steps[i].data_cache ? "true" : "false") +
                       ", \"buffers\": " + texts_json(buffers_of(program)) + "}");
  }
  const std::string tiling =
      file.rule ? "{\"facts\": " + texts_json(file.rule->facts) + ", \"results\": " + texts_json(file.rule->results) + "}" : "null";
  return "{\"kernel\": " + json_text(file.name) + ", \"summary\": " + json_text(file.summary) +
         ", \"producer\": " + json_text(file.producer) + ", \"target\": " + json_text(loaded.program().target) +
         ", \"type\": " + json_text(info(loaded.program().type).name) +
         ", \"cores\": " + to_string(file.cores ? file.cores : loaded.all_cores()) + ", \"tiling\": " + tiling +
         ", \"parameters\": " + json_array(parameters) + ", \"programs\": " + json_array(programs) + "}\n";
}

std::string profile_text(const Response &response) {
  std::string text;
  for (const Launched &launched : response.launches) {
    const sim::LaunchResult &r = launched.result;
    text += launched.program->name + " on " + to_string(launched.blocks) + (launched.blocks == 1 ? " core of " : " cores of ") +
            launched.program->target + "\n";
    text += format("  %-14s %llu cycles, %.2f us\n", "time", (unsigned long long)r.cycles, r.microseconds);
    if (launched.blocks <= cores_of_chip(*launched.program)) { // else a core runs several
      uint64_t slowest = 0;
      for (const sim::LaunchResult &core : launched.cores) slowest = std::max(slowest, core.cycles);
      text += format("  %-14s %llu in the slowest core, %llu to launch and end it\n", "of these", (unsigned long long)slowest,
                     (unsigned long long)(r.cycles - slowest));
    }
    text += format("  %-14s %llu\n", "instructions", (unsigned long long)r.instructions);
    text += format("  %-14s ", "read") + ratio(r.gm_read_bytes, launched.least_read) + "\n";
    text += format("  %-14s ", "written") + ratio(r.gm_written_bytes, launched.least_written) + "\n";
    text += format("  %-14s %llu", "transfers", (unsigned long long)r.gm_transfers);
    if (r.gm_transfers) text += format(" of %.0f bytes on average", double(r.gm_read_bytes + r.gm_written_bytes) / double(r.gm_transfers));
    text += "\n" + cores_table(launched);
  }
  return text;
}

std::string profile_json(const Response &response) {
  std::vector<std::string> launches;
  for (const Launched &launched : response.launches) launches.push_back(to_json(launched));
  return json_array(launches);
}

} // namespace asc::kernel_file
