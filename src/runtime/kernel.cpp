// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Python types Kernel and Launcher: binding, look-up, launch.
#include "runtime/kernel.h"
#include "frontend/values.h"
#include "observers/checkers.h"
#include "runtime/arguments.h"
#include "runtime/findings.h"
#include "runtime/interrupt.h"
#include "runtime/raise.h"

#include "llvm/ADT/SmallVector.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <structmember.h>

namespace nb = nanobind;

namespace asc {

// ---------------------------------------------------------------- targets

/// Targets by number, so that a look-up compares a number. Guarded by the GIL.
static std::vector<std::string> &targets() {
  static auto *list = new std::vector<std::string>{"Ascend910B1"};
  return *list;
}
static size_t target_number = 0;

const std::string &current_target() { return targets()[target_number]; }
void set_current_target(std::string name) {
  auto &list = targets();
  auto at = std::find(list.begin(), list.end(), name);
  target_number = size_t(at - list.begin());
  if (at == list.end()) list.push_back(std::move(name));
}

namespace {

// ---------------------------------------------------------------- state of a function

/// What tells one compiled kernel of a function from another: the option bits, the environment, and a word or more per argument.
using Signature = llvm::SmallVector<uint64_t, 48>;

struct Entry {
  Signature signature;
  std::shared_ptr<const CompiledKernel> kernel;
  std::vector<Ref> held; // static arguments that count by identity
};

/// Shared by a kernel and the kernels that `options()` makes from it. All access is under the GIL.
struct FunctionState {
  static constexpr size_t kEntries = 128; // compiled kernels kept per function, most recently used first

  Ref function;
  std::string name;
  std::vector<Parameter> parameters;
  std::string problem, problem_help; // why it cannot be launched: parameters that no launch can serve
  std::optional<Environment> environment;
  std::vector<Entry> entries;
  CacheInfo info;
  uint64_t number = 0; // for the results of the last launches
};

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

struct KernelObject {
  PyObject_HEAD PyObject *dict;
  PyObject *weakrefs;
  std::shared_ptr<FunctionState> state;
  KernelOptions options;
};

struct LauncherObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  KernelObject *kernel;
  PyObject *stream;
  uint32_t cores;
};

PyTypeObject *kernel_type, *launcher_type;

// ---------------------------------------------------------------- arguments to parameters

using Objects = llvm::SmallVector<PyObject *, 24>; // borrowed

std::string plural(size_t n, const char *noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

std::string text_of(PyObject *text) {
  const char *s = PyUnicode_AsUTF8(text);
  PyErr_Clear();
  return s ? s : "?";
}

/// Arguments in parameter order, defaults filled in. Keywords that are no parameters go to `extra` (upstream's options may be given in the
/// call).
void arrange(const FunctionState &f, PyObject *const *args, size_t count, PyObject *keywords, Objects &objects, Ref &extra) {
  if (!f.problem.empty()) throw error("K114", f.problem, f.problem_help);
  size_t size = f.parameters.size();
  objects.assign(size, nullptr);
  size_t positional = size;
  while (positional && f.parameters[positional - 1].keyword_only) --positional;
  if (count > positional)
    throw error("K111", "kernel '" + f.name + "' takes " + plural(positional, "positional argument") + ", got " + std::to_string(count));
  std::copy_n(args, count, objects.begin());
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
    PyObject *keyword = PyTuple_GET_ITEM(keywords, k);
    size_t at = 0;
    while (at < size && f.parameters[at].name.get() != keyword) ++at;
    if (at == size)
      for (at = 0; at < size && PyUnicode_Compare(f.parameters[at].name.get(), keyword) != 0;) ++at;
    if (at == size) {
      if (!extra) extra = Ref::steal(PyDict_New());
      PyDict_SetItem(extra.get(), keyword, args[count + size_t(k)]);
      continue;
    }
    if (objects[at]) throw error("K113", "kernel '" + f.name + "' got argument '" + f.parameters[at].text + "' twice");
    objects[at] = args[count + size_t(k)];
  }
  std::string missing;
  for (size_t i = 0; i < size; ++i) {
    if (!objects[i]) objects[i] = f.parameters[i].default_value.get();
    if (!objects[i]) missing += (missing.empty() ? "'" : ", '") + f.parameters[i].text + "'";
  }
  if (!missing.empty()) throw error("K110", "kernel '" + f.name + "' is called without " + missing);
}

// ---------------------------------------------------------------- signature

/// Static values by value: small ones in a word or two, all others by the digest of their description.
void sign_static(PyObject *value, Signature &words, std::vector<Ref> &held) {
  enum Tag : uint64_t { Int = 1, Float, Singleton, Type, Digested };
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    long long n = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (!overflow) return words.append({Int, uint64_t(n)});
  }
  if (PyFloat_CheckExact(value)) return words.append({Float, std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(value))});
  if (value == Py_None || value == Py_True || value == Py_False)
    return words.append({Singleton, uint64_t(reinterpret_cast<uintptr_t>(value))});
  if (std::optional<DType> dtype = as_dtype(value)) return words.append({Type, uint64_t(*dtype)});
  Description description;
  CodeDigests codes;
  describe(value, description, codes);
  std::move(description.held.begin(), description.held.end(), std::back_inserter(held));
  Digest digest = digest_of(description.bytes);
  words.push_back(Digested);
  auto *parts = reinterpret_cast<const uint64_t *>(digest.bytes.data());
  words.append(parts, parts + 4);
}

struct Call {
  Objects objects;
  llvm::SmallVector<Bound, 24> bound;
  Signature signature;
  std::vector<Ref> held;
};

/// Binds the arguments and signs their types.
void bind(const FunctionState &f, const KernelOptions &options, Call &call) {
  call.signature.push_back(target_number << 8 | unsigned(options.compile.auto_sync) | unsigned(options.compile.python_arithmetic) << 1);
  auto *environment = reinterpret_cast<const uint64_t *>(f.environment->digest().bytes.data());
  call.signature.append(environment, environment + 4);
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    Bound b = bind_argument(call.objects[i], f.parameters[i], f.name);
    call.signature.push_back(uint64_t(b.kind) << 8 | uint64_t(b.dtype));
    if (b.kind == Bound::Kind::Static) sign_static(b.object, call.signature, call.held);
    call.bound.push_back(b);
  }
}

// ---------------------------------------------------------------- look-up

/// The whole key: everything that compiling reads, and who compiles.
Digest key_of(const FunctionState &f, const CompileOptions &options, const Call &call, std::string &opaque) {
  Description text;
  CodeDigests codes;
  auto add = [&](std::string_view s) { text.bytes.append(std::to_string(s.size())).append(":").append(s); };
  add(cache::build_id());
  add(std::to_string(table_hash()));
  add(PY_VERSION);
  add(options.target);
  add({options.auto_sync ? "s" : "-", 1});
  add({options.python_arithmetic ? "p" : "-", 1});
  add(f.environment->digest().view());
  opaque = f.environment->opaque();
  for (size_t i = 0; i < call.bound.size(); ++i) {
    const Bound &b = call.bound[i];
    add(f.parameters[i].text);
    text.bytes += {char('0' + int(b.kind)), char('a' + int(b.dtype))};
    if (b.kind == Bound::Kind::Static) describe(b.object, text, codes);
  }
  if (opaque.empty()) opaque = text.opaque;
  return digest_of(text.bytes);
}

std::string quoted(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

/// Makes sure that the environment is the one of now; says what changed since the last launch.
std::string refresh(FunctionState &f) {
  if (!f.environment) {
    f.environment.emplace(f.function.get());
    return "first use in this process";
  }
  if (f.environment->current()) return "";
  Digest before = f.environment->digest();
  std::vector<std::string> changed = f.environment->refresh();
  if (f.environment->digest() == before) return "";
  return changed.empty() ? "a value that the kernel uses changed" : "changed since the last launch: " + quoted(changed);
}

std::shared_ptr<const CompiledKernel> find(const std::shared_ptr<FunctionState> &state, const KernelOptions &kernel_options, Call &call) {
  FunctionState &f = *state;
  std::string reason = refresh(f);
  bind(f, kernel_options, call);
  if (!kernel_options.always_compile) {
    for (size_t i = 0; i < f.entries.size(); ++i)
      if (f.entries[i].signature == call.signature) {
        if (i) std::rotate(f.entries.begin(), f.entries.begin() + std::ptrdiff_t(i), f.entries.begin() + std::ptrdiff_t(i) + 1);
        ++f.info.memory_hits;
        f.info.last.assign("memory hit");
        f.info.key = f.entries[0].kernel->key;
        return f.entries[0].kernel;
      }
  }
  if (reason.empty()) reason = f.entries.empty() ? "first launch" : "new argument types, static values or options";

  CompileOptions options = kernel_options.compile;
  options.target = current_target();
  std::string opaque;
  Digest key = key_of(f, options, call, opaque);
  f.info.key = key.hex();
  const char *dumps = std::getenv("PYASC_DUMP_PATH");
  bool dumping = dumps && *dumps;
  bool on_disk = !kernel_options.always_compile && opaque.empty();
  std::shared_ptr<const CompiledKernel> kernel;
  if (kernel_options.always_compile)
    reason += "; option always_compile is set";
  else if (!opaque.empty())
    reason += "; not kept on disk: it uses " + opaque;
  else if (dumping)
    reason += "; compiled for its dumps (PYASC_DUMP_PATH)";
  else {
    cache::Found found = cache::load(key);
    kernel = found.kernel;
    if (!kernel) reason += "; " + found.why;
  }
  Ref function = f.function; // compiling runs Python code, which may do anything
  if (kernel) {
    ++f.info.disk_hits;
    f.info.last = "disk hit: " + reason;
  } else {
    std::vector<ArgSpec> specs;
    for (const Bound &b : call.bound) {
      ArgSpec spec;
      spec.kind = b.kind == Bound::Kind::Static  ? ArgSpec::Kind::Static
                  : b.kind == Bound::Kind::Array ? ArgSpec::Kind::Address
                                                 : ArgSpec::Kind::Scalar;
      spec.dtype = b.dtype;
      if (b.kind == Bound::Kind::Static) spec.value = nb::borrow(b.object);
      specs.push_back(std::move(spec));
    }
    ++f.info.compiles;
    f.info.last = "compiled: " + reason;
    kernel = compile_kernel(function.get(), specs, options, key.hex());
    if (on_disk) cache::store(key, *kernel);
  }
  if (!kernel_options.always_compile) {
    if (f.entries.size() >= FunctionState::kEntries) f.entries.pop_back();
    f.entries.insert(f.entries.begin(), {call.signature, kernel, std::move(call.held)});
  }
  warn(kernel->warnings);
  return kernel;
}

// ---------------------------------------------------------------- launch

/// The windows of the array arguments. Two parameters with the same bytes share a window; arrays that overlap otherwise are refused when
/// one is written.
struct Windows {
  llvm::SmallVector<uint64_t, 24> words;
  std::vector<sim::Window> &list; // reused by the launches of a thread
  Copies copies;
  llvm::SmallVector<unsigned, 4> written_copies; // arguments to write back

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

void open_windows(const FunctionState &f, const Program &program, const Call &call, Windows &windows) {
  llvm::SmallVector<const Bound *, 24> arrays;
  llvm::SmallVector<const Param *, 24> params;
  bool writes = false;
  size_t at = 0;
  for (const Bound &b : call.bound) {
    if (b.kind == Bound::Kind::Static) continue;
    if (at == program.params.size()) throw InternalError("program '" + program.name + "' has fewer parameters than its call");
    const Param &param = program.params[at++];
    if (b.mock)
      throw error("K126", "argument '" + param.name + "' of kernel '" + f.name + "' is a stand-in for compile() and cannot be launched",
                  "pass an array or a number");
    if (b.kind == Bound::Kind::Scalar) continue;
    arrays.push_back(&b);
    params.push_back(&param);
    writes |= param.writes;
    if (param.writes && b.read_only)
      throw error("K130",
                  "argument '" + param.name + "' of kernel '" + f.name + "' is written by the kernel, but the array is " +
                      (is_numpy_array(b.object) ? "read-only" : "a tensor that requires a gradient"),
                  is_numpy_array(b.object) ? "pass a writable array, such as " + param.name + ".copy()"
                                           : "pass " + param.name + ".detach()");
  }
  if (at != program.params.size()) throw InternalError("program '" + program.name + "' has more parameters than its call");
  if (writes && arrays.size() > 1) check_overlap(f, program, arrays, params);

  size_t used = 0, array = 0;
  for (const Bound &b : call.bound) {
    if (b.kind == Bound::Kind::Static) continue;
    if (b.kind == Bound::Kind::Scalar) {
      windows.words.push_back(b.bits);
      continue;
    }
    const Param &param = *params[array++];
    Bound place = b;
    if (b.needs_copy) {
      windows.copies.copy_in(place);
      Diagnostic d;
      d.code = "K132";
      d.severity = Severity::Warning;
      d.message = "argument '" + param.name + "' of kernel '" + f.name + "' is not contiguous in memory and is copied for the launch" +
                  (param.writes ? ", and back after it" : "");
      d.help = "pass a contiguous array, such as numpy.ascontiguousarray(" + param.name + "), to save the copy";
      warn({d});
      if (param.writes) windows.written_copies.push_back(unsigned(&b - call.bound.data()));
    }
    size_t window = 0;
    while (window < used && !(windows.list[window].data == place.data && windows.list[window].bytes == place.bytes)) ++window;
    if (window == used) {
      if (windows.list.size() == used) windows.list.emplace_back();
      sim::Window &w = windows.list[used++];
      w.data = place.data;
      w.bytes = place.bytes;
      w.read_only = !b.needs_copy && b.read_only;
      w.name = param.name;
    }
    windows.words.push_back(Address(Memory::GM, uint32_t(window), 0).word);
  }
  windows.list.resize(used);
}

bool dry_run() {
  const char *value = std::getenv("DRY_RUN");
  if (!value || !*value) return false;
  std::string text = value;
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text != "0" && text != "false" && text != "no" && text != "off";
}

void run(const FunctionState &f, const KernelOptions &options, uint32_t cores, const CompiledKernel &kernel, const Call &call) {
  static thread_local std::vector<sim::Window> window_list;
  const Program &program = kernel.program();
  Windows windows(window_list);
  open_windows(f, program, call, windows);

  std::vector<std::unique_ptr<sim::Observer>> checkers;
  if (options.check) checkers = make_checkers(program);
  llvm::SmallVector<sim::Observer *, 4> observers;
  for (auto &checker : checkers) observers.push_back(checker.get());

  sim::LaunchOptions launch;
  launch.blocks = cores;
  launch.check = options.check;
  launch.threads = options.threads;
  if (options.max_cycles) launch.cycle_limit = options.max_cycles;
  launch.observers = observers;
  InterruptScope interrupt;
  launch.interrupt = interrupt.flag();

  // The list belongs to the launch while it runs: a warning hook or a signal handler may start another launch on this thread.
  std::vector<sim::Window> list = std::move(window_list);
  sim::LaunchResult result;
  {
    nb::gil_scoped_release release;
    result = sim::launch(*kernel.executable, windows.words, list, launch);
  }
  for (unsigned argument : windows.written_copies) windows.copies.write_back(call.bound[argument].object);
  window_list = std::move(list);

  bool interrupted = result.interrupted;
  std::vector<sim::Finding> findings = std::move(result.findings);
  remember(f.number, std::move(result));
  if (interrupted) {
    if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  if (!findings.empty()) throw LaunchFindings(to_diagnostics(program, findings));
}

void launch(KernelObject *kernel, uint32_t cores, PyObject *const *args, size_t count, PyObject *keywords) {
  std::shared_ptr<FunctionState> state = kernel->state;
  Call call;
  Ref extra;
  arrange(*state, args, count, keywords, call.objects, extra);
  if (extra) { // options of upstream given with the call: the same call on a kernel that has them
    nb::object other = nb::borrow(reinterpret_cast<PyObject *>(kernel)).attr("_with_call_options")(nb::handle(extra.get()));
    kernel = reinterpret_cast<KernelObject *>(other.ptr());
    std::shared_ptr<const CompiledKernel> compiled = find(kernel->state, kernel->options, call);
    if (!dry_run()) run(*kernel->state, kernel->options, cores, *compiled, call);
    return;
  }
  std::shared_ptr<const CompiledKernel> compiled = find(state, kernel->options, call);
  if (!dry_run()) run(*state, kernel->options, cores, *compiled, call);
}

// ---------------------------------------------------------------- Launcher

PyObject *launcher_call(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
  auto *launcher = reinterpret_cast<LauncherObject *>(self);
  try {
    launch(launcher->kernel, launcher->cores, args, size_t(PyVectorcall_NARGS(flags)), keywords);
    Py_RETURN_NONE;
  } catch (...) {
    set_python_error_from_current_exception();
    return nullptr;
  }
}

int launcher_traverse(PyObject *self, visitproc visit, void *arg) {
  auto *launcher = reinterpret_cast<LauncherObject *>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(launcher->kernel);
  Py_VISIT(launcher->stream);
  return 0;
}
int launcher_clear(PyObject *self) {
  auto *launcher = reinterpret_cast<LauncherObject *>(self);
  Py_CLEAR(launcher->kernel);
  Py_CLEAR(launcher->stream);
  return 0;
}
void launcher_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  launcher_clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}
PyObject *launcher_repr(PyObject *self) {
  auto *launcher = reinterpret_cast<LauncherObject *>(self);
  return PyUnicode_FromFormat("<launcher of kernel '%s' on %u cores>", launcher->kernel->state->name.c_str(), unsigned(launcher->cores));
}

PyMemberDef launcher_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(LauncherObject, vectorcall), READONLY, nullptr},
    {"cores", T_UINT, offsetof(LauncherObject, cores), READONLY, "number of cores"},
    {"kernel", T_OBJECT, offsetof(LauncherObject, kernel), READONLY, "the kernel"},
    {"stream", T_OBJECT, offsetof(LauncherObject, stream), READONLY, "the stream, or None"},
    {},
};
PyType_Slot launcher_slots[] = {
    {Py_tp_doc, const_cast<char *>("A kernel on a number of cores: call it with the kernel's arguments.")},
    {Py_tp_members, launcher_members},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_traverse, reinterpret_cast<void *>(launcher_traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(launcher_clear)},
    {Py_tp_dealloc, reinterpret_cast<void *>(launcher_dealloc)},
    {Py_tp_repr, reinterpret_cast<void *>(launcher_repr)},
    {},
};
PyType_Spec launcher_spec = {"pyasc._core.Launcher", sizeof(LauncherObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                 Py_TPFLAGS_IMMUTABLETYPE,
                             launcher_slots};

// ---------------------------------------------------------------- Kernel

KernelObject *kernel_of(PyObject *self) {
  auto *kernel = reinterpret_cast<KernelObject *>(self);
  if (!kernel->state) throw error("K150", "this kernel has not been initialised", "make kernels with @asc.jit");
  return kernel;
}

std::string shown(PyObject *object) {
  Ref repr = Ref::steal(PyObject_Repr(object));
  return repr ? text_of(repr.get()) : (PyErr_Clear(), "?");
}

uint32_t cores_of(PyObject *value) {
  static constexpr const char *kHelp = "write kernel[cores](...) with 1 to 65535 cores; more than the chip has run in waves";
  Ref index = PyBool_Check(value) ? Ref() : Ref::steal(PyNumber_Index(value));
  if (!index) {
    PyErr_Clear();
    throw error("K102", "number of cores: got " + shown(value) + ", expected an integer", kHelp);
  }
  int overflow = 0;
  long cores = PyLong_AsLongAndOverflow(index.get(), &overflow);
  if (overflow || cores < 1 || cores > 65535) throw error("K103", "number of cores: got " + shown(value) + ", expected 1 to 65535", kHelp);
  return uint32_t(cores);
}

PyObject *kernel_subscript(PyObject *self, PyObject *index) {
  try {
    KernelObject *kernel = kernel_of(self);
    PyObject *cores = index, *stream = Py_None;
    if (PyTuple_Check(index)) {
      if (PyTuple_GET_SIZE(index) < 1 || PyTuple_GET_SIZE(index) > 2)
        throw error("K104",
                    "brackets of a kernel: got " + plural(size_t(PyTuple_GET_SIZE(index)), "value") +
                        ", expected cores, or cores and stream",
                    "write kernel[cores](...) or kernel[cores, stream](...)");
      cores = PyTuple_GET_ITEM(index, 0);
      if (PyTuple_GET_SIZE(index) == 2) stream = PyTuple_GET_ITEM(index, 1);
    }
    if (stream != Py_None) {
      Ref marker = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(stream)), "__asc_stream__"));
      PyErr_Clear();
      if (!marker)
        throw error("K105", "stream: got " + shown(stream) + ", expected a stream or None",
                    "make one with asc.lib.runtime.create_stream()");
    }
    uint32_t count = cores_of(cores);
    auto *launcher = reinterpret_cast<LauncherObject *>(launcher_type->tp_alloc(launcher_type, 0));
    if (!launcher) return nullptr;
    launcher->vectorcall = launcher_call;
    launcher->kernel = reinterpret_cast<KernelObject *>(Py_NewRef(reinterpret_cast<PyObject *>(kernel)));
    launcher->stream = Py_NewRef(stream);
    launcher->cores = count;
    return reinterpret_cast<PyObject *>(launcher);
  } catch (...) {
    set_python_error_from_current_exception();
    return nullptr;
  }
}

PyObject *kernel_new(PyTypeObject *type, PyObject *, PyObject *) {
  auto *kernel = reinterpret_cast<KernelObject *>(type->tp_alloc(type, 0));
  if (!kernel) return nullptr;
  new (&kernel->state) std::shared_ptr<FunctionState>();
  new (&kernel->options) KernelOptions();
  return reinterpret_cast<PyObject *>(kernel);
}

/// Kernel(function, parameters, options, problem, parent): `parameters` is a list of (name, has default, default, static types or None,
/// keyword only, prefers scalar); `options` a dictionary; `problem` None or (message, help); with a `parent`, both kernels share their
/// compiled programs.
int kernel_init(PyObject *self, PyObject *args, PyObject *) {
  PyObject *function, *parameters, *options, *problem, *parent;
  if (!PyArg_ParseTuple(args, "O!O!O!OO", &PyFunction_Type, &function, &PyList_Type, &parameters, &PyDict_Type, &options, &problem,
                        &parent))
    return -1;
  auto *kernel = reinterpret_cast<KernelObject *>(self);
  static uint64_t next = 0;
  try {
    auto flag = [&](const char *name) { return PyObject_IsTrue(PyDict_GetItemString(options, name)) == 1; };
    kernel->options.compile.auto_sync = flag("auto_sync");
    kernel->options.compile.python_arithmetic = flag("python_arithmetic");
    kernel->options.check = flag("check");
    kernel->options.always_compile = flag("always_compile");
    kernel->options.max_cycles = PyLong_AsUnsignedLongLong(PyDict_GetItemString(options, "max_cycles"));
    kernel->options.threads = unsigned(PyLong_AsUnsignedLong(PyDict_GetItemString(options, "threads")));
    if (PyErr_Occurred()) return -1;
    if (parent != Py_None) {
      kernel->state = kernel_of(parent)->state;
      return 0;
    }
    auto state = std::make_shared<FunctionState>();
    state->function = Ref::borrow(function);
    state->name = text_of(reinterpret_cast<PyFunctionObject *>(function)->func_name);
    state->number = next++;
    if (problem != Py_None) {
      const char *message, *help;
      if (!PyArg_ParseTuple(problem, "ss", &message, &help)) return -1;
      state->problem = message;
      state->problem_help = help;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(parameters); ++i) {
      PyObject *name, *default_value, *static_types;
      int has_default, keyword_only, prefers_scalar;
      if (!PyArg_ParseTuple(PyList_GET_ITEM(parameters, i), "UpOOpp", &name, &has_default, &default_value, &static_types, &keyword_only,
                            &prefers_scalar))
        return -1;
      Parameter p;
      PyObject *interned = Py_NewRef(name);
      PyUnicode_InternInPlace(&interned);
      p.name = Ref::steal(interned);
      p.text = text_of(name);
      if (has_default) p.default_value = Ref::borrow(default_value);
      if (static_types != Py_None) p.static_types = Ref::borrow(static_types);
      p.keyword_only = keyword_only;
      p.prefers_scalar = prefers_scalar;
      state->parameters.push_back(std::move(p));
    }
    kernel->state = std::move(state);
    return 0;
  } catch (...) {
    set_python_error_from_current_exception();
    return -1;
  }
}

int kernel_traverse(PyObject *self, visitproc visit, void *arg) {
  auto *kernel = reinterpret_cast<KernelObject *>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(kernel->dict);
  // What several kernels share is theirs together: the collector may count it once, for the last one.
  if (!kernel->state || kernel->state.use_count() != 1) return 0;
  FunctionState &f = *kernel->state;
  Py_VISIT(f.function.get());
  for (const Entry &entry : f.entries)
    for (const Ref &ref : entry.held) Py_VISIT(ref.get());
  for (const Parameter &p : f.parameters)
    for (const Ref *ref : {&p.name, &p.default_value, &p.static_types}) Py_VISIT(ref->get());
  return f.environment ? f.environment->traverse(visit, arg) : 0;
}
int kernel_clear(PyObject *self) {
  auto *kernel = reinterpret_cast<KernelObject *>(self);
  Py_CLEAR(kernel->dict);
  std::shared_ptr<FunctionState> gone = std::move(kernel->state);
  return 0;
}
void kernel_dealloc(PyObject *self) {
  auto *kernel = reinterpret_cast<KernelObject *>(self);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (kernel->weakrefs) PyObject_ClearWeakRefs(self);
  kernel_clear(self);
  kernel->state.~shared_ptr();
  kernel->options.~KernelOptions();
  type->tp_free(self);
  Py_DECREF(type);
}

/// Calls `body` with the kernel and turns C++ errors into Python's.
template <class Body> PyObject *guarded(PyObject *self, Body &&body) {
  try {
    return body(kernel_of(self));
  } catch (...) {
    set_python_error_from_current_exception();
    return nullptr;
  }
}

PyObject *kernel_compile(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
  return guarded(self, [&](KernelObject *kernel) {
    Call call;
    Ref extra;
    arrange(*kernel->state, args, size_t(count), keywords, call.objects, extra);
    nb::object other;
    if (extra) {
      other = nb::borrow(self).attr("_with_call_options")(nb::handle(extra.get()));
      kernel = reinterpret_cast<KernelObject *>(other.ptr());
    }
    return nb::cast(std::const_pointer_cast<CompiledKernel>(find(kernel->state, kernel->options, call))).release().ptr();
  });
}

PyObject *kernel_launch(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
  return guarded(self, [&](KernelObject *kernel) {
    if (count < 1) throw error("K101", "no number of cores", "write kernel[cores](...)");
    launch(kernel, cores_of(args[0]), args + 1, size_t(count - 1), keywords);
    return Py_NewRef(Py_None);
  });
}

PyObject *kernel_last_launch(PyObject *self, void *) {
  return guarded(self, [&](KernelObject *kernel) {
    for (const LastLaunch &launch : last_launches())
      if (launch.function == kernel->state->number) return nb::cast(launch.result).release().ptr();
    return Py_NewRef(Py_None);
  });
}

PyObject *kernel_cache_info(PyObject *self, PyObject *) {
  return guarded(self, [&](KernelObject *kernel) { return nb::cast(kernel->state->info).release().ptr(); });
}

PyMethodDef kernel_methods[] = {
    {"compile", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(kernel_compile)), METH_FASTCALL | METH_KEYWORDS,
     "Compiles for these arguments (arrays, numbers, MockTensor, MockValue, dtypes) without launching; the result has .ir, .ascendc, "
     ".listing."},
    {"_launch", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(kernel_launch)), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"cache_info", kernel_cache_info, METH_NOARGS, "How often the compiled kernel was found, and why the last launch found it or not."},
    {},
};
PyGetSetDef kernel_properties[] = {
    {"last_launch", kernel_last_launch, nullptr,
     "Cycles, pipe times and transfers of this thread's last launch of the kernel; None before one.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {},
};
PyMemberDef kernel_members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(KernelObject, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(KernelObject, weakrefs), READONLY, nullptr},
    {},
};
PyType_Slot kernel_slots[] = {
    {Py_tp_doc, const_cast<char *>("A Python function compiled for the AI Core; kernel[cores](arguments) launches it.")},
    {Py_tp_new, reinterpret_cast<void *>(kernel_new)},
    {Py_tp_init, reinterpret_cast<void *>(kernel_init)},
    {Py_tp_members, kernel_members},
    {Py_tp_methods, kernel_methods},
    {Py_tp_getset, kernel_properties},
    {Py_mp_subscript, reinterpret_cast<void *>(kernel_subscript)},
    {Py_tp_traverse, reinterpret_cast<void *>(kernel_traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(kernel_clear)},
    {Py_tp_dealloc, reinterpret_cast<void *>(kernel_dealloc)},
    {},
};
PyType_Spec kernel_spec = {"pyasc._core.Kernel", sizeof(KernelObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                           kernel_slots};

} // namespace

bool add_kernel_types(PyObject *module) {
  kernel_type = reinterpret_cast<PyTypeObject *>(PyType_FromModuleAndSpec(module, &kernel_spec, nullptr));
  launcher_type = reinterpret_cast<PyTypeObject *>(PyType_FromModuleAndSpec(module, &launcher_spec, nullptr));
  return kernel_type && launcher_type && PyModule_AddType(module, kernel_type) == 0 && PyModule_AddType(module, launcher_type) == 0;
}

} // namespace asc
