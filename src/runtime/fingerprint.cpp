// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over everything that a compile reads.
#include "runtime/fingerprint.h"
#include "frontend/structures.h"
#include "runtime/arguments.h"

#include "llvm/Support/BLAKE3.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
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
  case Kind::Size: return PyDict_GET_SIZE(container.get()) == size;
  case Kind::Cell: return PyCell_GET(container.get()) == value.get();
  case Kind::Function: {
    auto *function = reinterpret_cast<PyFunctionObject *>(container.get());
    return function->func_code == value.get() && function->func_defaults == defaults.get() &&
           function->func_kwdefaults == keyword_defaults.get() && function->func_annotations == annotations.get() &&
           function->func_dict == attributes.get();
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
/// The kernels that come with pyasc are read like those of users: they change without a new build of the compiler.
bool is_ours(std::string_view module) {
  return starts_with_package(module, "asc") || (starts_with_package(module, "pyasc") && !starts_with_package(module, "pyasc.kernels"));
}

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
  if (is_ours(name) || starts_with_package(name, "numpy") || starts_with_package(name, "ml_dtypes") || starts_with_package(name, "torch") ||
      name == "builtins")
    return true;
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

/// Whether a dictionary is that of a module of the library. The module's name alone says little: functools.wraps copies it to functions
/// of the user.
bool is_library_dict(PyObject *dict) {
  static PyObject *const key = PyUnicode_InternFromString("__name__");
  PyObject *name = PyDict_GetItemWithError(dict, key);
  if (!name || !is_library(text_of(name))) return PyErr_Clear(), false;
  Ref module = Ref::steal(PyImport_GetModule(name));
  return module && PyModule_Check(module.get()) && PyModule_GetDict(module.get()) == dict;
}

bool is_dunder(std::string_view name) { return name.starts_with("__") && name.ends_with("__"); }

class Walk {
public:
  Walk(Description &out, CodeDigests &codes, bool whole_modules) : out_(out), codes_(codes), whole_modules_(whole_modules) {}

  /// Everything that is read from `v` on.
  void all(PyObject *v) {
    value(v);
    attributes_of_modules();
    if (out_.wants_parts) digest_parts();
  }

private:
  Description &out_;
  CodeDigests &codes_;
  std::unordered_map<PyObject *, size_t> seen_;
  std::vector<Ref> temporaries_; // their addresses are in seen_
  unsigned depth_ = 0;

  // Which attributes of modules are read is known when all functions are: every name that one of them uses.
  std::vector<PyObject *> names_;
  std::unordered_set<PyObject *> known_names_;
  bool whole_modules_; // names are computed while compiling (getattr), so all attributes count
  struct Module {
    Ref module;
    size_t names = 0; // of names_ that were looked up
    bool whole = false;
  };
  std::vector<Module> modules_;
  std::unordered_set<PyObject *> known_modules_;

  void value(PyObject *v) {
    if (depth_ >= kMaxDepth) return opaque_object(v, "a value nested more than " + std::to_string(kMaxDepth) + " deep", true);
    ++depth_;
    describe(v);
    --depth_;
  }
  /// An object that only this walk holds.
  void temporary(Ref v) {
    if (!v) return PyErr_Clear(), put('0');
    temporaries_.push_back(v);
    value(v.get());
  }

  // ------------------------------------------------------------ parts, for explanations

  static constexpr size_t kNoPart = ~size_t(0);
  struct Segment {
    size_t part, begin;
  };
  std::vector<Segment> segments_;
  size_t part_ = kNoPart;

  void continue_part(size_t part) {
    part_ = part;
    segments_.push_back({part, out_.bytes.size()});
  }
  /// What `body` writes belongs to a part called `name()`, but for parts within.
  template <class Name, class Body> void part(Name name, Body body) {
    if (!out_.wants_parts) return body();
    const size_t around = part_;
    out_.parts.push_back(name());
    continue_part(out_.parts.size() - 1);
    body();
    continue_part(around);
  }
  void digest_parts() {
    std::vector<std::string> bytes(out_.parts.size());
    for (size_t i = 0; i < segments_.size(); ++i) {
      const size_t end = i + 1 < segments_.size() ? segments_[i + 1].begin : out_.bytes.size();
      if (segments_[i].part != kNoPart) bytes[segments_[i].part].append(out_.bytes, segments_[i].begin, end - segments_[i].begin);
    }
    for (size_t i = 0; i < bytes.size(); ++i) out_.parts[i].digest = digest_of(bytes[i]);
  }

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
  /// An object that cannot be described by value counts by identity; holding it keeps its address taken. Those of Python's own library
  /// that are not described (locks, files) have no value that a kernel could read; others may change unseen.
  void opaque_object(PyObject *v, const std::string &what, bool may_change) {
    if (out_.opaque.empty() || (may_change && !out_.unseen)) out_.opaque = what;
    out_.unseen |= may_change;
    put('?');
    number(reinterpret_cast<uintptr_t>(v));
    out_.held.push_back(Ref::borrow(v));
  }
  void opaque_object(PyObject *v) {
    const std::string module = module_of(Py_TYPE(v)), name = Py_TYPE(v)->tp_name;
    const bool foreign = !is_library(module) || starts_with_package(module, "numpy") || starts_with_package(module, "torch");
    opaque_object(v, "a value of type " + (name.find('.') == name.npos ? module + "." + name : name), foreign);
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
      const size_t around = part_;
      if (out_.wants_parts) continue_part(kNoPart); // the number depends on the other parts
      number(it->second);
      if (out_.wants_parts) continue_part(around);
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

  void function(PyObject *f) {
    auto *fn = reinterpret_cast<PyFunctionObject *>(f);
    if (!enter(f)) return;
    const std::string name = text_of(fn->func_qualname), module = text_of(fn->func_module);
    if (is_library_dict(fn->func_globals)) return tagged('L', text_of(PyDict_GetItemString(fn->func_globals, "__name__")) + "." + name);
    auto *code_object = reinterpret_cast<PyCodeObject *>(fn->func_code);
    auto place_in_file = [&] { return text_of(code_object->co_filename) + ":" + std::to_string(code_object->co_firstlineno); };
    part([&] { return Part{"function " + name + " of module " + module, place_in_file(), {}}; },
         [&] {
           put('F');
           text(text_of(fn->func_name));
           out_.places.push_back({.kind = Place::Kind::Function,
                                  .container = Ref::borrow(f),
                                  .value = Ref::borrow(fn->func_code),
                                  .defaults = Ref::borrow(fn->func_defaults),
                                  .keyword_defaults = Ref::borrow(fn->func_kwdefaults),
                                  .annotations = Ref::borrow(fn->func_annotations),
                                  .attributes = Ref::borrow(fn->func_dict)});
           code(fn->func_code);
           part([&] { return Part{"defaults of " + name, "", {}}; }, [&] { optional(fn->func_defaults), optional(fn->func_kwdefaults); });
           part([&] { return Part{"annotations of " + name, "", {}}; }, [&] { annotations(fn->func_annotations); });
           if (fn->func_dict && PyDict_GET_SIZE(fn->func_dict) > 0) {
             part([&] { return Part{"attributes of " + name, "", {}}; }, [&] { value(fn->func_dict); });
           }
           globals(fn);
           closure(fn, name);
         });
  }

  /// What annotations say: classes by name, all else by value. The dictionary (or tuple, as Python makes it) counts as unchangeable.
  void annotations(PyObject *all) {
    if (!all) return;
    Ref items = PyDict_Check(all) ? Ref::steal(PyDict_Items(all)) : Ref::steal(PySequence_List(all));
    if (!items) return PyErr_Clear();
    auto one = [&](PyObject *v) {
      PyType_Check(v) ? tagged('Y', module_of(reinterpret_cast<PyTypeObject *>(v)) + "." + reinterpret_cast<PyTypeObject *>(v)->tp_name)
                      : value(v);
    };
    temporaries_.push_back(items);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i) {
      PyObject *item = PyList_GET_ITEM(items.get(), i);
      if (!PyTuple_Check(item)) {
        one(item);
        continue;
      }
      one(PyTuple_GET_ITEM(item, 0));
      one(PyTuple_GET_ITEM(item, 1));
    }
  }

  void globals(PyFunctionObject *fn) {
    std::vector<PyObject *> names;
    names_of(reinterpret_cast<PyCodeObject *>(fn->func_code), names);
    PyObject *builtins = fn->func_builtins;
    std::unordered_set<PyObject *> done;
    for (PyObject *name : names) {
      if (!done.insert(name).second) continue;
      add_name(name);
      if (PyObject *v = PyDict_GetItemWithError(fn->func_globals, name)) {
        item(fn->func_globals, name, v, text_of(fn->func_module));
      } else if (PyObject *known = PyDict_Check(builtins) ? PyDict_GetItemWithError(builtins, name) : nullptr) {
        place(fn->func_globals, name, nullptr); // a global of this name would hide the builtin
        if (!PyCFunction_Check(known) && !PyType_Check(known)) item(builtins, name, known, "builtins");
      } else if (Ref module = Ref::steal(PyImport_GetModule(name))) {
        add_module(module.get()); // it may be imported by the function
      }
      PyErr_Clear();
    }
    if (reads_all_names_) whole_dict(fn->func_globals, text_of(fn->func_module));
  }
  bool reads_all_names_ = false; // a function calls globals()

  void add_name(PyObject *name) {
    if (!known_names_.insert(name).second) return;
    names_.push_back(name);
    static constexpr std::string_view kComputed[] = {"getattr", "hasattr", "vars", "dir", "__dict__", "__getattribute__"};
    const std::string text = text_of(name);
    whole_modules_ |= std::find(std::begin(kComputed), std::end(kComputed), text) != std::end(kComputed);
    reads_all_names_ |= text == "globals";
  }
  void add_module(PyObject *module) {
    if (PyModule_Check(module) && !is_ours(module_name(module)) && known_modules_.insert(module).second)
      modules_.push_back({Ref::borrow(module)});
  }

  /// Attributes of modules by the names that functions use; a module has few of them.
  void attributes_of_modules() {
    for (bool more = true; more;) {
      more = false;
      for (size_t i = 0; i < modules_.size(); ++i) {
        const Ref module = modules_[i].module;
        PyObject *dict = PyModule_GetDict(module.get());
        const std::string name = module_name(module.get());
        if (modules_[i].names == 0) { // the first time
          static PyObject *const hook = PyUnicode_InternFromString("__getattr__");
          attribute(dict, hook, name);
          if (Py_TYPE(module.get()) != &PyModule_Type) class_(Py_TYPE(module.get()));
        }
        if (whole_modules_ && !std::exchange(modules_[i].whole, true) && !is_library(name)) whole_dict(dict, name), more = true;
        for (; modules_[i].names < names_.size(); more = true) attribute(dict, names_[modules_[i].names++], name);
      }
    }
  }
  /// Of a library, data only: what its functions and classes do is known by its version.
  void attribute(PyObject *dict, PyObject *name, const std::string &module) {
    PyObject *v = PyDict_GetItemWithError(dict, name);
    if (v && !(is_library(module) && (PyCallable_Check(v) || PyModule_Check(v)))) item(dict, name, v, module);
    PyErr_Clear();
  }
  /// All names of a module but those that Python sets, and whether more are added.
  void whole_dict(PyObject *dict, const std::string &module) {
    out_.places.push_back({.kind = Place::Kind::Size, .container = Ref::borrow(dict), .size = PyDict_GET_SIZE(dict)});
    Ref keys = Ref::steal(PyDict_Keys(dict));
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys.get()); ++i) {
      PyObject *key = PyList_GET_ITEM(keys.get(), i);
      if (PyUnicode_Check(key) && !is_dunder(text_of(key))) attribute(dict, key, module);
    }
    PyErr_Clear();
  }
  static std::string module_name(PyObject *module) {
    Ref name = Ref::steal(PyModule_GetNameObject(module));
    if (!name) PyErr_Clear();
    return text_of(name.get());
  }

  void place(PyObject *dict, PyObject *name, PyObject *v) {
    out_.places.push_back({.kind = Place::Kind::Item, .container = Ref::borrow(dict), .key = Ref::borrow(name), .value = Ref::borrow(v)});
  }
  void item(PyObject *dict, PyObject *name, PyObject *v, const std::string &module) {
    place(dict, name, v);
    part([&] { return Part{"global " + text_of(name) + " of module " + module, short_text(v), {}}; },
         [&] {
           tagged('g', text_of(name));
           value(v);
         });
  }

  void closure(PyFunctionObject *fn, const std::string &function_name) {
    if (!fn->func_closure) return;
    Ref names = Ref::steal(PyCode_GetFreevars(reinterpret_cast<PyCodeObject *>(fn->func_code)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fn->func_closure); ++i) {
      PyObject *cell = PyTuple_GET_ITEM(fn->func_closure, i);
      PyObject *v = PyCell_GET(cell);
      out_.places.push_back({.kind = Place::Kind::Cell, .container = Ref::borrow(cell), .value = Ref::borrow(v)});
      part(
          [&] {
            return Part{"variable " + text_of(PyTuple_GET_ITEM(names.get(), i)) + " around " + function_name, v ? short_text(v) : "", {}};
          },
          [&] {
            put('x');
            optional(v);
          });
    }
  }

  void code(PyObject *object) {
    put('C');
    auto known = codes_.find(object);
    if (known == codes_.end()) {
      Description own;
      Walk walk(own, codes_, false);
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
    if (PyModule_Check(v)) {
      add_module(v);
      return tagged('M', module_name(v));
    }
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
      temporary(plain);
      return other_attributes(
          v, {"fn", "given_options", "default_options", "__name__", "__qualname__", "__module__", "__doc__", "_method", "_is_method"},
          "kernel");
    }
    if (type_attribute(type, "__asc_constexpr__")) {
      put('K');
      out_.changeable = true;
      return temporary(Ref::steal(PyObject_GetAttrString(v, "value")));
    }
    if (is_numpy_array(v)) return array(v);
    if (is_numpy_scalar(v)) return numpy_scalar(v);
    if (is_wrapper(v)) return wrapped(v);
    if (is_ours(module_of(type))) {
      if (type_attribute(type, "__asc_method__")) { // a method that is a kernel
        put('m');
        for (const char *name : {"__func__", "__self__"}) temporary(Ref::steal(PyObject_GetAttrString(v, name)));
        return;
      }
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
    if (enter(v)) items(v);
  }
  void items(PyObject *v) {
    put('d');
    number(uint64_t(PyDict_GET_SIZE(v)));
    PyObject *key, *item;
    for (Py_ssize_t at = 0; PyDict_Next(v, &at, &key, &item);) {
      value(key);
      value(item);
    }
  }
  /// Values that can be members of no cycle: in any order they are the same set.
  static bool is_plain(PyObject *v) {
    if (PyTuple_CheckExact(v)) {
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(v); ++i)
        if (!is_plain(PyTuple_GET_ITEM(v, i))) return false;
      return true;
    }
    return v == Py_None || PyLong_CheckExact(v) || PyBool_Check(v) || PyFloat_CheckExact(v) || PyUnicode_CheckExact(v) ||
           PyBytes_CheckExact(v) || PyComplex_CheckExact(v);
  }
  void set(PyObject *v) {
    if (PySet_Check(v)) out_.changeable = true;
    if (!enter(v)) return;
    put('S');
    std::vector<std::string> plain;
    std::vector<Ref> others;
    Ref iterator = Ref::steal(PyObject_GetIter(v));
    while (Ref item = iterator ? Ref::steal(PyIter_Next(iterator.get())) : Ref()) {
      if (!is_plain(item.get())) {
        others.push_back(item);
        continue;
      }
      Description one;
      Walk(one, codes_, false).value(item.get());
      plain.push_back(std::move(one.bytes));
    }
    PyErr_Clear();
    std::sort(plain.begin(), plain.end());
    for (const std::string &part : plain) text(part);
    number(others.size());
    for (const Ref &other : others) temporary(other); // in the order of the set
  }
  void builtin(PyObject *v) {
    Ref name = Ref::steal(PyObject_GetAttrString(v, "__qualname__")), module = Ref::steal(PyObject_GetAttrString(v, "__module__"));
    PyErr_Clear();
    tagged('B', text_of(module.get()) + "." + text_of(name.get()));
    if (PyObject *self = PyCFunction_GET_SELF(v); self && !PyModule_Check(self)) value(self);
  }
  static bool is_wrapper(PyObject *v) {
    return PyObject_TypeCheck(v, &PyProperty_Type) || PyObject_TypeCheck(v, &PyStaticMethod_Type) ||
           PyObject_TypeCheck(v, &PyClassMethod_Type);
  }
  /// property, staticmethod, classmethod of a class: the functions inside.
  void wrapped(PyObject *v) {
    put('w');
    for (const char *name : {"__func__", "fget"}) temporary(Ref::steal(PyObject_GetAttrString(v, name)));
  }

  // ------------------------------------------------------------ classes and instances

  static bool is_enum_class(PyTypeObject *type) {
    return type_attribute(type, "_member_map_") && std::string_view(Py_TYPE(type)->tp_name) == "EnumType";
  }
  void name_and_value(PyObject *member) {
    for (const char *name : {"_name_", "_value_"}) temporary(Ref::steal(PyObject_GetAttrString(member, name)));
  }
  void enum_member(PyObject *v) {
    put('e');
    class_(Py_TYPE(v));
    name_and_value(v);
  }
  /// Members do not change, as a rule: what they have besides name and value is watched instead of read at every launch.
  void enum_class(PyTypeObject *type) {
    PyObject *key, *item;
    PyObject *members = type_attribute(type, "_member_map_");
    if (PyDict_Check(members))
      for (Py_ssize_t at = 0; PyDict_Next(members, &at, &key, &item);) {
        name_and_value(item);
        other_attributes(item, {"_name_", "__objclass__", "_sort_order_"}, type->tp_name);
      }
    watched(type->tp_dict, type->tp_name, [&](PyObject *name) {
      return !text_of(name).starts_with("_") && !(PyDict_Check(members) && PyDict_Contains(members, name) == 1);
    });
  }

  /// Attributes of an object besides those that it always has.
  void other_attributes(PyObject *v, std::initializer_list<std::string_view> usual, const std::string &owner) {
    Ref dict = Ref::steal(PyObject_GenericGetDict(v, nullptr));
    if (!dict) return PyErr_Clear();
    watched(dict.get(), owner, [&](PyObject *name) { return std::find(usual.begin(), usual.end(), text_of(name)) == usual.end(); });
  }
  template <class Wanted> void watched(PyObject *dict, const std::string &owner, Wanted wanted) {
    out_.places.push_back({.kind = Place::Kind::Size, .container = Ref::borrow(dict), .size = PyDict_GET_SIZE(dict)});
    PyObject *key, *v;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &v);)
      if (wanted(key)) {
        place(dict, key, v);
        part([&] { return Part{"attribute " + text_of(key) + " of " + owner, short_text(v), {}}; },
             [&] { tagged('a', text_of(key)), value(v); });
      }
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
    if (Py_TYPE(type) != &PyType_Type) class_(Py_TYPE(type)); // a metaclass
    layout(type);
    PyObject *key, *item;
    for (Py_ssize_t at = 0; PyDict_Next(type->tp_dict, &at, &key, &item);) {
      std::string name = text_of(key);
      if (name == "__dict__" || name == "__weakref__" || name == "__module__" || name == "_abc_impl" || name == "__asc_layout__") continue;
      text(name);
      value(item);
    }
  }

  /// What the annotations of a structure class stand for: their text alone says little. Defaults are read with the class.
  void layout(PyTypeObject *type) {
    const StructLayout *layout = nullptr;
    try {
      layout = find_layout(type);
    } catch (nb::python_error &) {
    } // an annotation that cannot be read; who uses the class is told
    if (!layout) return;
    put('S');
    text(layout->problem);
    text(layout->no_constructor);
    number(layout->pack);
    text(layout->header);
    number(layout->frozen);
    number(layout->fields.size());
    for (const StructLayout::Field &field : layout->fields) {
      text(field.text);
      text(field.ascendc);
      number(uint64_t(field.dtype));
      number(field.keyword_only | field.in_constructor << 1 | field.is_factory << 2 | bool(field.otherwise) << 3);
      optional(field.type.ptr());
    }
  }

  /// An instance of a Python class: its class, what it inherits from a builtin, its attributes and slots.
  void instance(PyObject *v) {
    out_.changeable = true;
    if (enter(v)) content(v);
  }
  void content(PyObject *v) {
    PyTypeObject *type = Py_TYPE(v);
    bool described = is_numpy_array(v);
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
    bool plain = is_python_class(type);
    if (plain && PyDict_Check(v)) items(v), described = true;
    if (plain && PyAnySet_Check(v))
      temporary(Ref::steal(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject *>(&PyFrozenSet_Type), v, nullptr))), described = true;
    plain &= slots(v, described);
    if (!plain) return reduced(v);
    Ref attributes = Ref::steal(PyObject_GenericGetDict(v, nullptr));
    if (attributes) return value(attributes.get());
    PyErr_Clear(); // only slots
  }
  /// The slots of all its classes; false when it also inherits from a class in C whose content is not described yet.
  bool slots(PyObject *v, bool described) {
    PyTypeObject *type = Py_TYPE(v);
    PyObject *mro = type->tp_mro;
    bool plain = true;
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
          temporary(held);
        }
    }
    return plain;
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

  /// An instance of a class in C: its bytes when it is a buffer, a view as what it shows, else what pickle would keep when the class is of
  /// the library: parts, or the name of a module's attribute.
  void reduced(PyObject *v) {
    if (PyObject_CheckBuffer(v)) return buffer(v);
    if (PyDictViewSet_Check(v) || PyDictValues_Check(v)) return temporary(Ref::steal(PySequence_List(v)));
    if (Py_TYPE(v) == &PyDictProxy_Type) return temporary(Ref::steal(PyObject_CallMethod(v, "copy", nullptr)));
    if (Ref wrapped = Ref::steal(PyObject_GetAttrString(v, "__wrapped__"))) return temporary(wrapped); // functools.lru_cache
    PyErr_Clear();
    const std::string module = module_of(Py_TYPE(v));
    Ref parts = is_library(module) ? Ref::steal(PyObject_CallMethod(v, "__reduce_ex__", "i", 4)) : Ref();
    PyErr_Clear();
    if (parts && PyUnicode_Check(parts.get())) return tagged('B', module + "." + text_of(parts.get()));
    if (!parts || !PyTuple_Check(parts.get())) return opaque_object(v);
    put('R');
    temporaries_.push_back(parts);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parts.get()); ++i) {
      PyObject *part = PyTuple_GET_ITEM(parts.get(), i);
      temporary(PyIter_Check(part) ? Ref::steal(PySequence_List(part)) : Ref::borrow(part));
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
    if (!enter(v)) return;
    for (const char *name : {"dtype", "shape"}) {
      Ref part = Ref::steal(PyObject_GetAttrString(v, name));
      PyErr_Clear();
      if (part) representation('a', part.get());
    }
    if (holds_objects(v))
      temporary(Ref::steal(PyObject_CallMethod(v, "tolist", nullptr)));
    else
      bytes_of(v);
    if (is_python_class(Py_TYPE(v))) content(v);
  }
  void numpy_scalar(PyObject *v) {
    Ref dtype = Ref::steal(PyObject_GetAttrString(v, "dtype"));
    PyErr_Clear();
    if (!dtype) return opaque_object(v);
    representation('n', dtype.get());
    bytes_of(v);
  }
  void buffer(PyObject *v) {
    Py_buffer view;
    if (PyObject_GetBuffer(v, &view, PyBUF_FULL_RO) == 0) {
      text(view.format ? view.format : "B");
      number(uint64_t(view.ndim));
      for (int i = 0; i < view.ndim && view.shape; ++i) number(uint64_t(view.shape[i]));
      PyBuffer_Release(&view);
    }
    PyErr_Clear();
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

bool has_short_text(PyObject *v) {
  if (PyTuple_CheckExact(v) || PyList_CheckExact(v)) {
    if (PySequence_Fast_GET_SIZE(v) > 8) return false;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(v); ++i) {
      PyObject *element = PySequence_Fast_ITEMS(v)[i];
      if (PyList_CheckExact(element) || PyTuple_CheckExact(element) || !has_short_text(element)) return false;
    }
    return true;
  }
  if (PyUnicode_CheckExact(v)) return PyUnicode_GET_LENGTH(v) <= 60;
  if (PyLong_CheckExact(v)) return _PyLong_NumBits(v) <= 200;
  return v == Py_None || PyBool_Check(v) || PyFloat_CheckExact(v) || is_numpy_scalar(v) || is_ours(module_of(Py_TYPE(v)));
}

} // namespace

void describe(PyObject *value, Description &out, CodeDigests &codes) {
  // The functions that read a module are known for a function only.
  const bool whole_modules = !PyFunction_Check(value) && !type_attribute(Py_TYPE(value), "__asc_jit__");
  Walk(out, codes, whole_modules).all(value);
}

std::string short_text(PyObject *value) {
  Ref repr = has_short_text(value) && !type_attribute(Py_TYPE(value), "__asc_jit__") ? Ref::steal(PyObject_Repr(value)) : Ref();
  PyErr_Clear();
  return repr ? text_of(repr.get()) : "";
}

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

void Environment::refresh() {
  Description again;
  again.wants_parts = true;
  describe(function_, again, codes_);
  description_ = std::move(again);
  digest_ = digest_of(description_.bytes);
  description_.bytes = {};
  parts_ = std::make_shared<const std::vector<Part>>(std::exchange(description_.parts, {}));
}

int Environment::traverse(visitproc visit, void *arg) const {
  for (const Place &place : description_.places)
    for (const Ref *ref :
         {&place.container, &place.key, &place.value, &place.defaults, &place.keyword_defaults, &place.annotations, &place.attributes})
      Py_VISIT(ref->get());
  for (const Ref &ref : description_.held) Py_VISIT(ref.get());
  return 0;
}

} // namespace asc
