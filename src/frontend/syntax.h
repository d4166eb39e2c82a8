// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads CPython `ast` nodes: kinds by type pointer, fields by interned name. All pointers are borrowed: the tree keeps its nodes alive.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

namespace asc {

namespace nb = nanobind;

// clang-format off: lists
#define ASC_SYNTAX(X) \
  X(FunctionDef) X(AsyncFunctionDef) X(ClassDef) X(Return) X(Delete) X(Assign) X(AugAssign) X(AnnAssign) X(TypeAlias) X(For) X(AsyncFor) \
  X(While) X(If) X(With) X(AsyncWith) X(Match) X(Raise) X(Try) X(TryStar) X(Assert) X(Import) X(ImportFrom) X(Global) X(Nonlocal) X(Expr) \
  X(Pass) X(Break) X(Continue) X(BoolOp) X(NamedExpr) X(BinOp) X(UnaryOp) X(Lambda) X(IfExp) X(Dict) X(Set) X(ListComp) X(SetComp) X(DictComp) \
  X(GeneratorExp) X(Await) X(Yield) X(YieldFrom) X(Compare) X(Call) X(FormattedValue) X(JoinedStr) X(Constant) X(Attribute) X(Subscript) \
  X(Starred) X(Name) X(List) X(Tuple) X(Slice) X(And) X(Or) X(Add) X(Sub) X(Mult) X(MatMult) X(Div) X(Mod) X(Pow) X(LShift) X(RShift) X(BitOr) \
  X(BitXor) X(BitAnd) X(FloorDiv) X(Invert) X(Not) X(UAdd) X(USub) X(Eq) X(NotEq) X(Lt) X(LtE) X(Gt) X(GtE) X(Is) X(IsNot) X(In) X(NotIn)

/// The node classes of `ast`.
enum class Syntax : uint8_t {
#define X(name) name,
  ASC_SYNTAX(X)
#undef X
      Unknown
};

#define ASC_CHILDREN(X) \
  X(arg) X(args) X(attr) X(body) X(col_offset) X(comparators) X(context_expr) X(conversion) X(decorator_list) X(defaults) X(elt) X(elts) \
  X(end_col_offset) X(end_lineno) X(format_spec) X(func) X(generators) X(id) X(ifs) X(is_async) X(items) X(iter) X(key) X(keys) X(keywords) \
  X(kw_defaults) X(kwarg) X(kwonlyargs) X(left) X(lineno) X(lower) X(msg) X(name) X(op) X(operand) X(ops) X(optional_vars) X(orelse) \
  X(posonlyargs) X(right) X(slice) X(step) X(subject) X(target) X(targets) X(test) X(upper) X(value) X(values) X(vararg)
// clang-format on

/// The fields of nodes that the front end reads.
enum class Child : uint8_t {
#define X(name) name,
  ASC_CHILDREN(X)
#undef X
};

Syntax syntax_of(PyObject *node);
std::string_view name(Syntax syntax);

/// A field of a node; Py_None where the syntax leaves it out.
PyObject *field(PyObject *node, Child child);
/// An integer field, 0 when missing.
uint32_t position(PyObject *node, Child child);
/// An operator as people write it: "+", "<=".
std::string_view spelling(Syntax op);

/// The elements of a list field, for range-based loops.
class Nodes {
public:
  explicit Nodes(PyObject *list) : list_(list) {}
  Nodes(PyObject *node, Child list) : list_(field(node, list)) {}
  PyObject **begin() const { return reinterpret_cast<PyListObject *>(list_)->ob_item; }
  PyObject **end() const { return begin() + size(); }
  size_t size() const { return size_t(PyList_GET_SIZE(list_)); }
  PyObject *operator[](size_t i) const { return begin()[i]; }

private:
  PyObject *list_;
};

} // namespace asc
