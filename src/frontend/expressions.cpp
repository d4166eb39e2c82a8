// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions: a Python object for what is known while compiling, a run-time value otherwise.
#include "frontend/printing.h"
#include "frontend/structures.h"
#include "frontend/suspicious.h"
#include "frontend/translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace asc {

nb::object Translator::evaluate(PyObject *node) {
  At at(c, node);
  Deeper deeper(c);
  try {
    return evaluate_node(node);
  } catch (nb::python_error &error) {
    throw c.failed_in_python(error, node);
  }
}

nb::object Translator::evaluate_node(PyObject *node) {
  Syntax syntax = syntax_of(node);
  switch (syntax) {
  case Syntax::Constant: return nb::borrow(field(node, Child::value));
  case Syntax::Name: return load_name(node);
  case Syntax::Attribute: return attribute(node);
  case Syntax::Call: return call(node);
  case Syntax::BinOp: {
    nb::object lhs = evaluate(field(node, Child::left)), rhs = evaluate(field(node, Child::right));
    return binary(c, syntax_of(field(node, Child::op)), lhs, rhs);
  }
  case Syntax::UnaryOp: {
    nb::object operand = evaluate(field(node, Child::operand));
    return unary(c, syntax_of(field(node, Child::op)), operand);
  }
  case Syntax::Compare: return comparison(node);
  case Syntax::BoolOp: return boolean(node, 0, /*wanted=*/node != dropped);
  case Syntax::IfExp: return conditional(node);
  case Syntax::Subscript: return subscript(node);
  case Syntax::Tuple:
  case Syntax::List:
  case Syntax::Set:
  case Syntax::Dict: return display(node);
  case Syntax::Slice: {
    auto part = [&](Child which) { return field(node, which) == Py_None ? nb::object(nb::none()) : evaluate(field(node, which)); };
    nb::object lower = part(Child::lower), upper = part(Child::upper), step = part(Child::step);
    return nb::steal(PySlice_New(lower.ptr(), upper.ptr(), step.ptr()));
  }
  case Syntax::Lambda: return closure(node);
  case Syntax::NamedExpr: {
    nb::object value = evaluate(field(node, Child::value));
    assign_name(field(field(node, Child::target), Child::id), value);
    return value;
  }
  case Syntax::ListComp:
  case Syntax::SetComp:
  case Syntax::DictComp: return comprehension(node);
  case Syntax::JoinedStr:
  case Syntax::FormattedValue: return formatted(node);
  default: refuse(node);
  }
}

// ---------------------------------------------------------------- names and attributes

bool is_constexpr(nb::handle object) {
  static PyObject *const attribute = PyUnicode_InternFromString("__asc_constexpr__");
  PyTypeObject *type = Py_TYPE(object.ptr());
  return (type->tp_flags & Py_TPFLAGS_HEAPTYPE) && _PyType_Lookup(type, attribute);
}

nb::object unwrapped(nb::object object) {
  while (is_constexpr(object)) object = object.attr("value");
  return object;
}

static DiagnosticError used_too_early(const Compilation &c, const std::string &name) {
  return c.error("L101", "'" + name + "' is used before it is assigned", "give it a value first: " + name + " = ...");
}

nb::object Translator::load_name(PyObject *node) {
  PyObject *name = field(node, Child::id);
  std::string shown(text(name));
  const std::vector<std::shared_ptr<Scope>> *scopes = &frame->scopes;
  for (Frame *f = frame;; scopes = &f->outer_scopes, f = f->enclosing) {
    for (size_t i = scopes->size(); i-- > 0;) {
      auto found = (*scopes)[i]->find(name);
      if (found == (*scopes)[i]->end()) continue;
      if (!found->second) throw used_too_early(c, shown);
      return unwrapped(found->second);
    }
    if (auto found = f->slots.find(name); found != f->slots.end()) {
      const Variable &variable = f->variables[found->second];
      if (variable.value) return unwrapped(variable.value);
      if (!variable.why) throw used_too_early(c, shown);
      Diagnostic d = *variable.why;
      d.span = c.span(node);
      throw DiagnosticError(std::move(d));
    }
    if (f->enclosing) continue;
    if (auto found = f->cells.find(name); found != f->cells.end()) {
      PyObject *value = PyCell_GET(found->second);
      if (!value) throw c.error("L101", "'" + shown + "' of the enclosing function has no value yet");
      return unwrapped(nb::borrow(value));
    }
    break;
  }
  if (PyObject *value = PyDict_GetItemWithError(frame->globals, name)) return unwrapped(nb::borrow(value));
  if (PyErr_Occurred()) throw nb::python_error();
  return builtin(shown, node);
}

/// What to write instead of a name that a module or class does not have: the same letters in another style (DataCopy), or a name like it.
static std::string nearest_attribute(nb::handle object, std::string_view owner, std::string_view name) {
  const auto letters = [](std::string_view s) {
    std::string result;
    for (char c : s)
      if (c != '_') result += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return result;
  };
  nb::object names = nb::steal(PyObject_Dir(object.ptr()));
  if (!names.is_valid()) throw nb::python_error();
  std::string found;
  for (nb::handle candidate : names)
    if (letters(text(candidate)) == letters(name)) found = text(candidate);
  if (found.empty()) {
    std::vector<std::string_view> words;
    for (nb::handle candidate : names) words.push_back(text(candidate));
    found = nearest(name, words);
  }
  return found.empty() ? "dir(" + std::string(owner) + ") lists the names there are"
                       : "did you mean " + std::string(owner) + "." + found + "?";
}

nb::object Translator::attribute_name(PyObject *node) const {
  nb::object name = nb::borrow(field(node, Child::attr));
  const std::string_view shown = text(name), owner = frame->class_name;
  if (owner.empty() || !shown.starts_with("__") || shown.ends_with("__")) return name;
  return nb::str(("_" + std::string(owner) + std::string(shown)).c_str());
}

nb::object Translator::attribute(PyObject *node) {
  nb::object object = evaluate(field(node, Child::value)), name = attribute_name(node);
  if (as_run_time(object)) return attribute_of(c, object, text(name));
  nb::object value = nb::steal(PyObject_GetAttr(object.ptr(), name.ptr()));
  if (value) return unwrapped(value);
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
  nb::python_error cause;
  std::string shown(text(name)), owner = describe(object), help;
  const bool module = PyModule_Check(object.ptr());
  if (module || PyType_Check(object.ptr())) {
    std::string owner_name(text(object.attr("__name__")));
    help = nearest_attribute(object, owner_name, shown);
    if (module) owner = "module '" + owner_name + "'";
  } else {
    c.cause = exception_of(cause);
  }
  if (module) {
    const std::string path = std::string(text(object.attr("__name__"))) + "." + shown;
    if (nb::module_::import_("pyasc.not_yet").attr("is_known")(nb::str(path.c_str())).is(nb::handle(Py_True)))
      throw c.error("L102", path + " is not supported yet",
                    "Ascend C has it, this version of pyasc does not; dir(" + std::string(text(object.attr("__name__"))) +
                        ") lists what is there");
  }
  throw c.error("L102", owner + " has no attribute '" + shown + "'", std::move(help));
}

nb::object Translator::subscript(PyObject *node) {
  nb::object object = evaluate(field(node, Child::value)), key = evaluate(field(node, Child::slice));
  if (as<LocalTensor>(object) || as<GlobalTensor>(object)) return subscript_of(c, object, key);
  if (auto *array = as<Array>(object)) return element_of(c, *array, key);
  if (nb::object method = compiled_method(object, "__getitem__")) return call_while_compiling(method, {Argument{std::move(key), node}});
  if (as_run_time(object))
    throw c.error("T106", describe(object) + " cannot be subscripted",
                  as<PlainValue>(object) ? "a number has no elements; keep many in an asc.array or a tensor" : help_for(object));
  if (as_run_time(key))
    throw c.not_known("the index", key,
                      "Python sequences exist while compiling only; unroll the loop with asc.static_range, or keep the data in a tensor",
                      field(node, Child::slice));
  nb::object value = nb::steal(PyObject_GetItem(object.ptr(), key.ptr()));
  if (!value) throw nb::python_error();
  if (PySlice_Check(key.ptr()) && PyList_Check(value.ptr())) c.created(value);
  return unwrapped(value);
}

nb::object Translator::display(PyObject *node) {
  Syntax syntax = syntax_of(node);
  if (syntax == Syntax::Dict) {
    nb::dict made;
    Nodes keys(node, Child::keys), values(node, Child::values);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == Py_None) {
        nb::object other = evaluate(values[i]);
        if (PyDict_Update(made.ptr(), other.ptr()) < 0) throw nb::python_error();
        continue;
      }
      nb::object key = evaluate(keys[i]), value = evaluate(values[i]);
      if (PyDict_SetItem(made.ptr(), key.ptr(), value.ptr()) < 0) throw nb::python_error();
    }
    c.created(made);
    return std::move(made);
  }
  nb::list made;
  for (PyObject *element : Nodes(node, Child::elts)) {
    if (syntax_of(element) != Syntax::Starred) {
      made.append(evaluate(element));
      continue;
    }
    PyObject *inner = field(element, Child::value);
    for (nb::object &part : elements(evaluate(inner), inner)) made.append(part);
  }
  if (syntax == Syntax::Tuple) return nb::steal(PyList_AsTuple(made.ptr()));
  nb::object result = std::move(made);
  if (syntax == Syntax::Set) {
    result = nb::steal(PySet_New(result.ptr()));
    if (!result) throw nb::python_error();
  }
  c.created(result);
  return result;
}

nb::object Translator::formatted(PyObject *node) {
  if (syntax_of(node) == Syntax::JoinedStr) {
    nb::list parts;
    bool run_time = false;
    for (PyObject *part : Nodes(node, Child::values)) {
      nb::object value = evaluate(part);
      run_time |= nb::isinstance<RunTimeText>(value);
      parts.append(std::move(value));
    }
    if (run_time) return joined_text(c, parts);
    return nb::steal(PyUnicode_Join(nb::str("").ptr(), parts.ptr()));
  }
  nb::object value = evaluate(field(node, Child::value));
  nb::object spec = field(node, Child::format_spec) == Py_None ? nb::object(nb::str("")) : evaluate(field(node, Child::format_spec));
  if (as<PlainValue>(value) || as<GlobalAddress>(value)) return formatted_value(c, value, spec);
  if (nb::isinstance<RunTimeText>(value) && nb::len(spec) == 0) return value;
  if (has_run_time(value)) {
    if (nb::len(spec) > 0)
      throw c.error("T501", "the format '" + std::string(text(spec)) + "' is not there for " + describe(value),
                    "give its numbers one by one");
    return shown_value(c, value, node);
  }
  long conversion = PyLong_AsLong(field(node, Child::conversion));
  if (conversion == 'r') value = nb::steal(PyObject_Repr(value.ptr()));
  if (conversion == 's') value = nb::steal(PyObject_Str(value.ptr()));
  if (conversion == 'a') value = nb::steal(PyObject_ASCII(value.ptr()));
  if (!value) throw nb::python_error();
  check_widths(c, text(spec), nb::tuple());
  nb::object result = nb::steal(PyObject_Format(value.ptr(), spec.ptr()));
  if (!result) throw nb::python_error();
  return bounded(c, std::move(result));
}

// ---------------------------------------------------------------- conditions

nb::object Translator::operand(PyObject *node, bool wanted) {
  if (wanted) return evaluate(node);
  dropped = node;
  evaluate(node);
  return nb::none();
}

nb::object Translator::conditional(PyObject *node) {
  const bool wanted = node != dropped;
  nb::object test = evaluate(field(node, Child::test));
  At at(c, field(node, Child::test));
  Truth condition = truth(c, test);
  c.node = node;
  PyObject *body = field(node, Child::body), *orelse = field(node, Child::orelse);
  if (condition.known) return operand(*condition.known ? body : orelse, wanted);
  return merge_branches(node, condition.ir, [&] { return operand(body, wanted); }, [&] { return operand(orelse, wanted); });
}

/// `and` and `or` give the operand that decides, and evaluate the next one only if none has.
nb::object Translator::boolean(PyObject *node, size_t from, bool wanted) {
  Nodes values(node, Child::values);
  bool is_and = syntax_of(field(node, Child::op)) == Syntax::And;
  for (size_t i = from;; ++i) {
    if (i + 1 == values.size()) return operand(values[i], wanted);
    nb::object value = evaluate(values[i]);
    Truth decided = truth(c, value);
    auto self = [&] { return wanted ? value : nb::object(nb::none()); };
    if (decided.known) {
      if (*decided.known != is_and) return self();
      continue;
    }
    auto rest = [&] { return boolean(node, i + 1, wanted); };
    if (is_and) return merge_branches(node, decided.ir, rest, self);
    return merge_branches(node, decided.ir, self, rest);
  }
}

nb::object Translator::comparison(PyObject *node) { return comparison_chain(node, evaluate(field(node, Child::left)), 0); }

/// a < b < c is a < b and b < c, with b evaluated once.
nb::object Translator::comparison_chain(PyObject *node, nb::object lhs, size_t from) {
  Nodes operators(node, Child::ops), operands(node, Child::comparators);
  nb::object rhs = evaluate(operands[from]);
  if (frame->is_kernel) warn_about_unsigned(c, syntax_of(operators[from]), lhs, rhs);
  nb::object result = compare(c, syntax_of(operators[from]), lhs, rhs);
  if (from + 1 == operators.size()) return result;
  Truth holds = truth(c, result);
  if (holds.known) return *holds.known ? comparison_chain(node, rhs, from + 1) : result;
  return merge_branches(
      node, holds.ir, [&] { return comparison_chain(node, rhs, from + 1); }, [&] { return nb::object(nb::bool_(false)); });
}

// ---------------------------------------------------------------- what is not in the language

void Translator::refuse(PyObject *node) {
  struct Entry {
    Syntax syntax;
    std::string_view what, help;
  };
  static constexpr std::string_view kOrdinary = "kernels and their functions are ordinary ones";
  static constexpr std::string_view kNoExceptions =
      "the device has no exceptions: test for the case with if, or assert that it does not come";
  static constexpr std::string_view kPassOn = "pass the value as an argument and return the new one";
  static constexpr std::string_view kList = "collect the values in a list and return it";
  static constexpr Entry kRefused[] = {
      {Syntax::AsyncFunctionDef, "an async function", "kernels and their functions are ordinary ones: write def"},
      {Syntax::ClassDef, "a class inside of a kernel", "define it at module level"},
      {Syntax::Delete, "del", "leave it out: variables end with the function"},
      {Syntax::AsyncWith, "async with", kOrdinary},
      {Syntax::AsyncFor, "async for", "kernels and their functions are ordinary ones: write for"},
      {Syntax::Match, "match", "write if, elif and else"},
      {Syntax::Raise, "raise", "write assert condition, \"message\", or asc.trap(), which stop the launch"},
      {Syntax::Try, "try", kNoExceptions},
      {Syntax::TryStar, "try", kNoExceptions},
      {Syntax::Import, "import inside of a kernel", "import at the top of the file"},
      {Syntax::ImportFrom, "import inside of a kernel", "import at the top of the file"},
      {Syntax::Global, "global", kPassOn},
      {Syntax::Nonlocal, "nonlocal", kPassOn},
      {Syntax::TypeAlias, "a type alias inside of a kernel", "define it at module level"},
      {Syntax::GeneratorExp, "a generator that is not all of it used at once", "write a list: [... for ...]"},
      {Syntax::Await, "await", "kernels and their functions are ordinary ones: leave await out"},
      {Syntax::Yield, "yield", kList},
      {Syntax::YieldFrom, "yield", kList},
      {Syntax::Starred, "* here", "write the elements one by one"},
  };
  Syntax syntax = syntax_of(node);
  for (const Entry &entry : kRefused)
    if (entry.syntax == syntax)
      throw c.error("L001", std::string(entry.what) + " is not part of the kernel language", std::string(entry.help), node);
  throw c.error("L001", "this syntax (" + std::string(Py_TYPE(node)->tp_name) + ") is not part of the kernel language", {}, node);
}

} // namespace asc
