// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions inside of functions: lambda and nested def. What they do is translated at each place that calls them.
#include "frontend/translator.h"

#include "llvm/ADT/ScopeExit.h"

namespace asc {

nb::object Translator::closure(PyObject *node) {
  const bool is_lambda = syntax_of(node) == Syntax::Lambda;
  if (!is_lambda && Nodes(node, Child::decorator_list).size() != 0)
    throw c.error("L001", "a decorator inside of a kernel is not part of the kernel language",
                  "leave it out: a nested function is translated where it is called", Nodes(node, Child::decorator_list)[0]);
  Closure made{c.id(), this, node, frame, frame->scopes, {}, {}};
  ParameterList &signature = made.signature;
  signature.inlined = true;
  signature.function = is_lambda ? "<lambda>" : text(field(node, Child::name));
  PyObject *arguments = field(node, Child::args);
  auto add = [&](PyObject *parameter) {
    nb::object name = nb::borrow(field(parameter, Child::arg));
    signature.parameters.push_back({std::move(name), {}});
  };
  for (PyObject *parameter : Nodes(arguments, Child::posonlyargs)) add(parameter);
  signature.positional_only = signature.parameters.size();
  for (PyObject *parameter : Nodes(arguments, Child::args)) add(parameter);
  signature.positional = signature.parameters.size();
  for (PyObject *parameter : Nodes(arguments, Child::kwonlyargs)) add(parameter);
  Nodes defaults(arguments, Child::defaults), keyword_defaults(arguments, Child::kw_defaults);
  for (size_t i = 0; i < defaults.size(); ++i)
    signature.parameters[signature.positional - defaults.size() + i].otherwise = evaluate(defaults[i]);
  for (size_t i = 0; i < keyword_defaults.size(); ++i)
    if (keyword_defaults[i] != Py_None) signature.parameters[signature.positional + i].otherwise = evaluate(keyword_defaults[i]);
  if (PyObject *star = field(arguments, Child::vararg); star != Py_None) {
    add(star);
    signature.starred = true;
  }
  if (PyObject *keywords = field(arguments, Child::kwarg); keywords != Py_None) {
    add(keywords);
    signature.keywords = true;
  }
  made.names = local_names(signature, node, frame->source->walrus);
  return nb::cast(std::move(made));
}

nb::object Translator::call_closure(const Closure &closure, const Arguments &arguments, PyObject *node) {
  const std::string name = closure.signature.function + "()";
  if (closure.compilation != c.id())
    throw c.error("L302", name + " belongs to another compilation", "functions of a kernel cannot be kept in objects that outlive it");
  if (closure.frame->root != frame->root)
    throw c.error("L312", name + " is called after the function that defines it has ended",
                  "define it at module level, decorated with @asc.jit, or make it a method of a class", node);
  for (Frame *f = frame; f; f = f->caller)
    if (f->identity == closure.node)
      throw c.error("L109", name + " calls itself", "the device has no stack for recursion; use a loop", node);
  std::vector<nb::object> values = bind_parameters(closure.signature, arguments, node);
  Frame &inner = make_frame(closure.frame->source, closure.names);
  inner.identity = closure.node;
  inner.enclosing = closure.frame;
  inner.outer_scopes = closure.scopes;
  inner.globals = closure.frame->globals;
  inner.class_name = closure.frame->class_name;
  return call_inline(inner, closure.node, std::move(values), name, node);
}

nb::object Translator::call_inline(Frame &inner, PyObject *function, std::vector<nb::object> values, const std::string &name,
                                   PyObject *node) {
  Deeper deeper(c);
  c.step();
  inner.root = frame->root;
  for (size_t i = 0; i < values.size(); ++i) inner.variables[i] = {std::move(values[i]), nullptr};
  const Span call_span = c.span(node);
  Frame *caller = std::exchange(frame, &inner);
  const SourceFile *caller_source = std::exchange(c.source, inner.source.get());
  PyObject *caller_node = std::exchange(c.node, function), *body = field(function, Child::body);
  auto back = llvm::make_scope_exit([&] { frame = caller, c.source = caller_source, c.node = caller_node; });
  try {
    if (syntax_of(function) == Syntax::Lambda) {
      enter_function(function);
      mark_statement(body);
      nb::object result = evaluate(body);
      leave_function(result);
      return result;
    }
    inner.returns_value = returns_value(body);
    enter_function(function);
    const uint64_t failures = c.failures;
    const size_t found = c.found.size();
    Rest end{nullptr, 0, nullptr};
    const nb::object result = block(body, &end) == Flow::Return ? inner.result : nb::object(nb::none());
    c.fail_if_failed(failures, found, {name + " is called here", call_span});
    leave_function(result);
    return result;
  } catch (DiagnosticError &error) {
    for (Diagnostic &d : error.diagnostics) d.notes.push_back({name + " is called here", call_span});
    throw;
  }
}

nb::object Closure::call(const Arguments &arguments) const {
  Compilation &c = Compilation::current();
  if (compilation != c.id())
    throw c.error("L302", signature.function + "() belongs to another compilation",
                  "functions of a kernel cannot be kept in objects that outlive it");
  return translator->call_closure(*this, arguments, c.node);
}

} // namespace asc
