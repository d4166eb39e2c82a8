// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/debugger.h"

#include "apis/moment.h"
#include "apis/numeric.h"
#include "frontend/debug_table.h"
#include "runtime/interrupt.h"
#include "runtime/launch.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <map>
#include <set>
#include <tuple>

namespace nb = nanobind;
using namespace nb::literals;

namespace asc {

namespace {

using Pause = sim::SteppedLaunch::Pause;

/// Python code that runs while it lives is not shown to whoever traces this thread.
class Untraced {
public:
  Untraced() { PyThreadState_EnterTracing(PyThreadState_Get()); }
  ~Untraced() { PyThreadState_LeaveTracing(PyThreadState_Get()); }
  Untraced(const Untraced &) = delete;
};

/// Whether a debugger looks at what this thread runs.
bool watched() {
  nb::module_ sys = nb::module_::import_("sys");
  if (!sys.attr("gettrace")().is_none()) return true;
  nb::object monitoring = nb::getattr(sys, "monitoring", nb::none());
  return !monitoring.is_none() && !monitoring.attr("get_tool")(monitoring.attr("DEBUGGER_ID")).is_none();
}

/// Bytes of a tensor, as a Python buffer. They stay as long as somebody looks at them.
struct TensorMemory {
  sim::Bytes bytes;
  bool read_only = false;
  nb::object holder; // of an array's
};

int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  const TensorMemory &memory = *nb::inst_ptr<TensorMemory>(self);
  return PyBuffer_FillInfo(view, self, memory.bytes.data, Py_ssize_t(memory.bytes.size), memory.read_only, flags);
}

class Session;

/// A function of the kernel that runs, as its shadow sees it.
struct Activation {
  Session *session; // null: it has ended
  size_t depth;
  uint32_t line = 0;
  nb::object result = nb::none();
  nb::dict locals = {};
  std::vector<nb::object> shown = {}; // names in `locals`
};

class Session {
public:
  Session(const CompiledKernel &kernel, std::span<const uint64_t> args, std::span<const sim::Window> windows,
          std::span<PyObject *const> holders, const sim::LaunchOptions &options)
      : program_(kernel.program()), table_(*kernel.debug), windows_(windows), holders_(holders), blocks_(options.blocks),
        launch_(*kernel.executable, args, windows, options), codes_(table_.functions.size()) {}

  sim::LaunchResult run() {
    try {
      for (;;) {
        detached_ = false;
        if (!pending_) advance();
        if (*pending_ == Pause::End) return launch_.result();
        views_.clear();
        if (*pending_ == Pause::Moment && moment() != Moment::Leave)
          activate(0);
        else
          pending_.reset();
      }
    } catch (nb::python_error &) {
      print(launch_.result().printed);
      throw;
    }
  }

  /// From one statement of a function to its next one; true when the function has ended.
  bool step(Activation &activation) {
    for (;;) {
      if (!pending_ && !detached_ && !watched()) detached_ = true; // the frames are left: the launch goes on by itself
      if (detached_) return true;
      if (!pending_) advance();
      if (*pending_ != Pause::Moment) return true; // a fault, which is reported at the end
      const bool leaving = moment() == Moment::Leave;
      const size_t innermost = launch_.functions().size() - !leaving;
      if (innermost > activation.depth) {
        if (leaving)
          pending_.reset(); // of a function that had no statement
        else
          activate(activation.depth + 1);
        continue;
      }
      const uint32_t pc = launch_.statement();
      if (leaving) leave(activation, pc);
      if (moment() == Moment::Line) show(activation, pc);
      pending_.reset();
      if (leaving) return true;
      if (moment_of(pc) == Moment::Line) return false;
      call_hook(statement(pc));
    }
  }

private:
  const Instr &instr(uint32_t pc) const { return program_.code[pc]; }
  Moment moment_of(uint32_t pc) const { return Moment(instr(pc).aux); }
  Moment moment() const { return moment_of(launch_.statement()); }
  const DebugTable::Statement &statement(uint32_t pc) const { return table_.statements[instr(pc).dst]; }

  /// Lets the simulator run until there is something to do. Python's signal handlers decide what Ctrl-C means.
  void advance() {
    do {
      const sim::Stops stops = running_ > 0 || watched() ? sim::Stops::Statements : sim::Stops::Breakpoints;
      InterruptScope interrupt;
      if (PyErr_CheckSignals() < 0) throw nb::python_error();
      {
        nb::gil_scoped_release release;
        pending_ = launch_.run(stops, interrupt.flag());
      }
      if (*pending_ == Pause::Interrupt && PyErr_CheckSignals() < 0) throw nb::python_error();
    } while (*pending_ == Pause::Interrupt);
    if (*pending_ == Pause::Moment) print(launch_.take_printed());
  }

  static void print(const std::string &text) {
    const Untraced untraced;
    if (!text.empty()) write_to_stdout(text);
  }

  static void call_hook(const DebugTable::Statement &statement) {
    nb::object hook = nb::module_::import_("builtins").attr("breakpoint");
    nb::object result = nb::steal(PyObject_Call(hook.ptr(), statement.arguments.ptr(), statement.keywords.ptr()));
    if (!result.is_valid()) throw nb::python_error();
  }

  /// Runs the function at this depth as a Python frame, from the statement that it has come to on.
  void activate(size_t depth) {
    const uint32_t pc = launch_.functions()[depth];
    const DebugTable::Function &function = table_.functions[statement(pc).function];
    nb::object object = nb::cast(Activation{this, depth});
    Activation &activation = nb::cast<Activation &>(object);
    nb::object code;
    {
      const Untraced untraced;
      show(activation, pc);
      code = nb::module_::import_("pyasc.debugger").attr("bind")(code_of(statement(pc).function), object);
      if (depth == 0 && blocks_ > 1) // not in the text that the kernel prints
        nb::module_::import_("sys").attr("stderr").attr("write")("-- " + launch_.name() + " of " + std::to_string(blocks_) + "\n");
    }
    if (depth + 1 == launch_.functions().size() && moment() == Moment::Line) pending_.reset(); // it is this one
    ++running_;
    nb::object result = nb::steal(PyEval_EvalCode(code.ptr(), function.globals.ptr(), activation.locals.ptr()));
    --running_;
    activation.session = nullptr;
    if (!result.is_valid()) throw nb::python_error();
  }

  nb::object code_of(uint32_t function) {
    nb::object &code = codes_[function];
    if (code.is_valid()) return code;
    std::set<uint32_t> lines;
    for (const DebugTable::Statement &s : table_.statements)
      if (s.function == function && (s.moment == Moment::Line || s.moment == Moment::Enter)) lines.insert(s.line);
    nb::list list;
    for (uint32_t line : lines) list.append(line);
    const DebugTable::Function &f = table_.functions[function];
    return code = nb::module_::import_("pyasc.debugger").attr("shadow")(f.name, f.file, f.first_line, list);
  }

  // ---------------------------------------------------------------- values

  void show(Activation &activation, uint32_t pc) {
    const Untraced untraced;
    const DebugTable::Statement &now = statement(pc);
    activation.line = now.line;
    for (const nb::object &name : std::exchange(activation.shown, {})) activation.locals.attr("pop")(name, nb::none());
    std::vector<nb::object> all = values(pc);
    for (size_t i = 0; i < all.size(); ++i) {
      activation.locals[now.variables[i].name] = all[i];
      activation.shown.push_back(now.variables[i].name);
    }
  }

  void leave(Activation &activation, uint32_t pc) {
    const Untraced untraced;
    if (std::vector<nb::object> all = values(pc); !all.empty()) activation.result = all[0];
  }

  /// The variables of a statement.
  std::vector<nb::object> values(uint32_t pc) {
    const SlotRef *slot = program_.operands.data() + instr(pc).a;
    std::vector<nb::object> all;
    for (const DebugTable::Variable &variable : statement(pc).variables) all.push_back(value(variable.value, slot));
    return all;
  }

  nb::object value(const DebugTable::Value &value, const SlotRef *&slot) {
    if (value.container.is_valid()) return whole(value, slot);
    const Shape &shape = value.shape;
    switch (shape.kind) {
    case Shape::Kind::Plain: return number(launch_.reg(slot++->reg), shape.dtype);
    case Shape::Kind::Address: return view(launch_.reg(slot++->reg), 0, shape);
    case Shape::Kind::Global:
    case Shape::Kind::Local: {
      const uint64_t address = launch_.reg(slot[0].reg), length = launch_.reg(slot[1].reg);
      slot += 2;
      return view(address, length, shape);
    }
    default: return shape.object;
    }
  }
  nb::object whole(const DebugTable::Value &all, const SlotRef *&slot) {
    nb::list list;
    for (const DebugTable::Value &part : all.parts) list.append(value(part, slot));
    if (all.container.is(nb::handle(reinterpret_cast<PyObject *>(&PyList_Type)))) return std::move(list);
    if (all.container.is(nb::handle(reinterpret_cast<PyObject *>(&PyTuple_Type)))) return nb::tuple(list);
    nb::dict named;
    for (size_t i = 0; i < all.names.size(); ++i) named[all.names[i]] = list[i];
    if (all.container.is(nb::handle(reinterpret_cast<PyObject *>(&PyDict_Type)))) return std::move(named);
    return nb::module_::import_("pyasc.debugger").attr("make")(all.container, named);
  }

  static nb::object number(uint64_t bits, DType dtype) {
    bits = extend_scalar(bits, dtype);
    switch (dtype) {
    case DType::Bool: return nb::bool_(bits != 0);
    case DType::Float16: return nb::module_::import_("numpy").attr("float16")(double(half_to_float(uint16_t(bits))));
    case DType::BFloat16: return nb::module_::import_("pyasc.debugger").attr("bfloat16")(double(bfloat16_to_float(uint16_t(bits))));
    case DType::Float32: return nb::float_(double(std::bit_cast<float>(uint32_t(bits))));
    case DType::Float64: return nb::float_(std::bit_cast<double>(bits));
    default: return info(dtype).is_signed ? nb::object(nb::int_(int64_t(bits))) : nb::object(nb::int_(bits));
    }
  }

  /// The array of a tensor, made once in a block.
  nb::object view(uint64_t address, uint64_t length, const Shape &shape) {
    nb::object &view = views_[{address, length, shape.dtype, shape.kind}];
    if (view.is_valid()) return view;
    TensorMemory memory{launch_.bytes(address, length)};
    if (shape.kind == Shape::Kind::Local && length == 0) memory.bytes.size = 0; // of others: not given
    if (!memory.bytes.owner && memory.bytes.data) {
      memory.read_only = windows_[memory.bytes.window].read_only;
      memory.holder = nb::borrow(holders_[memory.bytes.window]);
    }
    return view = nb::module_::import_("pyasc.debugger").attr("view")(nb::cast(std::move(memory)), name(shape.dtype));
  }

  const Program &program_;
  const DebugTable &table_;
  std::span<const sim::Window> windows_;
  std::span<PyObject *const> holders_;
  uint32_t blocks_;
  sim::SteppedLaunch launch_;
  std::optional<Pause> pending_; // what the simulator came back for, while there is something left to do for it
  size_t running_ = 0;           // activations
  bool detached_ = false;
  std::vector<nb::object> codes_; // by function
  std::map<std::tuple<uint64_t, uint64_t, DType, Shape::Kind>, nb::object> views_;
};

bool step(Activation &activation) {
  if (!activation.session) throw nb::value_error("this function of the kernel does not run any more");
  return activation.session->step(activation);
}

} // namespace

sim::LaunchResult launch_for_debugger(const CompiledKernel &kernel, std::span<const uint64_t> args, std::span<const sim::Window> windows,
                                      std::span<PyObject *const> holders, const sim::LaunchOptions &options) {
  return Session(kernel, args, windows, holders, options).run();
}

void bind_debugger(nb::module_ &m) {
  nb::class_<Activation>(m, "Activation", "a function of a kernel that runs in the debugger")
      .def_ro("line", &Activation::line, "of the statement that it has come to")
      .def("step", &step, "lets it run to its next statement; True when it has ended")
      .def_ro("result", &Activation::result, "what it returned");
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)}, {0, nullptr}};
  nb::class_<TensorMemory>(m, "TensorMemory", nb::type_slots(slots), "the bytes of a tensor, as a buffer");
}

} // namespace asc
