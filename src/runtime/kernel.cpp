// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Python types Kernel and Launcher.
#include "runtime/kernel.h"
#include "frontend/debug_table.h"
#include "runtime/launch.h"
#include "runtime/raise.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <structmember.h>

namespace nb = nanobind;

namespace asc {
namespace {

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

/// A call of a kernel, its compiled kernel found.
struct Invocation {
  std::shared_ptr<FunctionState> state;
  KernelOptions options;
  LaunchArguments call;
  std::shared_ptr<const CompiledKernel> compiled;

  Invocation(KernelObject *kernel, PyObject *const *args, size_t count, PyObject *keywords)
      : state(kernel->state), options(kernel->options) {
    Ref extra;
    arrange(*state, args, count, keywords, call, extra);
    if (extra) { // options of upstream given with the call: the call of a kernel that has them
      nb::object other = nb::borrow(reinterpret_cast<PyObject *>(kernel)).attr("_with_call_options")(nb::handle(extra.get()));
      options = reinterpret_cast<KernelObject *>(other.ptr())->options;
    }
    compiled = find(*state, options, call);
  }
};

std::string text_of(PyObject *text) {
  const char *s = PyUnicode_AsUTF8(text);
  PyErr_Clear();
  return s ? s : "?";
}

// ---------------------------------------------------------------- Launcher

/// A pyasc.Stream takes calls into its queue: __asc_enqueue__(launcher, arguments, keywords). False: the stream is of another kind.
bool enqueue(LauncherObject *launcher, PyObject *const *args, size_t count, PyObject *keywords) {
  nb::object method = nb::getattr(nb::handle(launcher->stream), "__asc_enqueue__", nb::handle());
  if (!method.is_valid()) return false;
  nb::list arguments;
  nb::dict named;
  for (size_t i = 0; i < count; ++i) arguments.append(nb::handle(args[i]));
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k)
    named[nb::handle(PyTuple_GET_ITEM(keywords, k))] = nb::handle(args[count + size_t(k)]);
  method(nb::handle(reinterpret_cast<PyObject *>(launcher)), nb::tuple(arguments), named);
  return true;
}

PyObject *launcher_call(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
  auto *launcher = reinterpret_cast<LauncherObject *>(self);
  try {
    if (launcher->stream != Py_None && enqueue(launcher, args, size_t(PyVectorcall_NARGS(flags)), keywords)) Py_RETURN_NONE;
    Invocation invocation(launcher->kernel, args, size_t(PyVectorcall_NARGS(flags)), keywords);
    launch(*invocation.state, invocation.options, launcher->cores, *invocation.compiled, invocation.call);
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

/// Pickled as kernel[cores], or kernel[cores, stream].
PyObject *launcher_reduce(PyObject *self, PyObject *) {
  auto *launcher = reinterpret_cast<LauncherObject *>(self);
  Ref get = Ref::steal(PyImport_ImportModule("operator"));
  if (get) get = Ref::steal(PyObject_GetAttrString(get.get(), "getitem"));
  if (!get) return nullptr;
  if (launcher->stream == Py_None) return Py_BuildValue("O(OI)", get.get(), launcher->kernel, unsigned(launcher->cores));
  return Py_BuildValue("O(O(IO))", get.get(), launcher->kernel, unsigned(launcher->cores), launcher->stream);
}

PyMethodDef launcher_methods[] = {{"__reduce__", launcher_reduce, METH_NOARGS, nullptr}, {}};
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
    {Py_tp_methods, launcher_methods},
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
                    "brackets of a kernel: got " + std::to_string(PyTuple_GET_SIZE(index)) + " values" +
                        ", expected cores, or cores and stream",
                    "write kernel[cores](...) or kernel[cores, stream](...)");
      cores = PyTuple_GET_ITEM(index, 0);
      if (PyTuple_GET_SIZE(index) == 2) stream = PyTuple_GET_ITEM(index, 1);
    }
    if (stream != Py_None) {
      Ref marker = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(stream)), "__asc_stream__"));
      PyErr_Clear();
      if (!marker) throw error("K105", "stream: got " + shown(stream) + ", expected a stream or None", "make one with pyasc.Stream()");
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
/// keyword only, prefers scalar, dtype or None, structure class or None); `options` a dictionary; `problem` None or (message, help); with a
/// `parent`, both kernels share their compiled programs.
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
    kernel->options.compile.time_stamps = flag("time_stamps");
    kernel->options.dump_by_environment = PyDict_GetItemString(options, "dump") == Py_None;
    kernel->options.compile.dump = flag("dump");
    if (PyDict_GetItemString(options, "insert_sync") != Py_None) kernel->options.compile.insert_sync = flag("insert_sync");
    if (PyObject *left_out = PyDict_GetItemString(options, "without_sync"); left_out != Py_None)
      kernel->options.compile.without_sync = unsigned(PyLong_AsUnsignedLong(left_out));
    if (PyObject *type = PyDict_GetItemString(options, "kernel_type"); type != Py_None)
      kernel->options.compile.kernel_type = KernelType(PyLong_AsUnsignedLong(type));
    kernel->options.check = check_mode(PyDict_GetItemString(options, "check"));
    kernel->options.data_cache = flag("data_cache");
    kernel->options.seed = PyLong_AsUnsignedLongLong(PyDict_GetItemString(options, "seed"));
    kernel->options.compile.print_ir = flag("print_ir_before_all");
    kernel->options.compile.all_errors = flag("all_errors");
    kernel->options.always_compile = flag("always_compile") || kernel->options.compile.print_ir; // what is found is not made
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
      PyObject *name, *default_value, *static_types, *scalar_type, *structure;
      int has_default, keyword_only, prefers_scalar;
      if (!PyArg_ParseTuple(PyList_GET_ITEM(parameters, i), "UpOOppOO", &name, &has_default, &default_value, &static_types, &keyword_only,
                            &prefers_scalar, &scalar_type, &structure))
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
      p.scalar_type = as_dtype(scalar_type).value_or(DType::Void);
      if (structure != Py_None) p.structure = Ref::borrow(structure);
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
  return kernel->state->traverse(visit, arg);
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

/// Whoever compiles without launching looks at the texts.
void warn_of_breakpoint(const CompiledKernel &kernel) {
  if (!kernel.debug) return;
  Diagnostic d;
  d.code = "L313";
  d.severity = Severity::Warning;
  d.message = "breakpoint() has no effect on the NPU: the Ascend C text has nothing in its place";
  d.span = *kernel.debug->breakpoint;
  d.help = "it opens the debugger when the kernel is launched in the simulator";
  warn({d});
}

PyObject *kernel_compile(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
  return guarded(self, [&](KernelObject *kernel) {
    Invocation invocation(kernel, args, size_t(count), keywords);
    warn_of_breakpoint(*invocation.compiled);
    return nb::cast(std::const_pointer_cast<CompiledKernel>(invocation.compiled)).release().ptr();
  });
}

PyObject *kernel_last_launch(PyObject *self, void *) {
  return guarded(self, [&](KernelObject *kernel) {
    const sim::LaunchResult *result = last_launch(*kernel->state);
    return result ? nb::cast(*result).release().ptr() : Py_NewRef(Py_None);
  });
}

PyObject *kernel_cache_info(PyObject *self, PyObject *) {
  return guarded(self, [&](KernelObject *kernel) { return nb::cast(kernel->state->info).release().ptr(); });
}

PyObject *kernel_explain_cache(PyObject *self, PyObject *) {
  return guarded(self, [&](KernelObject *kernel) { return nb::str(explain(*kernel->state).c_str()).release().ptr(); });
}

PyMethodDef kernel_methods[] = {
    {"compile", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(kernel_compile)), METH_FASTCALL | METH_KEYWORDS,
     "Compiles for these arguments (arrays, numbers, MockTensor, MockValue, dtypes) without launching; the result has .ir, .ascendc, "
     ".listing."},
    {"cache_info", kernel_cache_info, METH_NOARGS, "How often the compiled kernel was found, and why the last launch found it or not."},
    {"explain_cache", kernel_explain_cache, METH_NOARGS,
     "A text about the last look-up of the compiled kernel: found in memory, found on disk, or compiled, and then what differs from the "
     "nearest other entry: a global, a function, an option, an argument."},
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
