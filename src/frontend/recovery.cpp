// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Going on after an error, so that all errors of a kernel are told at once. What the statement would have set is unknown from there on, and
// what uses something unknown is passed over.
#include "frontend/translator.h"

namespace asc {

static constexpr std::string_view kNoMoreSteps = "L202";

Diagnostic follow_on() { return {}; }
static bool is_follow_on(const Diagnostic &d) { return d.code.empty(); }
bool is_unknown(const Variable &variable) { return variable.why && is_follow_on(*variable.why); }

void Compilation::record(const DiagnosticError &error) {
  ++failures;
  for (const Diagnostic &d : error.diagnostics) {
    // A statement may be translated several times.
    const bool known = std::any_of(found.begin(), found.end(), [&](const Diagnostic &other) {
      return other.code == d.code && other.span.file == d.span.file && other.span.line == d.span.line && other.span.column == d.span.column;
    });
    if (!is_follow_on(d) && !known) found.push_back(d);
  }
}

void Compilation::fail_if_failed(uint64_t failures_before, size_t found_before, const Note &called_here) {
  if (failures == failures_before) return;
  for (size_t i = found_before; i < found.size(); ++i) found[i].notes.push_back(called_here);
  throw DiagnosticError(follow_on());
}

/// The variable at the root of a.b[c].d; null: there is none.
static PyObject *root_of(PyObject *node) {
  for (;;) switch (syntax_of(node)) {
    case Syntax::Attribute:
    case Syntax::Subscript: node = field(node, Child::value); break;
    case Syntax::Name: return field(node, Child::id);
    default: return nullptr;
    }
}

void Translator::forget(PyObject *statement) {
  llvm::SetVector<PyObject *> names;
  nb::list list;
  list.append(nb::handle(statement));
  assigned_names(list.ptr(), names);
  assigned_in_expressions(statement, names);
  // A method that is called for what it does may set something in its object; so do assignments to a part.
  const auto changes = [&](PyObject *target) {
    PyObject *root = root_of(target);
    auto slot = root ? frame->slots.find(root) : frame->slots.end();
    if (slot == frame->slots.end()) return;
    const nb::object &value = frame->variables[slot->second].value;
    if (value && (!as_run_time(value) || as<GlobalTensor>(value))) names.insert(root);
  };
  for (nb::handle part : nb::module_::import_("ast").attr("walk")(nb::handle(statement))) {
    PyObject *node = part.ptr();
    switch (syntax_of(node)) {
    case Syntax::Expr:
      if (PyObject *call = field(node, Child::value);
          syntax_of(call) == Syntax::Call && syntax_of(field(call, Child::func)) == Syntax::Attribute)
        changes(field(call, Child::func));
      break;
    case Syntax::Assign:
      for (PyObject *target : Nodes(node, Child::targets))
        if (syntax_of(target) != Syntax::Name) changes(target);
      break;
    default: break;
    }
  }
  static const auto unknown = std::make_shared<const Diagnostic>(follow_on());
  for (PyObject *name : names)
    if (auto slot = frame->slots.find(name); slot != frame->slots.end()) frame->variables[slot->second] = {{}, unknown};
}

Flow Translator::statement(PyObject *node, const Rest *rest) {
  if (!c.options.all_errors) return one_statement(node, rest);
  const std::vector<Variable> before = frame->variables;
  const size_t changes = c.journal.size(), scopes = frame->scopes.size();
  const WithBlock *with = frame->with, *with_around_loop = frame->with_around_loop;
  try {
    return one_statement(node, rest);
  } catch (const DiagnosticError &error) {
    if (error.diagnostics.front().code == kNoMoreSteps) throw;
    c.record(error);
  }
  undo(c, changes);
  frame->variables = before;
  frame->scopes.resize(scopes);
  frame->with = with, frame->with_around_loop = with_around_loop;
  forget(node);
  if (syntax_of(node) != Syntax::Return) return Flow::Next;
  frame->result = nb::none();
  return Flow::Return;
}

} // namespace asc
