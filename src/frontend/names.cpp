// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which names statements and expressions assign.
#include "frontend/translator.h"

namespace asc {

void assigned_in_target(PyObject *target, llvm::SetVector<PyObject *> &names) {
  switch (syntax_of(target)) {
  case Syntax::Name: names.insert(field(target, Child::id)); break;
  case Syntax::Starred: assigned_in_target(field(target, Child::value), names); break;
  case Syntax::Tuple:
  case Syntax::List:
    for (PyObject *part : Nodes(target, Child::elts)) assigned_in_target(part, names);
    break;
  default: break;
  }
}

void assigned_names(PyObject *list, llvm::SetVector<PyObject *> &names) {
  for (PyObject *node : Nodes(list)) {
    switch (syntax_of(node)) {
    case Syntax::Assign:
      for (PyObject *target : Nodes(node, Child::targets)) assigned_in_target(target, names);
      break;
    case Syntax::AugAssign:
    case Syntax::AnnAssign: assigned_in_target(field(node, Child::target), names); break;
    case Syntax::FunctionDef: names.insert(field(node, Child::name)); break;
    case Syntax::With:
      for (PyObject *item : Nodes(node, Child::items))
        if (PyObject *target = field(item, Child::optional_vars); target != Py_None) assigned_in_target(target, names);
      assigned_names(field(node, Child::body), names);
      break;
    case Syntax::For: assigned_in_target(field(node, Child::target), names); [[fallthrough]];
    case Syntax::If:
    case Syntax::While: assigned_names(field(node, Child::body), names), assigned_names(field(node, Child::orelse), names); break;
    default: break;
    }
  }
}

void assigned_in_expressions(PyObject *node, llvm::SetVector<PyObject *> &names) {
  static PyObject *const fields = PyUnicode_InternFromString("_fields");
  if (PyList_CheckExact(node)) {
    for (PyObject *element : Nodes(node)) assigned_in_expressions(element, names);
    return;
  }
  const Syntax syntax = syntax_of(node);
  if (syntax == Syntax::Unknown && !PyObject_HasAttr(node, fields)) return; // no node: a name, a number
  if (syntax == Syntax::NamedExpr) names.insert(field(field(node, Child::target), Child::id));
  if (syntax == Syntax::Lambda || syntax == Syntax::FunctionDef) { // only the defaults belong to what is around it
    PyObject *parameters = field(node, Child::args);
    assigned_in_expressions(field(parameters, Child::defaults), names);
    assigned_in_expressions(field(parameters, Child::kw_defaults), names);
    return;
  }
  nb::object list = nb::steal(PyObject_GetAttr(node, fields));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list.ptr()); ++i) {
    nb::object child = nb::steal(PyObject_GetAttr(node, PyTuple_GET_ITEM(list.ptr(), i)));
    if (!child) throw nb::python_error();
    assigned_in_expressions(child.ptr(), names);
  }
}

std::vector<PyObject *> local_names(const ParameterList &signature, PyObject *function, bool walrus) {
  llvm::SetVector<PyObject *> names;
  for (const ParameterList::Parameter &parameter : signature.parameters) names.insert(parameter.name.ptr());
  PyObject *body = field(function, Child::body);
  if (syntax_of(function) != Syntax::Lambda) assigned_names(body, names);
  if (walrus) assigned_in_expressions(body, names);
  return {names.begin(), names.end()};
}

} // namespace asc
