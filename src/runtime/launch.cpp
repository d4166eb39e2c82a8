// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches.
#include "runtime/launch.h"
#include "frontend/structures.h"
#include "observers/checkers.h"
#include "runtime/debugger.h"
#include "runtime/interrupt.h"
#include "runtime/profiler_range.h"
#include "runtime/raise.h"
#include "sim/findings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace nb = nanobind;

namespace asc {

namespace {

// ---------------------------------------------------------------- the last launches

/// The last launches of this thread, newest first.
struct LastLaunch {
  uint64_t function;
  sim::LaunchResult result;
};
std::vector<LastLaunch> &last_launches() {
  static thread_local std::vector<LastLaunch> list;
  return list;
}
constexpr size_t kLastLaunches = 16;

void remember(uint64_t function, sim::LaunchResult &&result) {
  auto &list = last_launches();
  auto at = std::find_if(list.begin(), list.end(), [&](const LastLaunch &l) { return l.function == function; });
  if (at == list.end()) {
    if (list.size() == kLastLaunches) list.pop_back();
    at = list.insert(list.end(), {function, {}});
  }
  at->result = std::move(result);
  std::rotate(list.begin(), at, at + 1);
}

// ---------------------------------------------------------------- windows

/// The windows of the array arguments. Two parameters with the same bytes share a window; arrays that overlap otherwise are refused when
/// one is written.
struct Windows {
  llvm::SmallVector<uint64_t, 24> words;
  llvm::SmallVector<PyObject *, 24> holders; // by window: what keeps its bytes
  std::vector<sim::Window> &list;            // reused by the launches of a thread
  Copies copies;
  llvm::SmallVector<PyObject *, 4> written_copies; // arrays to write back

  explicit Windows(std::vector<sim::Window> &l) : list(l) {}
};

void check_overlap(const FunctionState &f, const Program &program, llvm::ArrayRef<const Bound *> arrays,
                   llvm::ArrayRef<const Param *> params) {
  for (size_t i = 0; i < arrays.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      const Bound &a = *arrays[k], &b = *arrays[i];
      if (!params[i]->writes && !params[k]->writes) continue;
      if (a.object == b.object) continue;
      bool copies = a.needs_copy || b.needs_copy;
      bool same = a.data == b.data && a.bytes == b.bytes;
      if (copies ? !share_memory(a, b) : same || a.data + a.bytes <= b.data || b.data + b.bytes <= a.data) continue;
      const std::string &writer = params[i]->writes ? params[i]->name : params[k]->name;
      throw error("K131",
                  "arguments '" + params[k]->name + "' and '" + params[i]->name + "' of kernel '" + f.name +
                      "' overlap in memory and the kernel writes '" + writer + "'",
                  "pass the same array for both parameters, or copy one of them");
    }
}

void open_windows(const FunctionState &f, const Program &program, const LaunchArguments &call, Windows &windows) {
  llvm::SmallVector<const Bound *, 24> arrays;
  llvm::SmallVector<const Param *, 24> params;
  bool writes = false;
  size_t at = 0;
  for (const Bound &b : call.bound) {
    if (b.kind == Bound::Kind::Static) continue;
    const size_t count = b.kind == Bound::Kind::Struct ? b.layout->leaves() : 1;
    if (program.params.size() - at < count) throw InternalError("program '" + program.name + "' has fewer parameters than its call");
    const Param &param = program.params[at];
    at += count;
    if (b.mock)
      throw error("K126",
                  "argument '" + param.name.substr(0, param.name.find('.')) + "' of kernel '" + f.name +
                      "' is a stand-in for compile() and cannot be launched",
                  "pass an array or a number");
    if (b.kind != Bound::Kind::Array) continue;
    writes |= param.writes;
    for (const Bound &array : b.is_list ? call.tensors.of(b) : std::span(&b, 1)) {
      arrays.push_back(&array);
      params.push_back(&param);
      if (param.writes && array.read_only)
        throw error("K130",
                    "argument '" + param.name + "' of kernel '" + f.name + "' is written by the kernel, but the array is " +
                        (is_numpy_array(array.object) ? "read-only" : "a tensor that requires a gradient"),
                    is_numpy_array(array.object) ? "pass a writable array, such as " + param.name + ".copy()"
                                                 : "pass " + param.name + ".detach()");
    }
  }
  if (at != program.params.size()) throw InternalError("program '" + program.name + "' has more parameters than its call");
  if (writes && arrays.size() > 1) check_overlap(f, program, arrays, params);

  size_t used = 0;
  std::vector<uint32_t> listed; // windows of the tensors of a list
  const Param *const *param_of = params.begin();
  for (const Bound &b : call.bound) {
    if (b.kind == Bound::Kind::Static) continue;
    if (b.kind == Bound::Kind::Scalar) {
      windows.words.push_back(b.bits);
      continue;
    }
    if (b.kind == Bound::Kind::Struct) {
      windows.words.append(call.words.begin() + b.first, call.words.begin() + b.first + b.count);
      continue;
    }
    const Param &param = **param_of;
    param_of += b.is_list ? b.count : 1;
    // The tensors of a list, and behind them its descriptor, which has their addresses.
    const std::span<const Bound> tensors = b.is_list ? call.tensors.of(b) : std::span<const Bound>();
    listed.clear();
    for (size_t i = 0; i <= tensors.size(); ++i) {
      const Bound &array = i < tensors.size() ? tensors[i] : b;
      std::byte *data = array.data;
      uint64_t bytes = array.bytes;
      PyObject *holder = array.object;
      if (array.needs_copy) {
        if (param.writes) windows.written_copies.push_back(array.object);
        Bound copy = array;
        holder = windows.copies.copy_in(copy), data = copy.data, bytes = copy.bytes;
        Diagnostic d;
        d.code = "K132";
        d.severity = Severity::Warning;
        d.message = "argument '" + param.name + "' of kernel '" + f.name + "' is not contiguous in memory and is copied for the launch" +
                    (param.writes ? ", and back after it" : "");
        d.help = "pass a contiguous array, such as numpy.ascontiguousarray(" + param.name + "), to save the copy";
        warn({d});
      }
      const sim::Window *const first = windows.list.data(), *known = first;
      while (known != first + used && !(known->data == data && known->bytes == bytes)) ++known;
      const size_t window = size_t(known - first);
      if (window == used) {
        if (windows.list.size() == used) windows.list.emplace_back();
        sim::Window &w = windows.list[used++];
        w.data = data;
        w.bytes = bytes;
        w.read_only = !array.needs_copy && array.read_only;
        w.name = param.name;
        w.list.clear();
        windows.holders.push_back(holder);
      }
      const uint64_t address = Address(Memory::GM, uint32_t(window), 0).word;
      if (i < tensors.size()) {
        reinterpret_cast<uint64_t *>(b.data + b.bytes)[int64_t(i) - int64_t(tensors.size())] = address;
        listed.push_back(uint32_t(window));
        continue;
      }
      if (b.is_list) windows.list[window].list = listed;
      windows.words.push_back(address);
    }
  }
  windows.list.resize(used);
}

// ---------------------------------------------------------------- checks

// All access is under the GIL.
std::optional<CheckMode> default_mode, forced_mode;
std::optional<uint64_t> forced_seed;

CheckMode mode_of(const KernelOptions &options) {
  const auto own = [&] {
    if (options.check) return *options.check;
    if (!default_mode) set_default_check(check_mode(nb::module_::import_("pyasc.checks").attr("from_environment")().ptr()));
    return *default_mode;
  };
  if (!forced_mode) return own();
  return {forced_mode->checks, forced_mode->adversarial || own().adversarial};
}

bool dry_run() {
  const char *value = std::getenv("DRY_RUN");
  if (!value || !*value) return false;
  std::string text = value;
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text != "0" && text != "false" && text != "no" && text != "off";
}

} // namespace

std::optional<CheckMode> check_mode(PyObject *mode) {
  if (mode == Py_None) return std::nullopt;
  unsigned bits;
  int adversarial;
  if (!PyArg_ParseTuple(mode, "Ip", &bits, &adversarial)) throw nb::python_error();
  return CheckMode{Checks(bits), adversarial != 0};
}
void set_default_check(std::optional<CheckMode> mode) { default_mode = mode; }
void set_forced_check(std::optional<CheckMode> mode, std::optional<uint64_t> seed) { forced_mode = mode, forced_seed = seed; }

void write_to_stdout(const std::string &text) {
  nb::object out = nb::module_::import_("sys").attr("stdout");
  if (!out.is_none()) out.attr("write")(nb::steal(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace")));
}

void launch(const FunctionState &f, const KernelOptions &options, uint32_t cores, const CompiledKernel &kernel,
            const LaunchArguments &call) {
  const KernelTypeInfo &type = info(kernel.program().type);
  if (constexpr uint32_t kMostCores = 65535; cores > kMostCores / asc::cores(type))
    throw error("K103",
                "number of blocks: got " + std::to_string(cores) + ", expected 1 to " + std::to_string(kMostCores / asc::cores(type)) +
                    " for a kernel of the type " + std::string(type.name),
                "use fewer blocks, and a loop in the kernel");
  if (dry_run()) return;
  const ProfilerRange range(f.name);
  static thread_local std::vector<sim::Window> window_list;
  const Program &program = kernel.program();
  // The list belongs to the launch while it runs: a warning hook or a signal handler may start another launch on this thread.
  std::vector<sim::Window> list = std::move(window_list);
  Windows windows(list);
  open_windows(f, program, call, windows);

  const CheckMode mode = mode_of(options);
  const std::vector<std::unique_ptr<sim::Observer>> checkers = make_checkers(mode.checks & kernel.useful);
  llvm::SmallVector<sim::Observer *, 4> observers;
  for (auto &checker : checkers) observers.push_back(checker.get());

  sim::LaunchOptions settings;
  settings.blocks = cores;
  settings.checks = mode.checks;
  settings.adversarial = mode.adversarial, settings.seed = forced_seed.value_or(options.seed);
  settings.data_cache = options.data_cache;
  settings.threads = options.threads;
  if (options.max_cycles) settings.cycle_limit = options.max_cycles;
  settings.observers = observers;
  sim::LaunchResult result;
  if (kernel.debug) {
    result = launch_for_debugger(kernel, windows.words, list, windows.holders, settings);
  } else {
    InterruptScope interrupt;
    settings.interrupt = interrupt.flag();
    nb::gil_scoped_release release;
    result = sim::launch(*kernel.executable, windows.words, list, settings);
  }
  for (PyObject *array : windows.written_copies) windows.copies.write_back(array);
  window_list = std::move(list);

  std::string printed = std::move(result.printed);
  bool interrupted = result.interrupted;
  std::vector<sim::Finding> findings = std::move(result.findings);
  remember(f.number, std::move(result));
  if (!printed.empty()) write_to_stdout(printed);
  if (interrupted) {
    if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  if (findings.empty()) return;
  std::vector<Diagnostic> diagnostics = to_diagnostics(program, findings);
  if (!findings.front().warning) throw LaunchFindings(std::move(diagnostics)); // errors come first
  warn(diagnostics);
}

const sim::LaunchResult *last_launch(const FunctionState &f) {
  for (const LastLaunch &launch : last_launches())
    if (launch.function == f.number) return &launch.result;
  return nullptr;
}

} // namespace asc
