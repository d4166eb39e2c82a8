// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables from ast classes and field names to enums, made once per process.
#include "frontend/syntax.h"

#include "llvm/ADT/DenseMap.h"

namespace asc {

static constexpr std::string_view kNames[] = {
#define X(name) #name,
    ASC_SYNTAX(X)
#undef X
        "?"};

static const llvm::DenseMap<PyObject *, Syntax> &kinds() {
  static const auto *table = [] {
    auto *map = new llvm::DenseMap<PyObject *, Syntax>;
    nb::module_ ast = nb::module_::import_("ast");
    for (unsigned i = 0; i < unsigned(Syntax::Unknown); ++i) {
      PyObject *type = PyObject_GetAttrString(ast.ptr(), kNames[i].data());
      if (type)
        (*map)[type] = Syntax(i); // the reference is kept: ast classes live as long as the process
      else
        PyErr_Clear(); // a class of a newer Python
    }
    return map;
  }();
  return *table;
}

Syntax syntax_of(PyObject *node) {
  static const llvm::DenseMap<PyObject *, Syntax> &table = kinds();
  auto found = table.find(reinterpret_cast<PyObject *>(Py_TYPE(node)));
  return found == table.end() ? Syntax::Unknown : found->second;
}

std::string_view name(Syntax syntax) { return kNames[unsigned(syntax)]; }

PyObject *field(PyObject *node, Child child) {
  static PyObject *const *const names = [] {
    static PyObject *table[] = {
#define X(name) PyUnicode_InternFromString(#name),
        ASC_CHILDREN(X)
#undef X
    };
    return table;
  }();
  PyObject *value = PyObject_GetAttr(node, names[unsigned(child)]);
  if (!value) throw nb::python_error();
  Py_DECREF(value); // the node keeps it
  return value;
}

uint32_t position(PyObject *node, Child which) {
  PyObject *value = field(node, which);
  return PyLong_Check(value) ? uint32_t(PyLong_AsUnsignedLong(value)) : 0;
}

std::string_view spelling(Syntax op) {
  switch (op) {
  case Syntax::And: return "and";
  case Syntax::Or: return "or";
  case Syntax::Add:
  case Syntax::UAdd: return "+";
  case Syntax::Sub:
  case Syntax::USub: return "-";
  case Syntax::Mult: return "*";
  case Syntax::MatMult: return "@";
  case Syntax::Div: return "/";
  case Syntax::Mod: return "%";
  case Syntax::Pow: return "**";
  case Syntax::LShift: return "<<";
  case Syntax::RShift: return ">>";
  case Syntax::BitOr: return "|";
  case Syntax::BitXor: return "^";
  case Syntax::BitAnd: return "&";
  case Syntax::FloorDiv: return "//";
  case Syntax::Invert: return "~";
  case Syntax::Not: return "not";
  case Syntax::Eq: return "==";
  case Syntax::NotEq: return "!=";
  case Syntax::Lt: return "<";
  case Syntax::LtE: return "<=";
  case Syntax::Gt: return ">";
  case Syntax::GtE: return ">=";
  case Syntax::Is: return "is";
  case Syntax::IsNot: return "is not";
  case Syntax::In: return "in";
  case Syntax::NotIn: return "not in";
  default: return name(op);
  }
}

} // namespace asc
