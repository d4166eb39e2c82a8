// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's own functions and classes: those that make sense on static values run as they are, a few of them know run-time values too.
#include "frontend/api_call.h"
#include "frontend/printing.h"
#include "frontend/structures.h"
#include "frontend/translator.h"

#include <algorithm>

namespace asc {

/// Builtins that may be named in a kernel. They are pure and end quickly; sizes of what they go through are bounded before they are called.
// clang-format off: a list
static constexpr std::string_view kBuiltins[] = {
    "abs", "all", "any", "ascii", "bin", "bool", "breakpoint", "bytes", "callable", "chr", "complex", "dict", "divmod", "enumerate", "float",
    "frozenset", "getattr", "hasattr", "hash", "hex", "int", "isinstance", "issubclass", "len", "list", "max", "min", "oct", "ord", "pow",
    "print", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str", "sum", "tuple", "type", "zip", "ArithmeticError",
    "AssertionError", "Exception", "Ellipsis", "NotImplemented", "RuntimeError", "TypeError", "ValueError", "object", "__debug__",
    "__name__", "__file__"};
// clang-format on

/// What may be meant by a name that nothing has: the API of that name, or a variable, global or builtin with a name like it.
static std::string nearest_name(const Frame &frame, const std::string &name) {
  if (nb::hasattr(nb::module_::import_("asc"), name.c_str())) return "did you mean asc." + name + "?";
  std::vector<std::string_view> words(std::begin(kBuiltins), std::end(kBuiltins));
  for (const Frame *f = &frame; f; f = f->enclosing)
    for (const auto &slot : f->slots) words.push_back(text(slot.first));
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(frame.globals, &at, &key, &value);)
    if (PyUnicode_Check(key)) words.push_back(text(key));
  const std::string near = nearest(name, words);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

nb::object Translator::builtin(std::string_view name, PyObject *node) {
  nb::object builtins = nb::module_::import_("builtins");
  bool exists = nb::hasattr(builtins, nb::str(name.data(), name.size()));
  if (std::find(std::begin(kBuiltins), std::end(kBuiltins), name) != std::end(kBuiltins) && exists)
    return builtins.attr(nb::str(name.data(), name.size()));
  std::string shown(name);
  if (exists) {
    throw c.error("L110", "Python's " + shown + " cannot be used in a kernel",
                  name == "super" ? "name the class: Base.method(self, ...)" : "compute it on the host and pass the result as an argument",
                  node);
  }
  throw c.error("L102", "there is no variable, global or builtin '" + shown + "'", nearest_name(*frame, shown), node);
}

std::string_view builtin_name(nb::handle callee) {
  if (PyCFunction_Check(callee.ptr())) return reinterpret_cast<PyCFunctionObject *>(callee.ptr())->m_ml->ml_name;
  const bool type = PyType_Check(callee.ptr()) && !(reinterpret_cast<PyTypeObject *>(callee.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE);
  return type ? reinterpret_cast<PyTypeObject *>(callee.ptr())->tp_name : std::string_view();
}

bool has_run_time(nb::handle value, unsigned depth) {
  if (as_run_time(value)) return true;
  PyObject *p = value.ptr();
  if (PyDict_CheckExact(p)) return has_run_time(nb::borrow<nb::dict>(value).values(), depth + 1);
  if (Py_TYPE(p) == &PyDictValues_Type || Py_TYPE(p) == &PyDictItems_Type) return has_run_time(nb::list(value), depth + 1);
  if (depth > 20 || !(PyTuple_CheckExact(p) || PyList_CheckExact(p))) return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(p); ++i)
    if (has_run_time(PySequence_Fast_GET_ITEM(p, i), depth + 1)) return true;
  return false;
}

std::optional<nb::object> Translator::call_builtin(std::string_view name, const Arguments &arguments) {
  auto argument = [&](size_t i) -> const nb::object & { return arguments[i].value; };
  size_t count = arguments.size();
  bool run_time = std::any_of(arguments.begin(), arguments.end(), [](const Argument &a) { return has_run_time(a.value); });
  auto positional = [&](size_t least, size_t most) {
    bool keywords = std::any_of(arguments.begin(), arguments.end(), [](const Argument &a) { return a.keyword; });
    if (keywords || count < least || count > most)
      throw c.error("L401", std::string(name) + "() takes " + std::to_string(least) + (most > least ? " or more" : "") +
                                " positional arguments here");
  };
  if (name == "range") {
    if (std::optional<Number> step = count == 3 ? number_of(argument(2)) : std::nullopt;
        step && step->kind != Number::Kind::Float && step->integer == 0)
      throw c.error("T111", std::string(kNoStep), std::string(kStepHelp), arguments[2].node);
    if (!run_time) return std::nullopt;
    positional(1, 3);
    LoopRange range;
    range.start = count > 1 ? argument(0) : nb::object(nb::int_(0));
    range.stop = count > 1 ? argument(1) : argument(0);
    range.step = count > 2 ? argument(2) : nb::object(nb::int_(1));
    return nb::cast(std::move(range));
  }
  if (name == "print") {
    print_function(c, arguments);
    return nb::none();
  }
  if (name == "breakpoint" && !run_time) return breakpoint(arguments);
  if (!run_time) return std::nullopt;
  if (name == "len" && count == 1)
    if (auto *array = as<Array>(argument(0))) return nb::int_(length_of(*array));
  if (auto *structure = count > 0 ? as<Structure>(argument(0)) : nullptr) {
    if (name == "type" && count == 1) return structure->cls;
    if (name == "isinstance" && count == 2) {
      int is = PyObject_IsSubclass(structure->cls.ptr(), argument(1).ptr());
      if (is < 0) throw nb::python_error();
      return nb::bool_(is != 0);
    }
  }
  if ((name == "str" || name == "repr") && count == 1) return shown_value(c, argument(0), arguments[0].node);
  if (name == "max" || name == "min") {
    positional(1, SIZE_MAX);
    std::vector<nb::object> values;
    if (count == 1) {
      values = elements(argument(0), arguments[0].node);
      if (values.empty()) throw c.error("T106", std::string(name) + " of nothing", "give it at least one number");
    } else {
      for (const Argument &a : arguments) values.push_back(a.value);
    }
    nb::object best = values[0];
    for (size_t i = 1; i < values.size(); ++i) {
      if (as_run_time(best) || as_run_time(values[i])) {
        best = extremum(c, name == "max", best, values[i]);
        continue;
      }
      bool better = truth(c, compare(c, name == "max" ? Syntax::Gt : Syntax::Lt, values[i], best)).known.value_or(false);
      if (better) best = values[i];
    }
    return best;
  }
  if (name == "sum") {
    positional(1, 2);
    nb::object total = count > 1 ? argument(1) : nb::object(nb::int_(0));
    bool first = count == 1;
    for (nb::object &element : elements(argument(0), arguments[0].node)) {
      total = first ? element : binary(c, Syntax::Add, total, element);
      first = false;
    }
    return total;
  }
  if (name == "any" || name == "all") {
    positional(1, 1);
    nb::object found = nb::bool_(name == "all");
    for (nb::object &element : elements(argument(0), arguments[0].node)) {
      Truth value = truth(c, element);
      nb::object as_bool = value.known ? nb::object(nb::bool_(*value.known)) : c.make_scalar(value.ir, DType::Bool);
      found = binary(c, name == "any" ? Syntax::BitOr : Syntax::BitAnd, found, as_bool);
    }
    return found;
  }
  if (name == "len" || name == "tuple" || name == "list" || name == "enumerate" || name == "zip" || name == "reversed" ||
      name == "isinstance" || name == "type" || name == "repr" || name == "str" || name == "callable" || name == "dict" ||
      name == "hasattr") {
    // They look at containers and objects, not at the numbers inside.
    if (count > 0 && as_run_time(argument(0)) &&
        (name == "len" || name == "tuple" || name == "list" || name == "enumerate" || name == "reversed" || name == "zip"))
      throw c.error("T106", std::string(name) + " does not take " + describe(argument(0)),
                    name == "len" && (as<LocalTensor>(argument(0)) || as<GlobalTensor>(argument(0))) ? "write t.get_size()"
                    : as<PlainValue>(argument(0))                                                    ? "a number has no elements"
                                                                                                     : help_for(argument(0)),
                    arguments[0].node);
    return std::nullopt;
  }
  if (name == "getattr") {
    positional(2, 3);
    if (as_run_time(argument(0)) && PyUnicode_Check(argument(1).ptr())) return attribute_of(c, argument(0), text(argument(1)));
    return std::nullopt;
  }
  if (name == "abs" || name == "bool" || name == "int" || name == "float") {
    positional(1, 1);
    auto *plain = as<PlainValue>(argument(0));
    if (name == "bool" && as_run_time(argument(0))) return c.make_scalar(truth(c, argument(0)).ir, DType::Bool);
    if (!plain) {
      const bool tensor = as<LocalTensor>(argument(0)) || as<GlobalTensor>(argument(0));
      throw c.error("T106", std::string(name) + " does not take " + describe(argument(0)),
                    tensor ? "one element of a tensor is t.get_value(index)" : help_for(argument(0)), arguments[0].node);
    }
    if (name == "abs") return absolute(c, argument(0));
    bool real = info(plain->dtype).is_float;
    DType dtype = plain->dtype;
    if (name == "int" && (real || dtype == DType::Bool)) dtype = DType::Int32;
    if (name == "float" && (!real || size_of(dtype) < size_of(DType::Float32))) dtype = DType::Float32;
    return c.make_scalar(cast(c, c.use(*plain), plain->dtype, dtype), dtype);
  }
  if (name == "divmod") {
    positional(2, 2);
    return nb::make_tuple(binary(c, Syntax::FloorDiv, argument(0), argument(1)), binary(c, Syntax::Mod, argument(0), argument(1)));
  }
  if (name == "pow") {
    positional(2, 2);
    return binary(c, Syntax::Pow, argument(0), argument(1));
  }
  for (const Argument &a : arguments)
    if (has_run_time(a.value))
      throw c.not_known("an argument of " + std::string(name) + "()", a.value, "compute it on the host and pass the result as an argument",
                        a.node);
  return std::nullopt;
}

/// Containers of built-in types whose methods may change them.
static bool changes_self(nb::handle self, std::string_view method) {
  // clang-format off: a list
  static constexpr std::string_view kChanging[] = {
      "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "popitem", "setdefault", "add", "discard",
      "difference_update", "intersection_update", "symmetric_difference_update", "fromkeys"};
  // clang-format on
  bool container = PyList_Check(self.ptr()) || PyDict_Check(self.ptr()) || PyAnySet_Check(self.ptr()) || PyByteArray_Check(self.ptr());
  return container && std::find(std::begin(kChanging), std::end(kChanging), method) != std::end(kChanging);
}

nb::object Translator::construct(nb::handle type, Arguments arguments, PyObject *node) {
  static PyObject *const init = PyUnicode_InternFromString("__init__"), *const jit = PyUnicode_InternFromString("__asc_jit__");
  PyObject *found = _PyType_Lookup(reinterpret_cast<PyTypeObject *>(type.ptr()), init);
  if (!found || !_PyType_Lookup(Py_TYPE(found), jit)) return {};
  nb::object made = type.attr("__new__")(type);
  c.created(made);
  arguments.insert(arguments.begin(), {made, node});
  call_jit(found, std::move(arguments), node);
  return made;
}

/// What a method of a str or bytes makes is bounded before it is made.
static void check_text_size(const Compilation &c, nb::handle self, std::string_view method, const nb::list &positional,
                            const nb::dict &keywords) {
  if (PyUnicode_Check(self.ptr()) && (method == "format" || method == "format_map" || method == "__format__")) {
    nb::list values(positional);
    for (auto [key, value] : keywords) values.append(value);
    check_widths(c, text(self), values);
  }
  if (positional.size() == 0) return;
  const double own = double(nb::len(self));
  double made = 0;
  const auto length = [](nb::handle value) { return PySequence_Check(value.ptr()) ? double(PyObject_Size(value.ptr())) : 0.0; };
  if (method == "replace" && positional.size() > 1) made = (own + 1) * length(positional[1]);
  if (method == "expandtabs") made = number_of(positional[0]) ? own * double(number_of(positional[0])->integer) : 0;
  if (method == "translate" && PyDict_Check(nb::handle(positional[0]).ptr()))
    for (auto [key, value] : nb::borrow<nb::dict>(positional[0])) made = std::max(made, own * length(value));
  if (method == "join" && PySequence_Check(nb::handle(positional[0]).ptr()))
    for (nb::handle part : nb::object(positional[0])) made += length(part) + own;
  if (made > 1 << 24) throw c.error("L203", std::string(method) + " makes a text that is too long");
}

nb::object Translator::call_python(nb::handle callee, const Arguments &arguments, PyObject *node) {
  PyObject *func = field(node, Child::func);
  std::string callee_name = describe(callee);
  nb::handle changed;                                      // the list, dict or set that a method changes
  if (PyMethod_Check(callee.ptr()) && arguments.empty()) { // asc.FixpipeConfig.cfg_nz()
    nb::object self = callee.attr("__self__");
    if (PyType_Check(self.ptr()) && text(self.attr("__module__")) == "asc.language.core.types") return callee();
  }
  if (PyFunction_Check(callee.ptr()) || PyMethod_Check(callee.ptr())) {
    std::string shown(text(callee.attr("__name__")));
    throw c.error("L108", shown + "() is a plain Python function",
                  shown == "set_trace"
                      ? "write breakpoint()"
                      : "decorate it with @asc.jit, or call it on the host and pass the result as an asc.ConstExpr parameter",
                  func);
  }
  if (nb::hasattr(callee, "__self__") && as<DataType>(callee.attr("__self__"))) { // asc.float16.sizeof()
    if (!arguments.empty())
      throw c.error("L401", std::string(text(callee.attr("__name__"))) + "() takes no arguments", {}, arguments[0].node);
    return callee();
  }
  if (PyType_Check(callee.ptr())) {
    std::string_view type(reinterpret_cast<PyTypeObject *>(callee.ptr())->tp_name);
    if (const Class *type = find_class(callee)) {
      if (!type->constructor) throw c.error("L108", callee_name + " cannot be made in a kernel", std::string(type->instead), func);
      std::vector<Argument> bound = bind_arguments(c, type->name, type->constructor->signature, arguments);
      return type->constructor->call(c, {}, bound);
    }
    if (nb::object made = construct(callee, arguments, node)) return made;
    if (const StructLayout *layout = find_layout(reinterpret_cast<PyTypeObject *>(callee.ptr())); layout && layout->problem.empty())
      return construct_structure(c, *layout, arguments);
    // Other classes written in Python may hold run-time values: the parameter structures do.
    const bool builtin = !(reinterpret_cast<PyTypeObject *>(callee.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE);
    if (std::optional<nb::object> result = builtin ? call_builtin(type, arguments) : std::nullopt) return *result;
    callee_name = std::string(type);
  } else if (PyCFunction_Check(callee.ptr())) {
    std::string_view name(reinterpret_cast<PyCFunctionObject *>(callee.ptr())->m_ml->ml_name);
    nb::handle self(PyCFunction_GET_SELF(callee.ptr()));
    callee_name = std::string(name);
    if (self.ptr() && PyModule_Check(self.ptr())) {
      std::string module(text(self.attr("__name__")));
      if (module == "math") {
        static constexpr std::string_view kGrowing[] = {"factorial", "comb", "perm"};
        bool growing = std::find(std::begin(kGrowing), std::end(kGrowing), name) != std::end(kGrowing);
        for (const Argument &argument : arguments) {
          if (has_run_time(argument.value))
            throw c.not_known("an argument of math." + callee_name + "()", argument.value,
                              "compute it on the host and pass the result as an argument", argument.node);
          std::optional<Number> number = growing ? number_of(argument.value) : std::nullopt;
          if (number && (!number->fits || number->integer > 1000))
            throw c.error("L203", "math." + callee_name + " of so large a number", "numbers up to 1000 are computed while compiling",
                          argument.node);
        }
      } else if (module != "builtins") {
        const std::string known_as = module.substr(0, module.find("._")); // numpy, not numpy._core._multiarray_umath
        throw c.error("L108", known_as + "." + callee_name + "() cannot be called in a kernel",
                      "call it on the host and pass the result as an asc.ConstExpr parameter", func);
      } else if (std::optional<nb::object> result = call_builtin(name, arguments)) {
        return *result;
      }
    } else {
      static constexpr PyTypeObject *kTypes[] = {&PyUnicode_Type, &PyBytes_Type, &PyLong_Type, &PyFloat_Type, &PyList_Type,
                                                 &PyTuple_Type,   &PyDict_Type,  &PySet_Type,  &PyRange_Type};
      bool known = std::any_of(std::begin(kTypes), std::end(kTypes),
                               [&](PyTypeObject *type) { return self.ptr() && PyObject_TypeCheck(self.ptr(), type); });
      if (!known || name.starts_with("__"))
        throw c.error("L108", callee_name + "() cannot be called in a kernel",
                      "call it on the host and pass the result as an asc.ConstExpr parameter", func);
      if (changes_self(self, name)) c.check_changeable(changed = self);
    }
  } else {
    if (nb::hasattr(callee, "__name__")) callee_name = std::string(text(nb::str(callee.attr("__name__")))) + "()";
    if (as_dtype(callee))
      throw c.error("L108", callee_name + " cannot be called in a kernel", "write asc.number(value, dtype) or x.cast(dtype)", func);
    throw c.error("L108", callee_name + " cannot be called in a kernel",
                  "call APIs, functions decorated with @asc.jit, classes, Python's builtins and math; compute the rest on the host", func);
  }

  // What a builtin goes through is bounded, so that compiling always ends.
  for (const Argument &argument : arguments) {
    Py_ssize_t length = PyRange_Check(argument.value.ptr()) ? PyObject_Size(argument.value.ptr()) : 0;
    bool huge = length < 0 || uint64_t(length) > c.options.step_limit;
    if (length < 0) PyErr_Clear();
    bool counts = callee_name == "len" || callee_name == "isinstance" || callee_name == "range" || callee_name == "type" ||
                  callee_name == "enumerate" || callee_name == "zip" || callee_name == "reversed" || callee_name == "repr" ||
                  callee_name == "str" || callee_name == "bool";
    if (huge && !counts)
      throw c.error("L202", callee_name + " goes through more than " + std::to_string(c.options.step_limit) + " elements",
                    "compute it on the host and pass the result as an argument", argument.node);
  }
  if (callee_name == "pow" && arguments.size() == 2) return binary(c, Syntax::Pow, arguments[0].value, arguments[1].value);
  bool sized = callee_name == "bytes" || callee_name == "bytearray" || callee_name == "ljust" || callee_name == "rjust" ||
               callee_name == "center" || callee_name == "zfill" || callee_name == "to_bytes";
  for (const Argument &argument : arguments)
    if (std::optional<Number> size = sized ? number_of(argument.value) : std::nullopt; size && (!size->fits || size->integer > 1 << 20))
      throw c.error("L203", callee_name + " makes more than 1048576 elements",
                    "make it on the host; data that the kernel works on belongs into arrays", argument.node);

  nb::list positional;
  nb::dict keywords;
  for (const Argument &argument : arguments) {
    if (argument.keyword)
      keywords[nb::borrow(argument.keyword)] = argument.value;
    else
      positional.append(argument.value);
  }
  if (nb::object self = nb::getattr(callee, "__self__", nb::none()); PyUnicode_Check(self.ptr()) || PyBytes_Check(self.ptr()))
    check_text_size(c, self, callee_name, positional, keywords);
  if (callee_name == "sum" && positional.size() + keywords.size() == 2 && PyList_Check(arguments[0].value.ptr()) &&
      PyList_GET_SIZE(arguments[0].value.ptr()) > 4096 && !number_of(arguments[1].value))
    throw c.error("L203", "sum joins more than 4096 sequences one by one", "write a comprehension", arguments[0].node);
  nb::object result = nb::steal(PyObject_Call(callee.ptr(), nb::tuple(positional).ptr(), keywords.ptr()));
  if (!result) throw nb::python_error();
  if (changed.ptr()) bounded(c, nb::borrow(changed)); // list.extend
  result = bounded(c, std::move(result));
  if (Py_REFCNT(result.ptr()) == 1) c.created(result); // nobody else has it: it is new
  return result;
}

} // namespace asc
