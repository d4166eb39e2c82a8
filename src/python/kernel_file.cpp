// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `.kernel` files in Python: making one, and running one in this process.
#include "kernel_file/command.h"

#include "frontend/values.h"
#include "isa/codec.h"
#include "runtime/interrupt.h"
#include "runtime/raise.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace asc {

namespace kf = kernel_file;

static std::string_view view(const nb::bytes &bytes) { return {bytes.c_str(), bytes.size()}; }
static nb::bytes to_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }

static std::vector<kf::Dimension> to_shape(const std::vector<std::variant<int64_t, std::string>> &sizes) {
  std::vector<kf::Dimension> shape;
  for (const auto &size : sizes)
    shape.push_back(std::holds_alternative<std::string>(size) ? kf::Dimension{std::get<std::string>(size)}
                                                              : kf::Dimension{"", std::get<int64_t>(size)});
  return shape;
}

static kf::Role to_role(std::string_view name) {
  constexpr std::string_view kNames[] = {"input", "output", "inout", "workspace", "scalar"};
  for (unsigned i = 0; i < kf::kRoles; ++i)
    if (kNames[i] == name) return kf::Role(i);
  throw nb::value_error("role");
}

/// Runs without the GIL; what is printed goes where Python prints. The first exception of that is raised at the end: a Ctrl-C, a full disk.
static int run_in_process(const nb::bytes &file, const std::vector<std::string> &arguments, const std::string &name, nb::object write,
                          nb::object write_error, nb::object render, bool progress, bool is_payload) {
  std::exception_ptr failed; // guarded by the GIL
  const auto guarded = [&failed](const auto &call) -> decltype(call()) {
    nb::gil_scoped_acquire acquire;
    try {
      if (!failed) return call();
    } catch (...) {
      failed = std::current_exception();
    }
    return {};
  };
  const auto to = [&guarded](nb::object &function) {
    return [&](const std::string &text) {
      guarded([&] {
        function(nb::steal(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace")));
        return true;
      });
    };
  };
  const auto rendered = [&](const Diagnostic &diagnostic) {
    return guarded([&] { return nb::cast<std::string>(render(nb::cast(diagnostic))); });
  };
  int status;
  {
    const InterruptScope interrupt;
    const kf::Console console{name, to(write), to(write_error), rendered, progress, interrupt.flag()};
    const std::string_view bytes = view(file);
    nb::gil_scoped_release release;
    status = is_payload ? kf::command_of_payload(bytes, arguments, console) : kf::command(bytes, arguments, console);
  }
  if (failed) std::rethrow_exception(failed);
  return status;
}

void bind_kernel_file(nb::module_ &m) {
  using Sizes = std::vector<std::variant<int64_t, std::string>>;
  nb::class_<kf::Parameter>(m, "FileParameter", "what a run of a .kernel file is given or makes")
      .def(
          "__init__",
          [](kf::Parameter *self, std::string name, std::string_view role, const DataType &dtype, bool common, const Sizes &shape,
             std::string number, std::optional<uint64_t> default_value) {
            new (self)
                kf::Parameter{std::move(name), to_role(role), dtype.dtype, common, to_shape(shape), std::move(number), default_value};
          },
          "name"_a, "role"_a, "dtype"_a, "common"_a = false, "shape"_a = Sizes(), "number"_a = "", "default"_a = nb::none());
  nb::class_<kf::Rule>(m, "FileRule", "a program that makes numbers of numbers")
      .def(
          "__init__",
          [](kf::Rule *self, const nb::bytes &program, std::vector<std::string> facts, std::vector<std::string> results) {
            new (self) kf::Rule{std::string(view(program)), std::move(facts), std::move(results)};
          },
          "program"_a, "facts"_a, "results"_a);
  nb::class_<kf::Step>(m, "FileStep", "a launch")
      .def(
          "__init__",
          [](kf::Step *self, const nb::bytes &program, std::string blocks, std::vector<std::string> arguments, bool data_cache) {
            new (self) kf::Step{std::string(view(program)), std::move(blocks), std::move(arguments), data_cache};
          },
          "program"_a, "blocks"_a, "arguments"_a, "data_cache"_a = false);
  m.def(
      "kernel_payload",
      [](std::string name, std::string summary, std::string producer, uint32_t cores, std::vector<kf::Parameter> parameters,
         std::optional<kf::Rule> rule, std::vector<kf::Step> steps) {
        const std::string payload = kf::encode(kf::KernelFile{std::move(name), std::move(summary), std::move(producer), cores,
                                                              std::move(parameters), std::move(rule), std::move(steps)});
        kf::load(payload); // what cannot be read again is not written
        return to_bytes(payload);
      },
      "name"_a, "summary"_a, "producer"_a, "cores"_a, "parameters"_a, "rule"_a.none(), "steps"_a, "the bytes that a .kernel file holds");
  m.def(
      "attach_payload", [](const nb::bytes &runner, const nb::bytes &payload) { return to_bytes(kf::attach(view(runner), view(payload))); },
      "runner"_a, "payload"_a, "a .kernel file");
  m.def("detach_payload", [](const nb::bytes &file) { return to_bytes(kf::detach(view(file))); }, "file"_a, "what a .kernel file holds");
  // For the fuzz: damage under digests that fit.
  m.def(
      "programs_in",
      [](const nb::bytes &payload) {
        const std::string_view all = view(payload);
        const kf::Loaded loaded = kf::load(all);
        std::vector<std::pair<size_t, size_t>> places;
        const auto add = [&](const std::string &program) { places.emplace_back(all.find(program), all.find(program) + program.size()); };
        if (loaded.file.rule) add(loaded.file.rule->program);
        for (const kf::Step &step : loaded.file.steps) add(step.program);
        return places;
      },
      "payload"_a, "where the programs of a payload begin and end");
  m.def(
      "sealed_program",
      [](const nb::bytes &program) {
        std::string sealed(view(program));
        seal(sealed);
        return to_bytes(sealed);
      },
      "program"_a, "an encoded program with length and digest as its content needs them");
  m.def("run_kernel_file", run_in_process, "file"_a, "arguments"_a, "name"_a, "write"_a, "write_error"_a, "render"_a, "progress"_a = false,
        "is_payload"_a = false, "runs the bytes of a .kernel file as it runs by itself; gives the exit status");
}

} // namespace asc
