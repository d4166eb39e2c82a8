// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extension module pyasc._core: classes and functions of the libraries under their Python names, no logic.
#include "apis/api.h"
#include "diagnostics/choose_checks.h"
#include "diagnostics/diagnostic.h"
#include "diagnostics/json.h"
#include "frontend/compilation.h"
#include "isa/codec.h"
#include "runtime/arguments.h"
#include "runtime/cache.h"
#include "runtime/compile.h"
#include "runtime/debugger.h"
#include "runtime/interrupt.h"
#include "runtime/kernel.h"
#include "runtime/launch.h"
#include "runtime/lookup.h"
#include "runtime/raise.h"
#include "sim/hardware.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace asc {

void bind_values(nb::module_ &m);      // values.cpp
void bind_reference(nb::module_ &m);   // reference.cpp
void bind_dlpack(nb::module_ &m);      // dlpack.cpp
void bind_kernel_file(nb::module_ &m); // kernel_file.cpp

static void bind_diagnostics(nb::module_ &m) {
  nb::class_<Span>(m, "Span", "a range in a Python source file; lines from 1, columns from 0 in UTF-8 bytes; line 0 is no place")
      .def(
          "__init__",
          [](Span *self, std::string file, uint32_t line, uint32_t column, uint32_t end_line, uint32_t end_column) {
            new (self) Span{std::move(file), line, column, end_line, end_column};
          },
          "file"_a = "", "line"_a = 0, "column"_a = 0, "end_line"_a = 0, "end_column"_a = 0)
      .def_ro("file", &Span::file)
      .def_ro("line", &Span::line)
      .def_ro("column", &Span::column)
      .def_ro("end_line", &Span::end_line)
      .def_ro("end_column", &Span::end_column)
      .def("__getstate__", [](const Span &s) { return std::make_tuple(s.file, s.line, s.column, s.end_line, s.end_column); })
      .def("__setstate__", [](Span &s, const std::tuple<std::string, uint32_t, uint32_t, uint32_t, uint32_t> &state) {
        new (&s) Span(std::make_from_tuple<Span>(state));
      });
  nb::class_<Note>(m, "Note", "a further place of a diagnostic and what happens there")
      .def_ro("text", &Note::text)
      .def_ro("span", &Note::span)
      .def("__getstate__", [](const Note &n) { return std::make_tuple(n.text, n.span); })
      .def("__setstate__", [](Note &n, const std::tuple<std::string, Span> &state) { new (&n) Note(std::make_from_tuple<Note>(state)); });
  nb::class_<FindingPlace>(m, "Place",
                           "an instruction that a finding of a launch is about: where, on which core and pipe, and the bytes it touches")
      .def_ro("span", &FindingPlace::span)
      .def_ro("core", &FindingPlace::core, "its name in reports")
      .def_ro("block", &FindingPlace::block, "number of the core in the launch")
      .def_ro("pipe", &FindingPlace::pipe)
      .def_ro("call", &FindingPlace::call, "the function or instruction")
      .def_ro("text", &FindingPlace::what, "what it does, in words")
      .def_prop_ro(
          "access", [](const FindingPlace &p) { return p.access.empty() ? nb::object(nb::none()) : nb::str(p.access.c_str()); },
          "'read' or 'write'; None: no access")
      .def_ro("tensor", &FindingPlace::tensor, "its name in the kernel")
      .def_ro("memory", &FindingPlace::memory, "'UB', 'GM', ...")
      .def_ro("begin", &FindingPlace::begin, "first byte")
      .def_ro("end", &FindingPlace::end, "behind the last byte of the first range")
      .def_ro("bytes", &FindingPlace::bytes, "how many bytes, further ranges included")
      .def("__getstate__",
           [](const FindingPlace &p) {
             return std::make_tuple(p.span, p.core, p.pipe, p.block, p.call, p.what, p.access, p.tensor, p.memory, p.begin, p.end, p.bytes);
           })
      .def("__setstate__", [](FindingPlace &p, const std::tuple<Span, std::string, std::string, uint32_t, std::string, std::string,
                                                                std::string, std::string, std::string, int64_t, int64_t, int64_t> &state) {
        new (&p) FindingPlace(std::make_from_tuple<FindingPlace>(state));
      });
  nb::class_<Diagnostic>(m, "Diagnostic", "code, message, place, notes and help of one error or warning")
      .def(
          "__init__",
          [](Diagnostic *self, std::string code, std::string message, std::string help, const Span &span, bool warning) {
            new (self)
                Diagnostic{std::move(code), warning ? Severity::Warning : Severity::Error, std::move(message), span, {}, std::move(help)};
          },
          "code"_a, "message"_a, "help"_a = "", "span"_a = Span(), "warning"_a = false)
      .def_ro("code", &Diagnostic::code)
      .def_prop_ro("severity", [](const Diagnostic &d) { return d.severity == Severity::Error ? "error" : "warning"; })
      .def_ro("message", &Diagnostic::message)
      .def_ro("span", &Diagnostic::span)
      .def_ro("notes", &Diagnostic::notes)
      .def_ro("help", &Diagnostic::help)
      .def_prop_ro(
          "json", [](const Diagnostic &d) { return to_json(d); }, "as an object of JSON")
      .def_ro("places", &Diagnostic::places, "of a finding of a launch: the instructions it is about, that of `span` first")
      .def(
          "with_note",
          [](Diagnostic d, std::string text, const Span &span) {
            d.notes.push_back({std::move(text), span});
            return d;
          },
          "text"_a, "span"_a, "the same with one more note")
      .def("__getstate__",
           [](const Diagnostic &d) { return std::make_tuple(d.code, unsigned(d.severity), d.message, d.span, d.notes, d.help, d.places); })
      .def(
          "__setstate__",
          [](Diagnostic &d,
             const std::tuple<std::string, unsigned, std::string, Span, std::vector<Note>, std::string, std::vector<FindingPlace>> &state) {
            const auto &[code, severity, message, span, notes, help, places] = state;
            new (&d) Diagnostic{code, Severity(severity), message, span, notes, help, places};
          })
      .def("__repr__", [](const Diagnostic &d) {
        return "<" + d.code + (d.span.line ? " at line " + std::to_string(d.span.line) : "") + ": " + d.message + ">";
      });
  m.def(
      "codes",
      [] {
        std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> list;
        for (const Code &code : codes()) list.emplace_back(code.code, code.title, code.text);
        for (const Rule *rule : all_rules()) list.emplace_back(rule->code, rule->title, rule->text);
        return list;
      },
      "the error index: code, title, text");
  nb::register_exception_translator([](const std::exception_ptr &p, void *) {
    try {
      std::rethrow_exception(p);
    } catch (const DiagnosticError &) {
      set_python_error_from_current_exception();
    } catch (const InternalError &) {
      set_python_error_from_current_exception();
    }
  });
}

static void bind_tables(nb::module_ &m) {
  m.def(
      "structs",
      [] {
        nb::list list;
        for (const StructRow *row : structs()) {
          nb::list fields;
          for (const Field &f : row->fields) {
            nb::object value = f.default_value ? nb::object(nb::int_(*f.default_value)) : nb::none();
            if (f.default_value && f.dtype == DType::Bool) value = nb::bool_(*f.default_value != 0);
            const bool optional = f.kind == FieldKind::Tensor && f.default_value;
            if (optional) value = nb::none();
            fields.append(nb::make_tuple(f.name, value, f.doc, f.kind == FieldKind::List ? f.length : 0, optional, f.type));
          }
          list.append(nb::make_tuple(row->name, nb::tuple(fields), row->doc));
        }
        return list;
      },
      "parameter structures: name, fields (name, default or None, doc, length of a list or 0, may be None, enumeration or nothing), doc");
  m.def(
      "enums",
      [] {
        nb::list list;
        for (const EnumRow *row : enums()) {
          nb::list members;
          for (const Member &member : row->members) members.append(nb::make_tuple(member.name, member.value));
          list.append(nb::make_tuple(row->name, nb::tuple(members), row->doc));
        }
        return list;
      },
      "enumerations: name, members (name, value), doc");
}

static void bind_runtime(nb::module_ &m) {
  nb::class_<CompiledKernel>(m, "CompiledKernel", "a kernel compiled for one set of argument types and static values")
      .def_prop_ro(
          "name", [](const CompiledKernel &k) { return k.program().name; }, "name of the Python function")
      .def_ro("key", &CompiledKernel::key, "cache key")
      .def_ro("ir", &CompiledKernel::ir, "ASC-IR after the passes")
      .def_ro("ascendc", &CompiledKernel::ascendc, "Ascend C text")
      .def_prop_ro(
          "binary", [](const CompiledKernel &k) { return nb::bytes(k.binary.data(), k.binary.size()); }, "the encoded AI Core program")
      .def_prop_ro("listing", &CompiledKernel::listing, "the instructions, with the Python lines as comments")
      .def_prop_ro(
          "target", [](const CompiledKernel &k) { return k.program().target; }, "chip that the program is for")
      .def_prop_ro(
          "parameters",
          [](const CompiledKernel &k) {
            nb::list list;
            for (const Param &p : k.program().params)
              list.append(nb::make_tuple(p.name, p.kind == ParamKind::Address, dtype_object(p.dtype), p.reads, p.writes));
            return list;
          },
          "of the program: name, whether it is an array, dtype, whether the program reads and writes the array")
      .def_ro("inserted_sync", &CompiledKernel::inserted_sync,
              "the flags and barriers that the compiler inserted, each with the two accesses that need it")
      .def_ro("warnings", &CompiledKernel::warnings, "diagnostics of severity warning")
      .def_ro("milliseconds", &CompiledKernel::milliseconds, "what compiling took")
      .def(
          "dump", [](const CompiledKernel &k, const std::string &folder) { dump(k, folder); }, "folder"_a,
          "writes ascir.mlir, ascendc.cpp, kernel.lst and kernel.bin")
      .def("__repr__", [](const CompiledKernel &k) { return "<compiled kernel '" + k.program().name + "' " + k.key.substr(0, 12) + ">"; });

  nb::class_<sim::LaunchResult>(m, "LaunchResult", "what a launch took on the simulated chip")
      .def_ro("cycles", &sim::LaunchResult::cycles, "of the slowest core, launch overheads included")
      .def_ro("microseconds", &sim::LaunchResult::microseconds)
      .def_ro("instructions", &sim::LaunchResult::instructions, "executed by all blocks, scalar ones included")
      .def_ro("gm_read_bytes", &sim::LaunchResult::gm_read_bytes, "moved from global memory by the MTE pipes")
      .def_ro("gm_written_bytes", &sim::LaunchResult::gm_written_bytes)
      .def_ro("gm_transfers", &sim::LaunchResult::gm_transfers)
      .def_prop_ro(
          "pipes",
          [](const sim::LaunchResult &r) {
            nb::dict pipes;
            for (unsigned i = 0; i < kPipes; ++i)
              if (r.pipes[i].instructions)
                pipes[nb::str(kPipeNames[i].data(), kPipeNames[i].size())] = nb::make_tuple(r.pipes[i].busy, r.pipes[i].instructions);
            return pipes;
          },
          "per pipe: busy cycles and instructions, summed over the blocks")
      .def("__repr__", [](const sim::LaunchResult &r) {
        return "<launch: " + std::to_string(r.cycles) + " cycles, " + std::to_string(r.instructions) + " instructions, " +
               std::to_string(r.gm_read_bytes + r.gm_written_bytes) + " bytes of global memory moved>";
      });

  nb::class_<CacheInfo>(m, "CacheInfo", "how often the compiled kernel was found, and why the last launch found it or not")
      .def_ro("memory_hits", &CacheInfo::memory_hits)
      .def_ro("disk_hits", &CacheInfo::disk_hits)
      .def_ro("compiles", &CacheInfo::compiles)
      .def_ro("last", &CacheInfo::last, "the last look-up, in words")
      .def_ro("key", &CacheInfo::key, "cache key of the last look-up")
      .def("__repr__", [](const CacheInfo &i) {
        return "<memory hits " + std::to_string(i.memory_hits) + ", disk hits " + std::to_string(i.disk_hits) + ", compiles " +
               std::to_string(i.compiles) + "; last: " + i.last + ">";
      });

  m.def(
      "number_bits",
      [](nb::handle number, const DataType &dtype, const std::string &what) { return number_bits(number.ptr(), dtype.dtype, what); },
      "number"_a.none(), "dtype"_a, "what"_a, "a number as the bits of a type; `what` names it in errors");
  m.def(
      "disassemble", [](nb::bytes program) { return listing(decode({program.c_str(), program.size()})); }, "program"_a,
      "the listing of an encoded AI Core program; raises C101 to C103");
  m.def("only_in_kernels", [] { Compilation::current(); }, "raises L301 on the host");
  m.def("chips", [] {
    std::vector<std::string_view> names;
    for (const sim::Hardware &chip : sim::chips()) names.push_back(chip.name);
    return names;
  });
  m.def(
      "chip_facts",
      [] {
        nb::dict all;
        for (const sim::Hardware &chip : sim::chips()) {
          nb::dict facts;
          facts["vector_cores"] = chip.vector_cores, facts["mhz"] = chip.mhz;
          for (const MemoryInfo &memory : kMemoryInfo)
            if (memory.bytes) facts[nb::str((std::string(memory.name) + "_bytes").c_str())] = memory.bytes;
          facts["L2_bytes"] = chip.l2_bytes, facts["L2_gbs"] = chip.l2_gbs, facts["HBM_gbs"] = chip.hbm_gbs;
          all[nb::str(chip.name.data(), chip.name.size())] = facts;
        }
        return all;
      },
      "what the simulator knows of the chips, by name: cores, clock, sizes in bytes (on-chip memories: of a core), rates in 10^9 bytes per second");
  m.def("vector_cores", [](const std::string &chip) { return sim::find_chip(chip)->vector_cores; });
  m.def("current_target", [] { return current_target(); });
  m.def("set_current_target", [](std::string name) { set_current_target(std::move(name)); });

  m.def(
      "checks",
      [] {
        std::vector<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>> list;
        for (const CheckInfo &check : check_infos()) list.emplace_back(check.name, check.codes, check.always, check.finds);
        return list;
      },
      "the checks of launches in order of their bits: name, codes, codes that cannot be turned off, what is found");
  m.def(
      "choose_checks",
      [](const std::vector<std::string> &words, const std::string &what) {
        const ChosenChecks chosen = choose_checks(words, false, what, "K141");
        return std::make_pair(chosen.checks.bits(), chosen.adversarial);
      },
      "words"_a, "what"_a, "(bits, adversarial) for the words of an option of checks, which `what` names in errors");
  m.def(
      "set_default_check", [](nb::handle mode) { set_default_check(check_mode(mode.ptr())); }, "mode"_a.none(),
      "(bits, adversarial) of launches whose kernel does not say; None: as the environment says");
  m.def(
      "set_forced_check", [](nb::handle mode, std::optional<uint64_t> seed) { set_forced_check(check_mode(mode.ptr()), seed); },
      "mode"_a.none(), "seed"_a = nb::none(), "(bits, adversarial) of all launches, whatever their kernels say; None: as they say");

  nb::class_<Interrupt>(m, "Interrupt", "stops the launches of the threads that interrupt_by() ties to it, while it is set")
      .def(nb::init<>())
      .def("set", [](const Interrupt &i) { i.set(true); })
      .def("clear", [](const Interrupt &i) { i.set(false); });
  m.def("interrupt_by", &interrupt_by, "interrupt"_a, "ties the launches of this thread to an Interrupt: they end in KeyboardInterrupt");
  m.def(
      "set_compile_log", [](nb::object callable) { set_compile_log(callable.ptr()); }, "callable"_a.none(),
      "called with every kernel that is compiled or loaded from disk; None: nothing is");

  m.def("cache_folder", &cache::folder);
  m.def("cache_limit", &cache::limit);
  m.def("set_cache_limit", &cache::set_limit, "bytes"_a.none());
  m.def("cache_usage", [] {
    cache::Usage u = cache::usage();
    return std::pair(u.entries, u.bytes);
  });
  m.def(
      "cache_entries",
      [] {
        nb::list list;
        for (const cache::Entry &e : cache::entries()) {
          nb::dict d, parts;
          for (const Part &part : e.parts) parts[part.name.c_str()] = part.shown;
          d["key"] = e.key, d["function"] = e.title, d["bytes"] = e.bytes, d["used"] = e.used;
          d["unusable"] = e.why_not.empty() ? nb::object(nb::none()) : nb::cast(e.why_not);
          d["read"] = parts;
          list.append(d);
        }
        return list;
      },
      "the entries of the compile cache, the last used first; `read`: what compiling read, by name");
  m.def("clear_cache", [] {
    cache::Usage u = cache::clear();
    return std::pair(u.entries, u.bytes);
  });
}

} // namespace asc

NB_MODULE(_core, m) {
  m.attr("__doc__") = "compiler, simulator and runtime of pyasc";
  if (!asc::init_arguments()) throw nb::python_error();
  asc::bind_diagnostics(m);
  asc::bind_tables(m);
  asc::bind_values(m);
  asc::bind_reference(m);
  asc::bind_runtime(m);
  asc::bind_dlpack(m);
  asc::bind_debugger(m);
  asc::bind_kernel_file(m);
  if (!asc::add_kernel_types(m.ptr())) throw nb::python_error();
}
