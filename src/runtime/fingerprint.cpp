// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over everything that a compile reads.
#include "runtime/fingerprint.h"
#include "runtime/arguments.h"

#include "llvm/Support/BLAKE3.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>

namespace asc {

Digest digest_of(std::string_view bytes) {
  llvm::BLAKE3 hash;
  hash.update(llvm::StringRef(bytes.data(), bytes.size()));
  Digest result;
  auto raw = hash.final<32>();
  std::copy(raw.begin(), raw.end(), result.bytes.begin());
  return result;
}

std::string Digest::hex() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t b : bytes) text += {digits[b >> 4], digits[b & 15]};
  return text;
}

// ---------------------------------------------------------------- places

bool Place::unchanged() const {
  switch (kind) {
  case Kind::Item: return PyDict_GetItemWithError(container.get(), key.get()) == value.get();
  case Kind::Cell: return PyCell_GET(container.get()) == value.get();
  case Kind::Function: {
    auto *function = reinterpret_cast<PyFunctionObject *>(container.get());
    return function->func_code == value.get() && function->func_defaults == defaults.get() &&
           function->func_kwdefaults == keyword_defaults.get();
  }
  }
  return false;
}

static std::string text_of(PyObject *str) {
  Py_ssize_t size = 0;
  const char *data = str && PyUnicode_Check(str) ? PyUnicode_AsUTF8AndSize(str, &size) : nullptr;
  if (!data) {
    PyErr_Clear(); // no text, or a surrogate in it
    return "?";
  }
  return {data, size_t(size)};
}

std::string Place::name() const {
  if (kind == Kind::Function) return text_of(reinterpret_cast<PyFunctionObject *>(container.get())->func_name);
  return kind == Kind::Item ? text_of(key.get()) : "a closure variable";
}

// ---------------------------------------------------------------- the walk

namespace {

constexpr unsigned kMaxDepth = 100;

/// Attribute `name` of a type or module from its own dictionary or its bases; never runs descriptors.
PyObject *type_attribute(PyTypeObject *type, const char *name) {
  Ref key = Ref::steal(PyUnicode_InternFromString(name));
  return key ? _PyType_Lookup(type, key.get()) : nullptr;
}

bool starts_with_package(std::string_view module, std::string_view package) {
  return module.starts_with(package) && (module.size() == package.size() || module[package.size()] == '.');
}
bool is_ours(std::string_view module) { return starts_with_package(module, "asc") || starts_with_package(module, "pyasc"); }

/// The folder of Python's standard library.
const std::string &library_folder() {
  static const std::string *folder = [] {
    Ref os = Ref::steal(PyImport_ImportModule("os"));
    Ref file = os ? Ref::steal(PyModule_GetFilenameObject(os.get())) : Ref();
    std::string path = text_of(file.get());
    return new std::string(path.substr(0, path.rfind('/') + 1));
  }();
  return *folder;
}

/// Code that belongs to the Python installation or to us: its name and the versions say what it does. A user's module of the same name is
/// none.
bool is_library(std::string_view name) {
  if (is_ours(name) || starts_with_package(name, "numpy") || starts_with_package(name, "ml_dtypes") || name == "builtins") return true;
  Ref key = Ref::steal(PyUnicode_FromStringAndSize(name.data(), Py_ssize_t(name.size())));
  Ref module = key ? Ref::steal(PyImport_GetModule(key.get())) : Ref();
  if (!module || !PyModule_Check(module.get())) return PyErr_Clear(), false;
  static PyObject *names = Py_XNewRef(PySys_GetObject("stdlib_module_names"));
  std::string_view top = name.substr(0, name.find('.'));
  Ref top_key = Ref::steal(PyUnicode_FromStringAndSize(top.data(), Py_ssize_t(top.size())));
  if (!names || !top_key || PySet_Contains(names, top_key.get()) != 1) return PyErr_Clear(), false;
  Ref file = Ref::steal(PyModule_GetFilenameObject(module.get()));
  if (!file) return PyErr_Clear(), true; // built into the interpreter
  return text_of(file.get()).starts_with(library_folder());
}

std::string module_of(PyTypeObject *type) {
  if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
    const char *dot = std::strrchr(type->tp_name, '.');
    return dot ? std::string(type->tp_name, size_t(dot - type->tp_name)) : "builtins";
  }
  return text_of(type_attribute(type, "__module__"));
}

class Walk {
public:
  Walk(Description &out, CodeDigests &codes) : out_(out), codes_(codes) {}

  void value(PyObject *v) {
    if (depth_ >= kMaxDepth) return opaque_object(v);
    ++depth_;
    describe(v);
    --depth_;
  }

  void function(PyObject *f) {
    auto *fn = reinterpret_cast<PyFunctionObject *>(f);
    if (!enter(f)) return;
    std::string module = text_of(fn->func_module);
    if (is_library(module)) return tagged('L', module + "." + text_of(fn->func_qualname));
    put('F');
    out_.places.push_back({Place::Kind::Function,
                           Ref::borrow(f),
                           {},
                           Ref::borrow(fn->func_code),
                           Ref::borrow(fn->func_defaults),
                           Ref::borrow(fn->func_kwdefaults)});
    code(fn->func_code);
    optional(fn->func_defaults);
    optional(fn->func_kwdefaults);
    globals(fn);
    closure(fn);
  }

private:
  Description &out_;
  CodeDigests &codes_;
  std::unordered_map<PyObject *, size_t> seen_;
  std::unordered_set<PyObject *> modules_;
  unsigned depth_ = 0;

  void put(char c) { out_.bytes += c; }
  void number(uint64_t n) { out_.bytes.append(reinterpret_cast<const char *>(&n), sizeof n); }
  void text(std::string_view s) {
    number(s.size());
    out_.bytes += s;
  }
  void tagged(char tag, std::string_view s) {
    put(tag);
    text(s);
  }
  /// An object that cannot be described by value counts by identity; holding it keeps its address taken.
  void opaque_object(PyObject *v) {
    if (out_.opaque.empty()) out_.opaque = "a value of type " + module_of(Py_TYPE(v)) + "." + std::string(Py_TYPE(v)->tp_name);
    put('?');
    number(reinterpret_cast<uintptr_t>(v));
    out_.held.push_back(Ref::borrow(v));
  }
  void optional(PyObject *v) {
    if (v)
      value(v);
    else
      put('0');
  }
  /// False when the object is being or was described: then only its number is written.
  bool enter(PyObject *v) {
    auto [it, fresh] = seen_.try_emplace(v, seen_.size());
    if (!fresh) {
      put('#');
      number(it->second);
    }
    return fresh;
  }

  // ------------------------------------------------------------ functions

  void names_of(PyCodeObject *c, std::vector<PyObject *> &names) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(c->co_names); ++i) names.push_back(PyTuple_GET_ITEM(c->co_names, i));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(c->co_consts); ++i)
      if (PyObject *inner = PyTuple_GET_ITEM(c->co_consts, i); PyCode_Check(inner))
        names_of(reinterpret_cast<PyCodeObject *>(inner), names);
  }

  void globals(PyFunctionObject *fn) {
    std::vector<PyObject *> names;
    names_of(reinterpret_cast<PyCodeObject *>(fn->func_code), names);
    PyObject *builtins = fn->func_builtins;
    std::unordered_set<PyObject *> done;
    for (PyObject *name : names) {
      if (!done.insert(name).second) continue;
      PyObject *v = PyDict_GetItemWithError(fn->func_globals, name);
      if (v) {
        item(fn->func_globals, name, v);
        if (PyModule_Check(v)) attributes(v, names);
      } else if (PyDict_Check(builtins) && PyDict_GetItemWithError(builtins, name)) {
        place(fn->func_globals, name, nullptr); // a global of this name would hide the builtin
      }
    }
  }

  /// Attributes of a module that the code may read: all names of the code that the module has.
  void attributes(PyObject *module, const std::vector<PyObject *> &names) {
    if (is_library(module_name(module))) return;
    if (!modules_.insert(module).second) return;
    PyObject *dict = PyModule_GetDict(module);
    for (PyObject *name : names)
      if (PyObject *v = PyDict_GetItemWithError(dict, name)) {
        item(dict, name, v);
        if (PyModule_Check(v)) attributes(v, names);
      }
  }
  static std::string module_name(PyObject *module) {
    Ref name = Ref::steal(PyModule_GetNameObject(module));
    return text_of(name.get());
  }

  void place(PyObject *dict, PyObject *name, PyObject *v) {
    out_.places.push_back({Place::Kind::Item, Ref::borrow(dict), Ref::borrow(name), Ref::borrow(v), {}, {}});
  }
  void item(PyObject *dict, PyObject *name, PyObject *v) {
    place(dict, name, v);
    tagged('g', text_of(name));
    value(v);
  }

  void closure(PyFunctionObject *fn) {
    if (!fn->func_closure) return;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fn->func_closure); ++i) {
      PyObject *cell = PyTuple_GET_ITEM(fn->func_closure, i);
      PyObject *v = PyCell_GET(cell);
      out_.places.push_back({Place::Kind::Cell, Ref::borrow(cell), {}, Ref::borrow(v), {}, {}});
      put('x');
      optional(v);
    }
  }

  void code(PyObject *object) {
    put('C');
    auto known = codes_.find(object);
    if (known == codes_.end()) {
      Description own;
      Walk walk(own, codes_);
      walk.code_content(reinterpret_cast<PyCodeObject *>(object));
      known = codes_.emplace(object, std::pair(Ref::borrow(object), digest_of(own.bytes))).first;
    }
    out_.bytes += known->second.second.view();
  }

  void code_content(PyCodeObject *c) {
    for (int n : {c->co_argcount, c->co_posonlyargcount, c->co_kwonlyargcount, c->co_flags, c->co_firstlineno}) number(uint64_t(n));
    Ref bytecode = Ref::steal(PyCode_GetCode(c)), varnames = Ref::steal(PyCode_GetVarnames(c)),
        freevars = Ref::steal(PyCode_GetFreevars(c));
    for (PyObject *part :
         {bytecode.get(), c->co_consts, c->co_names, varnames.get(), freevars.get(), c->co_filename, c->co_qualname, c->co_linetable}) {
      if (part)
        value(part);
      else
        PyErr_Clear();
    }
  }

  // ------------------------------------------------------------ values

  void describe(PyObject *v) {
    PyTypeObject *type = Py_TYPE(v);
    if (v == Py_None) return put('N');
    if (v == Py_True) return put('T');
    if (v == Py_False) return put('U');
    if (v == Py_Ellipsis) return put('E');
    if (PyLong_CheckExact(v)) return integer(v);
    if (PyFloat_CheckExact(v)) return real(v);
    if (PyUnicode_CheckExact(v)) return unicode(v);
    if (PyBytes_CheckExact(v)) return tagged('b', {PyBytes_AS_STRING(v), size_t(PyBytes_GET_SIZE(v))});
    if (PyTuple_CheckExact(v) || PyList_CheckExact(v)) return sequence(v);
    if (PyDict_CheckExact(v)) return dictionary(v);
    if (PyAnySet_CheckExact(v)) return set(v);
    if (PyComplex_CheckExact(v)) return representation('c', v);
    if (PyCode_Check(v)) return code(v);
    if (PyFunction_Check(v)) return function(v);
    if (PyModule_Check(v)) return tagged('M', module_name(v));
    if (PyCFunction_Check(v)) return builtin(v);
    if (PyType_Check(v)) return class_(reinterpret_cast<PyTypeObject *>(v));
    if (PyMethod_Check(v)) {
      put('m');
      value(PyMethod_GET_FUNCTION(v));
      return value(PyMethod_GET_SELF(v));
    }
    if (type_attribute(type, "__asc_method__")) {
      put('m');
      for (const char *part : {"__func__", "__self__"}) value(Ref::steal(PyObject_GetAttrString(v, part)).get());
      return;
    }
    if (Ref plain = Ref::steal(jit_function(v))) {
      put('J');
      return value(plain.get());
    }
    if (type_attribute(type, "__asc_constexpr__")) {
      put('K');
      Ref inner = Ref::steal(PyObject_GetAttrString(v, "value"));
      if (inner) return value(inner.get());
      PyErr_Clear();
      return;
    }
    if (is_numpy_array(v)) return array(v);
    if (is_numpy_scalar(v)) return numpy_scalar(v);
    if (is_wrapper(v)) return wrapped(v);
    if (is_ours(module_of(type))) {
      if (type_attribute(type, "__asc_struct__")) out_.changeable = true;
      tagged('O', type->tp_name);
      return representation('r', v);
    }
    if (is_enum_class(type)) return enum_member(v);
    instance(v);
  }

  void integer(PyObject *v) {
    int overflow = 0;
    long long small = PyLong_AsLongLongAndOverflow(v, &overflow);
    if (!overflow) {
      put('i');
      return number(uint64_t(small));
    }
    Ref digits = Ref::steal(PyNumber_ToBase(v, 16));
    tagged('I', text_of(digits.get()));
  }
  void real(PyObject *v) {
    double d = PyFloat_AS_DOUBLE(v);
    put('f');
    number(std::bit_cast<uint64_t>(d));
  }
  void unicode(PyObject *v) {
    Ref bytes = Ref::steal(PyUnicode_AsEncodedString(v, "utf-8", "surrogatepass"));
    if (!bytes) {
      PyErr_Clear();
      return opaque_object(v);
    }
    tagged('s', {PyBytes_AS_STRING(bytes.get()), size_t(PyBytes_GET_SIZE(bytes.get()))});
  }
  void representation(char tag, PyObject *v) {
    Ref repr = Ref::steal(PyObject_Repr(v));
    if (!repr) {
      PyErr_Clear();
      return opaque_object(v);
    }
    tagged(tag, text_of(repr.get()));
  }

  void sequence(PyObject *v) {
    bool list = PyList_Check(v);
    if (list) {
      out_.changeable = true;
      if (!enter(v)) return;
    }
    put(list ? 'l' : 't');
    number(uint64_t(PySequence_Fast_GET_SIZE(v)));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(v); ++i) value(Ref::borrow(PySequence_Fast_ITEMS(v)[i]).get());
  }
  void dictionary(PyObject *v) {
    out_.changeable = true;
    if (!enter(v)) return;
    put('d');
    number(uint64_t(PyDict_GET_SIZE(v)));
    PyObject *key, *item;
    for (Py_ssize_t at = 0; PyDict_Next(v, &at, &key, &item);) {
      value(key);
      value(item);
    }
  }
  void set(PyObject *v) {
    if (PySet_Check(v)) out_.changeable = true;
    put('S');
    std::vector<std::string> parts;
    Ref iterator = Ref::steal(PyObject_GetIter(v));
    while (Ref item = iterator ? Ref::steal(PyIter_Next(iterator.get())) : Ref()) {
      Description one;
      Walk walk(one, codes_);
      walk.value(item.get());
      if (out_.opaque.empty()) out_.opaque = one.opaque;
      out_.changeable |= one.changeable;
      std::move(one.held.begin(), one.held.end(), std::back_inserter(out_.held));
      std::move(one.places.begin(), one.places.end(), std::back_inserter(out_.places));
      parts.push_back(std::move(one.bytes));
    }
    std::sort(parts.begin(), parts.end());
    for (const std::string &part : parts) text(part);
  }
  void builtin(PyObject *v) {
    Ref name = Ref::steal(PyObject_GetAttrString(v, "__qualname__")), module = Ref::steal(PyObject_GetAttrString(v, "__module__"));
    PyErr_Clear();
    tagged('B', text_of(module.get()) + "." + text_of(name.get()));
    if (PyObject *self = PyCFunction_GET_SELF(v); self && !PyModule_Check(self)) value(self);
  }
  static bool is_wrapper(PyObject *v) {
    return Py_TYPE(v) == &PyProperty_Type || Py_TYPE(v) == &PyStaticMethod_Type || Py_TYPE(v) == &PyClassMethod_Type;
  }
  /// property, staticmethod, classmethod of a class: the functions inside.
  void wrapped(PyObject *v) {
    put('w');
    for (const char *name : {"__func__", "fget"}) {
      Ref inner = Ref::steal(PyObject_GetAttrString(v, name));
      if (inner)
        value(inner.get());
      else
        PyErr_Clear();
    }
  }

  // ------------------------------------------------------------ classes and instances

  static bool is_enum_class(PyTypeObject *type) {
    return type_attribute(type, "_member_map_") && std::string_view(Py_TYPE(type)->tp_name) == "EnumType";
  }
  void name_and_value(PyObject *member) {
    for (const char *name : {"_name_", "_value_"}) {
      Ref part = Ref::steal(PyObject_GetAttrString(member, name));
      PyErr_Clear();
      optional(part.get());
    }
  }
  void enum_member(PyObject *v) {
    put('e');
    class_(Py_TYPE(v));
    name_and_value(v);
  }
  /// Members never change; methods are functions like others.
  void enum_class(PyTypeObject *type) {
    PyObject *key, *item;
    if (PyObject *members = type_attribute(type, "_member_map_"); PyDict_Check(members))
      for (Py_ssize_t at = 0; PyDict_Next(members, &at, &key, &item);) name_and_value(item);
    for (Py_ssize_t at = 0; PyDict_Next(type->tp_dict, &at, &key, &item);)
      if (PyFunction_Check(item) || is_wrapper(item)) value(item);
  }

  void class_(PyTypeObject *type) {
    std::string module = module_of(type);
    tagged('Y', module + "." + type->tp_name);
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) return;
    const bool without_module = module == "builtins"; // made by exec() without a __name__
    if ((is_library(module) && !without_module) || !enter(reinterpret_cast<PyObject *>(type))) return;
    if (is_enum_class(type)) return enum_class(type);
    out_.changeable = true;
    value(type->tp_bases);
    PyObject *key, *item;
    for (Py_ssize_t at = 0; PyDict_Next(type->tp_dict, &at, &key, &item);) {
      std::string name = text_of(key);
      if (name == "__dict__" || name == "__weakref__" || name == "__doc__" || name == "__module__" || name == "__annotations__") continue;
      text(name);
      value(item);
    }
  }

  /// An instance of a Python class: its class, what it inherits from a builtin, its attributes and slots.
  void instance(PyObject *v) {
    PyTypeObject *type = Py_TYPE(v);
    bool described = false;
    out_.changeable = true;
    if (!enter(v)) return;
    put('o');
    class_(type);
    if (PyLong_Check(v)) integer(v), described = true;
    if (PyFloat_Check(v)) real(v), described = true;
    if (PyUnicode_Check(v)) unicode(v), described = true;
    if (PyTuple_Check(v) || PyList_Check(v)) {
      number(uint64_t(PySequence_Fast_GET_SIZE(v)));
      for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(v); ++i) value(Ref::borrow(PySequence_Fast_ITEMS(v)[i]).get());
      described = true;
    }
    PyObject *mro = type->tp_mro;
    bool plain = is_python_class(type);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); ++i) {
      auto *base = reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(mro, i));
      if (!is_python_class(base)) {
        plain &= base == &PyBaseObject_Type || described;
        continue;
      }
      PyObject *slot, *name;
      for (Py_ssize_t at = 0; PyDict_Next(base->tp_dict, &at, &name, &slot);)
        if (Py_TYPE(slot) == &PyMemberDescr_Type) {
          Ref held = Ref::steal(Py_TYPE(slot)->tp_descr_get(slot, v, reinterpret_cast<PyObject *>(type)));
          PyErr_Clear();
          text(text_of(name));
          optional(held.get());
        }
    }
    if (!plain) return reduced(v);
    Ref attributes = Ref::steal(PyObject_GenericGetDict(v, nullptr));
    if (attributes) return value(attributes.get());
    PyErr_Clear(); // only slots
  }

  /// Whether a class comes from a `class` statement, so that its instances hold attributes and slots only. Classes in C may be heap types
  /// too, but destroy their instances in a way of their own.
  static bool is_python_class(PyTypeObject *type) {
    static const destructor dealloc = [] {
      Ref sample = Ref::steal(PyObject_CallFunction(reinterpret_cast<PyObject *>(&PyType_Type), "s(){}", "sample"));
      return sample ? reinterpret_cast<PyTypeObject *>(sample.get())->tp_dealloc : nullptr;
    }();
    return (type->tp_flags & Py_TPFLAGS_HEAPTYPE) && type->tp_dealloc == dealloc;
  }

  /// An instance of a class in C: its bytes when it is a buffer, else what pickle would keep when the class is the standard library's.
  void reduced(PyObject *v) {
    if (PyObject_CheckBuffer(v)) return bytes_of(v);
    Ref parts = is_library(module_of(Py_TYPE(v))) ? Ref::steal(PyObject_CallMethod(v, "__reduce_ex__", "i", 4)) : Ref();
    PyErr_Clear();
    if (!parts || !PyTuple_Check(parts.get())) return opaque_object(v);
    put('R');
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parts.get()); ++i) {
      PyObject *part = PyTuple_GET_ITEM(parts.get(), i);
      Ref items = PyIter_Check(part) ? Ref::steal(PySequence_List(part)) : Ref::borrow(part);
      PyErr_Clear();
      optional(items.get());
    }
  }

  static PyObject *jit_function(PyObject *v) {
    if (!type_attribute(Py_TYPE(v), "__asc_jit__")) return nullptr;
    PyObject *plain = PyObject_GetAttrString(v, "__asc_jit__");
    if (!plain) PyErr_Clear();
    return plain;
  }

  void array(PyObject *v) {
    out_.changeable = true;
    for (const char *name : {"dtype", "shape"}) {
      Ref part = Ref::steal(PyObject_GetAttrString(v, name));
      PyErr_Clear();
      if (part) representation('a', part.get());
    }
    if (holds_objects(v)) return opaque_object(v);
    bytes_of(v);
  }
  void numpy_scalar(PyObject *v) {
    Ref dtype = Ref::steal(PyObject_GetAttrString(v, "dtype"));
    PyErr_Clear();
    if (!dtype) return opaque_object(v);
    representation('n', dtype.get());
    bytes_of(v);
  }
  /// The bytes behind a buffer or a NumPy object, as their digest.
  void bytes_of(PyObject *v) {
    Ref bytes = Ref::steal(PyObject_HasAttrString(v, "tobytes") ? PyObject_CallMethod(v, "tobytes", nullptr) : PyBytes_FromObject(v));
    PyErr_Clear();
    if (!bytes || !PyBytes_Check(bytes.get())) return opaque_object(v);
    put('b');
    out_.bytes += digest_of({PyBytes_AS_STRING(bytes.get()), size_t(PyBytes_GET_SIZE(bytes.get()))}).view();
  }
};

} // namespace

void describe(PyObject *value, Description &out, CodeDigests &codes) { Walk(out, codes).value(value); }

// ---------------------------------------------------------------- the environment of a function

Environment::Environment(PyObject *function) : function_(function) { refresh(); }

bool Environment::current() {
  for (const Place &place : description_.places)
    if (!place.unchanged()) return false;
  if (!description_.changeable) return true;
  Description again;
  describe(function_, again, codes_);
  return digest_of(again.bytes) == digest_;
}

std::vector<std::string> Environment::refresh() {
  std::vector<std::string> changed;
  for (const Place &place : description_.places)
    if (!place.unchanged()) changed.push_back(place.name());
  Description again;
  describe(function_, again, codes_);
  description_ = std::move(again);
  description_.bytes.shrink_to_fit();
  digest_ = digest_of(description_.bytes);
  description_.bytes.clear();
  return changed;
}

int Environment::traverse(visitproc visit, void *arg) const {
  for (const Place &place : description_.places)
    for (const Ref *ref : {&place.container, &place.key, &place.value, &place.defaults, &place.keyword_defaults}) Py_VISIT(ref->get());
  for (const Ref &ref : description_.held) Py_VISIT(ref.get());
  return 0;
}

} // namespace asc
