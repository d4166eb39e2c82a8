// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comprehensions: lists, sets and dicts that are built while compiling. Their variables are in a scope of their own, as in Python.
#include "frontend/translator.h"

namespace asc {

/// The elements of a comprehension, one after the other.
class Elements {
public:
  Elements(Translator &t, PyObject *node)
      : t_(t), c_(t.c), frame_(*t.frame), clauses_(node, Child::generators), scope_(std::make_shared<Scope>()) {
    llvm::SetVector<PyObject *> names;
    for (PyObject *clause : clauses_) {
      if (field(clause, Child::is_async) != Py_None && PyLong_AsLong(field(clause, Child::is_async)))
        throw c_.error("L001", "an asynchronous comprehension is not part of the kernel language", "kernels are ordinary functions", node);
      assigned_in_target(field(clause, Child::target), names);
    }
    for (PyObject *name : names) scope_->try_emplace(name);
    open(); // the first sequence does not see the variables
    frame_.scopes.push_back(scope_);
  }
  ~Elements() { frame_.scopes.pop_back(); }
  Elements(const Elements &) = delete;

  /// Gives the variables the values of the next element; false at the end.
  bool next() {
    while (!open_.empty()) {
      Open &inner = open_.back();
      if (inner.next == inner.elements.size()) {
        open_.pop_back();
        continue;
      }
      PyObject *clause = clauses_[open_.size() - 1];
      c_.step();
      t_.assign(field(clause, Child::target), inner.elements[inner.next++]);
      if (!passes(clause)) continue;
      if (open_.size() == clauses_.size()) return true;
      open();
    }
    return false;
  }

private:
  /// A `for` of the comprehension, with what is left of its sequence.
  struct Open {
    std::vector<nb::object> elements;
    size_t next = 0;
  };

  void open() {
    PyObject *iter = field(clauses_[open_.size()], Child::iter);
    open_.push_back({t_.elements(t_.evaluate(iter), iter)});
  }

  bool passes(PyObject *clause) {
    for (PyObject *test : Nodes(clause, Child::ifs)) {
      nb::object value = t_.evaluate(test);
      At at(c_, test);
      Truth holds = truth(c_, value);
      if (!holds.known)
        throw c_.not_known("the condition of a comprehension", value,
                           "how many elements there are must be known; choose what an element is with `x if condition else y`");
      if (!*holds.known) return false;
    }
    return true;
  }

  Translator &t_;
  Compilation &c_;
  Frame &frame_;
  Nodes clauses_;
  std::shared_ptr<Scope> scope_;
  std::vector<Open> open_;
};

nb::object Translator::comprehension(PyObject *node) {
  Elements elements(*this, node);
  nb::object made;
  if (syntax_of(node) == Syntax::DictComp) {
    made = nb::dict();
    while (elements.next()) {
      nb::object key = evaluate(field(node, Child::key)), value = evaluate(field(node, Child::value));
      if (PyDict_SetItem(made.ptr(), key.ptr(), value.ptr()) < 0) throw nb::python_error();
    }
  } else {
    nb::list list;
    while (elements.next()) list.append(evaluate(field(node, Child::elt)));
    made = std::move(list);
    if (syntax_of(node) == Syntax::SetComp) made = nb::steal(PySet_New(made.ptr()));
    if (!made) throw nb::python_error();
  }
  c.created(made);
  return made;
}

nb::object Translator::any_or_all(PyObject *generator, bool any) {
  Elements elements(*this, generator);
  const nb::object decided = nb::bool_(any), undecided = nb::bool_(!any);
  auto from_here = [&](auto &self) -> nb::object {
    Deeper deeper(c);
    while (elements.next()) {
      PyObject *element = field(generator, Child::elt);
      nb::object value = evaluate(element);
      At at(c, element);
      Truth holds = truth(c, value);
      if (!holds.known) {
        auto rest = [&] { return self(self); };
        auto end = [&] { return decided; };
        if (any) return merge_branches(generator, holds.ir, end, rest);
        return merge_branches(generator, holds.ir, rest, end);
      }
      if (*holds.known == any) return decided;
    }
    return undecided;
  };
  return from_here(from_here);
}

} // namespace asc
