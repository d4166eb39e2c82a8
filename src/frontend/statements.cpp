// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements: assignment, unrolled loops, return, assert, and what needs no control flow on the device.
#include "frontend/matmul.h"
#include "frontend/printing.h"
#include "frontend/structures.h"
#include "frontend/suspicious.h"
#include "frontend/translator.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace asc {

Flow Translator::block(PyObject *list, const Rest *rest) { return block_from(list, 0, rest); }

Flow Translator::block_from(PyObject *list, size_t next, const Rest *rest) {
  Nodes nodes(list);
  for (size_t i = next; i < nodes.size(); ++i) {
    Rest here{list, i + 1, rest};
    Flow flow = statement(nodes[i], rest ? &here : nullptr);
    if (flow == Flow::Next) continue;
    if (i + 1 < nodes.size()) warn_about_unreached(c, nodes[i], nodes[i + 1]);
    return flow;
  }
  return Flow::Next;
}

Flow Translator::finish(const Rest *rest) {
  for (; rest->list; rest = rest->outer) {
    if (rest->with) leave_with_blocks(rest->with->outer);
    if (Flow flow = block_from(rest->list, rest->next, rest->outer); flow != Flow::Next) return flow;
  }
  switch (rest->end) {
  case Rest::End::Function: frame->result = nb::none(); return Flow::Return;
  case Rest::End::Body: return Flow::Continue;
  case Rest::End::Merge: return Flow::Next;
  }
  return Flow::Next;
}

static std::vector<nb::object> indices(const Array &array) {
  std::vector<nb::object> all;
  for (int64_t i = 0; i < length_of(array); ++i) all.push_back(nb::int_(i));
  return all;
}

Flow Translator::one_statement(PyObject *node, const Rest *rest) {
  At at(c, node);
  c.step();
  try {
    Syntax syntax = syntax_of(node);
    if (syntax != Syntax::While) mark_statement(node); // that one is marked each time it is tested
    switch (syntax) {
    case Syntax::Expr:
      dropped = field(node, Child::value);
      if (const uint64_t before = device_calls; evaluate(dropped), device_calls == before) // else an operator may have effects
        warn_about_unused_value(c, field(node, Child::value));
      return Flow::Next;
    case Syntax::Assign: {
      nb::object value = evaluate(field(node, Child::value));
      for (PyObject *target : Nodes(node, Child::targets)) assign(target, value);
      return Flow::Next;
    }
    case Syntax::AnnAssign:
      if (field(node, Child::value) != Py_None) assign(field(node, Child::target), evaluate(field(node, Child::value)));
      return Flow::Next;
    case Syntax::AugAssign: augmented(node); return Flow::Next;
    case Syntax::If: {
      PyObject *test = field(node, Child::test);
      nb::object value = evaluate(test);
      c.node = test;
      Truth condition = truth(c, value);
      c.node = node;
      PyObject *body = field(node, Child::body), *orelse = field(node, Child::orelse);
      if (condition.known) return block(*condition.known ? body : orelse, rest);
      return conditional(
          node, condition.ir, rest, leaving_of(body), [&](const Rest *r) { return block(body, r); }, leaving_of(orelse),
          [&](const Rest *r) { return block(orelse, r); });
    }
    case Syntax::For: {
      PyObject *iter = field(node, Child::iter);
      nb::object iterable = evaluate(iter);
      if (PyRange_Check(iterable.ptr()))
        iterable = nb::cast(LoopRange{iterable.attr("start"), iterable.attr("stop"), iterable.attr("step")});
      if (nb::isinstance<LoopRange>(iterable)) warn_about_empty_range(c, iter);
      const bool on_device = nb::isinstance<LoopRange>(iterable) && !nb::cast<LoopRange &>(iterable).unrolled;
      Flow flow = on_device             ? for_loop(node, nb::cast<LoopRange &>(iterable))
                  : as<Array>(iterable) ? unrolled(node, indices(*as<Array>(iterable)), 0, iterable)
                                        : unrolled(node, elements(iterable, iter), 0);
      return after_loop(node, flow, rest);
    }
    case Syntax::While: warn_about_endless_loop(c, node); return after_loop(node, while_loop(node), rest);
    case Syntax::With: return with_block(node, 0, rest);
    case Syntax::Return: leaving = node; return returned(node);
    case Syntax::Assert: assertion(node); return Flow::Next;
    case Syntax::FunctionDef: assign_name(field(node, Child::name), closure(node)); return Flow::Next;
    case Syntax::Pass: return Flow::Next;
    case Syntax::Break: leave_with_blocks(frame->with_around_loop); return Flow::Break;
    case Syntax::Continue: leave_with_blocks(frame->with_around_loop); return Flow::Continue;
    default: refuse(node);
    }
  } catch (nb::python_error &error) {
    throw c.failed_in_python(error, node);
  }
}

// ---------------------------------------------------------------- assignment

void Translator::assign(PyObject *target, nb::object value) {
  switch (syntax_of(target)) {
  case Syntax::Name: assign_name(field(target, Child::id), std::move(value)); return;
  case Syntax::Tuple:
  case Syntax::List: {
    if (as_run_time(value) && !as<Array>(value))
      throw c.error("T106", describe(value) + " cannot be unpacked into several variables", "elements of a tensor are t.get_value(index)",
                    target);
    std::vector<nb::object> parts = elements(value, target);
    Nodes targets(target, Child::elts);
    size_t star = targets.size();
    for (size_t i = 0; i < targets.size(); ++i)
      if (syntax_of(targets[i]) == Syntax::Starred) star = i;
    bool starred = star < targets.size();
    if (starred ? parts.size() + 1 < targets.size() : parts.size() != targets.size())
      throw c.error("L103",
                    "there are " + std::to_string(parts.size()) + " values for " + std::to_string(targets.size() - starred) + " variables",
                    "write as many variables as there are values; *rest takes what is left over", target);
    size_t extra = starred ? parts.size() + 1 - targets.size() : 0;
    for (size_t i = 0; i < targets.size(); ++i) {
      if (i == star) {
        nb::list rest;
        for (size_t k = 0; k < extra; ++k) rest.append(parts[i + k]);
        c.created(rest);
        assign(field(targets[i], Child::value), rest);
      } else {
        assign(targets[i], parts[i < star ? i : i + extra - 1]);
      }
    }
    return;
  }
  case Syntax::Subscript: store_subscript(target, value); return;
  case Syntax::Attribute: store_attribute(target, value); return;
  default: refuse(target);
  }
}

void Translator::assign_name(PyObject *name, nb::object value) {
  if (IRValue *run_time = as_run_time(value); run_time && run_time->ir) c.name_op(run_time->ir, name);
  for (size_t i = frame->scopes.size(); i-- > 0;)
    if (auto found = frame->scopes[i]->find(name); found != frame->scopes[i]->end()) {
      found->second = std::move(value);
      return;
    }
  auto slot = frame->slots.find(name);
  if (slot == frame->slots.end())
    throw c.error("L001", "'" + std::string(text(name)) + "' is not a variable of this function", "pass it as an argument and return it");
  frame->variables[slot->second] = {std::move(value), nullptr};
}

void Translator::augmented(PyObject *node) {
  PyObject *target = field(node, Child::target);
  Syntax op = syntax_of(field(node, Child::op));
  // The target is evaluated once, as in Python.
  nb::object object, key, before;
  switch (syntax_of(target)) {
  case Syntax::Name: before = load_name(target); break;
  case Syntax::Subscript:
    object = evaluate(field(target, Child::value)), key = evaluate(field(target, Child::slice));
    if (as<LocalTensor>(object) || as<GlobalTensor>(object))
      throw c.error("T303", "elements of a tensor cannot be assigned to",
                    "write t.set_value(i, t.get_value(i) " + std::string(spelling(op)) + " ...)", target);
    if (auto *array = as<Array>(object)) {
      before = element_of(c, *array, key);
      break;
    }
    if (as_run_time(key)) throw c.not_known("the index", key, "keep the data in a tensor", field(target, Child::slice));
    before = nb::steal(PyObject_GetItem(object.ptr(), key.ptr()));
    break;
  default:
    object = evaluate(field(target, Child::value));
    if (auto *structure = as<Structure>(object)) {
      before = field_of(c, *structure, text(field(target, Child::attr)));
      break;
    }
    if (as_run_time(object))
      throw c.error("L402", "attributes of " + describe(object) + " cannot be assigned to", "keep the value in a variable", target);
    before = nb::steal(PyObject_GetAttr(object.ptr(), attribute_name(target).ptr()));
  }
  if (!before) throw nb::python_error();
  nb::object operand = evaluate(field(node, Child::value)), value;
  if (auto *structure = as<Structure>(before); structure && has_in_place(*structure, op))
    throw c.error("T106", "'" + std::string(spelling(op)) + "=' does not take " + describe(before) + ", whose class defines it",
                  "write a = a " + std::string(spelling(op)) + " b, or call a method");
  if ((PyList_Check(before.ptr()) || PyDict_Check(before.ptr()) || PyAnySet_Check(before.ptr())) && !as_run_time(operand)) {
    c.check_changeable(before); // += on these changes the object
    if (op != Syntax::Add && op != Syntax::BitOr)
      throw c.error("L001", "this operation on " + describe(before) + " is not part of the kernel language");
    value =
        nb::steal(op == Syntax::Add ? PyNumber_InPlaceAdd(before.ptr(), operand.ptr()) : PyNumber_InPlaceOr(before.ptr(), operand.ptr()));
    if (!value) throw nb::python_error();
    value = bounded(c, std::move(value));
  } else {
    value = binary(c, op, before, operand);
  }
  if (syntax_of(target) == Syntax::Name) {
    assign_name(field(target, Child::id), std::move(value));
  } else if (auto *array = as<Array>(object)) {
    set_element(c, *array, key, value);
  } else if (auto *structure = as<Structure>(object)) {
    set_field(c, *structure, text(field(target, Child::attr)), value);
  } else {
    c.check_changeable(object);
    int failed = key ? PyObject_SetItem(object.ptr(), key.ptr(), value.ptr())
                     : PyObject_SetAttr(object.ptr(), attribute_name(target).ptr(), value.ptr());
    if (failed < 0) throw nb::python_error();
  }
}

void Translator::store_subscript(PyObject *target, nb::handle value) {
  At at(c, target);
  nb::object object = evaluate(field(target, Child::value)), key = evaluate(field(target, Child::slice));
  if (as<LocalTensor>(object) || as<GlobalTensor>(object))
    throw c.error("T303", "elements of a tensor cannot be assigned to", "write t.set_value(index, value)");
  if (auto *array = as<Array>(object)) return set_element(c, *array, key, value);
  if (nb::object method = compiled_method(object, "__setitem__"))
    return void(call_while_compiling(method, {Argument{std::move(key), target}, Argument{nb::borrow(value), target}}));
  if (as_run_time(object)) throw c.error("T106", describe(object) + " cannot be subscripted", help_for(object));
  if (as_run_time(key)) throw c.not_known("the index", key, "keep the data in a tensor", field(target, Child::slice));
  c.check_changeable(object);
  if (PyObject_SetItem(object.ptr(), key.ptr(), value.ptr()) < 0) throw nb::python_error();
}

void Translator::store_attribute(PyObject *target, nb::handle value) {
  At at(c, target);
  nb::object object = evaluate(field(target, Child::value));
  if (auto *structure = as<Structure>(object)) return set_field(c, *structure, text(field(target, Child::attr)), value);
  if (as_run_time(object))
    throw c.error("L402", "attributes of " + describe(object) + " cannot be assigned to", "keep the value in a variable");
  c.check_changeable(object);
  if (PyObject_SetAttr(object.ptr(), attribute_name(target).ptr(), value.ptr()) < 0) throw nb::python_error();
}

// ---------------------------------------------------------------- return, assert, unrolled loops

Flow Translator::returned(PyObject *node) {
  PyObject *value = field(node, Child::value);
  frame->result = value == Py_None ? nb::object(nb::none()) : evaluate(value);
  if (frame->is_kernel && !frame->result.is_none())
    throw c.error("L104", "a kernel returns " + describe(frame->result) + ", expected nothing", "write results into a GlobalTensor", value);
  leave_with_blocks(nullptr);
  return Flow::Return;
}

// ---------------------------------------------------------------- with

/// A method of a context manager, looked up in its class as Python does, bound to it.
static nb::object special_method(const Compilation &c, nb::handle manager, const char *name) {
  nb::object key = nb::steal(PyUnicode_InternFromString(name));
  PyObject *found = _PyType_Lookup(Py_TYPE(manager.ptr()), key.ptr());
  if (!found) throw c.error("L111", describe(manager) + " is no context manager: its class has no " + name);
  descrgetfunc get = Py_TYPE(found)->tp_descr_get;
  nb::object bound = get ? nb::steal(get(found, manager.ptr(), reinterpret_cast<PyObject *>(Py_TYPE(manager.ptr())))) : nb::borrow(found);
  if (!bound) throw nb::python_error();
  return bound;
}

Flow Translator::with_block(PyObject *node, size_t item, const Rest *rest) {
  Nodes items(node, Child::items);
  PyObject *body = field(node, Child::body);
  if (item == items.size()) return block(body, rest);
  PyObject *expression = field(items[item], Child::context_expr), *target = field(items[item], Child::optional_vars);
  nb::object manager = evaluate(expression), value;
  if (nb::isinstance<MatmulLoop>(manager)) {
    if (item + 1 != items.size())
      throw c.error("L317", "iterate() is a loop, and another context manager follows it", "put the other one first, or inside of the loop",
                    expression);
    return iterate_loop(node, nb::cast<MatmulLoop &>(manager), target);
  }
  WithBlock with{{}, expression, frame->with};
  with.shares_line = item + 1 < items.size() && c.span(expression).line == c.span(field(items[item + 1], Child::context_expr)).line;
  {
    At at(c, expression);
    if (manager.type().is(nb::module_::import_("contextlib").attr("nullcontext"))) {
      value = manager.attr("enter_result");
    } else {
      nb::object enter = special_method(c, manager, "__enter__");
      with.exit = special_method(c, manager, "__exit__");
      std::optional<nb::object> entered = call_jit(enter, {}, expression);
      if (!entered)
        throw c.error("L111", describe(manager) + " cannot be a context manager in a kernel: its __enter__ is not compiled",
                      "use a class whose __enter__ and __exit__ are decorated with @asc.jit, or contextlib.nullcontext");
      value = *entered;
    }
  }
  auto back = llvm::make_scope_exit([&] { frame->with = with.outer; });
  frame->with = &with;
  if (target != Py_None) assign(target, std::move(value));
  const Rest exit{body, Nodes(body).size(), rest, Rest::End::Function, &with};
  const Flow flow = with_block(node, item + 1, rest ? &exit : nullptr);
  if (flow == Flow::Next) leave_with_blocks(with.outer);
  return flow;
}

void Translator::leave_with_blocks(const WithBlock *around) {
  while (frame->with != around) {
    const WithBlock &with = *frame->with;
    frame->with = with.outer;
    if (!with.shares_line) mark_statement(with.node); // Python comes back to its line
    if (!with.exit) continue;
    At at(c, with.node);
    const Argument none{nb::none(), with.node};
    if (!call_jit(with.exit, {none, none, none}, with.node))
      throw c.error("L111", "__exit__ of this context manager is not compiled", "decorate it with @asc.jit");
  }
}

void Translator::assertion(PyObject *node) {
  PyObject *test = field(node, Child::test);
  warn_about_asserted_tuple(c, test);
  nb::object value = evaluate(test);
  c.node = test;
  Truth holds = truth(c, value);
  if (!holds.known) return run_time_assertion(node, value);
  if (*holds.known) return;
  PyObject *message = field(node, Child::msg);
  std::string words = "assertion failed";
  if (message != Py_None) {
    nb::object shown = nb::steal(PyObject_Str(evaluate(message).ptr()));
    if (!shown) throw nb::python_error();
    words += ": " + std::string(text(shown));
  }
  throw c.error("L205", words, {}, test);
}

/// Whether evaluating the expression computes nothing.
static bool is_plain(PyObject *node) {
  switch (syntax_of(node)) {
  case Syntax::Constant:
  case Syntax::Name: return true;
  case Syntax::JoinedStr: return std::all_of(Nodes(node, Child::values).begin(), Nodes(node, Child::values).end(), is_plain);
  case Syntax::FormattedValue: return is_plain(field(node, Child::value));
  default: return false;
  }
}

void Translator::run_time_assertion(PyObject *node, nb::handle value) {
  PyObject *test = field(node, Child::test), *message = field(node, Child::msg);
  const Truth holds = truth(c, value);
  c.node = node;
  nb::module_ ast = nb::module_::import_("ast");
  const nb::object source = ast.attr("unparse")(nb::handle(test));
  const auto create = [&] {
    PrintedText words(c);
    if (message != Py_None) words.add(evaluate(message), message);
    llvm::SmallPtrSet<PyObject *, 8> seen;
    for (nb::handle part : ast.attr("walk")(nb::handle(test))) {
      if (syntax_of(part.ptr()) != Syntax::Name) continue;
      PyObject *name = field(part.ptr(), Child::id);
      auto slot = frame->slots.find(name);
      nb::object named = slot != frame->slots.end() ? frame->variables[slot->second].value
                                                    : nb::borrow(PyDict_GetItem(frame->globals, name)); // of no interest: in a closure
      if (named.is_valid() && seen.insert(name).second) words.add_named(text(name), unwrapped(named));
    }
    words.create_assert(holds.ir, text(source));
  };
  if (message == Py_None || is_plain(message)) return create();
  // The message is computed only when the assertion fails.
  nb::object fails = unary(c, Syntax::Not, value);
  merge_branches(node, truth(c, fails).ir, [&] { return create(), nb::object(nb::none()); }, [] { return nb::object(nb::none()); });
}

std::vector<nb::object> Translator::elements(nb::handle iterable, PyObject *node) {
  if (auto *array = as<Array>(iterable)) return elements(elements_of(c, *array), node);
  if (as_run_time(iterable))
    throw c.error("T106", describe(iterable) + " cannot be iterated",
                  as_object(iterable) ? "" : "loop over range(...) and read elements with get_value(i)", node);
  if (LoopRange *range = nb::isinstance<LoopRange>(iterable) ? nb::inst_ptr<LoopRange>(iterable) : nullptr) {
    for (const nb::object *bound : {&range->start, &range->stop, &range->step}) {
      if (as_run_time(*bound))
        throw c.not_known("a bound", *bound,
                          range->unrolled ? "use range for a loop that runs on the device, or pass the bound as an asc.ConstExpr parameter"
                                          : "only a for statement can run on the device; pass the bound as an asc.ConstExpr parameter",
                          node);
      std::optional<Number> number = number_of(*bound);
      if (!number || number->kind == Number::Kind::Float)
        throw c.error("T110", "a bound is " + describe(*bound) + ", expected an int", {}, node);
    }
    nb::object python = nb::borrow(reinterpret_cast<PyObject *>(&PyRange_Type))(range->start, range->stop, range->step);
    return elements(python, node);
  }
  Py_ssize_t length = PyObject_LengthHint(iterable.ptr(), 0);
  if (length < 0 && PyErr_ExceptionMatches(PyExc_OverflowError)) PyErr_Clear(), length = PY_SSIZE_T_MAX;
  if (length < 0) throw nb::python_error();
  auto check = [&](uint64_t size) {
    if (size > c.options.step_limit)
      throw c.error("L202",
                    "compiling takes more than " + std::to_string(c.options.step_limit) + " steps: this has " +
                        (size == uint64_t(PY_SSIZE_T_MAX) ? "very many" : std::to_string(size)) + " elements",
                    "use range for a loop that runs on the device", node);
  };
  check(uint64_t(length));
  nb::object iterator = nb::steal(PyObject_GetIter(iterable.ptr()));
  if (!iterator) {
    nb::python_error cause;
    if (!cause.matches(PyExc_TypeError)) throw c.failed_in_python(cause, node);
    throw c.error("T106", describe(iterable) + " cannot be iterated", {}, node);
  }
  std::vector<nb::object> all;
  while (PyObject *element = PyIter_Next(iterator.ptr())) {
    all.push_back(nb::steal(element));
    check(all.size());
  }
  if (PyErr_Occurred()) throw nb::python_error();
  return all;
}

Flow Translator::unrolled(PyObject *node, const std::vector<nb::object> &elements, size_t next, nb::handle array) {
  for (; next < elements.size(); ++next) {
    c.step();
    assign(field(node, Child::target), array ? element_of(c, *as<Array>(array), elements[next]) : elements[next]);
    Flow flow = loop_body(node);
    if (flow == Flow::Break || flow == Flow::Return) return flow;
    if (flow != Flow::Left) {
      mark_statement(node);
      continue;
    }
    // Only the run knows whether the next rounds follow.
    mlir::Value goes_on = flow_is(Syntax::Lt, Flow::Break);
    auto others = [&]() -> nb::object {
      mark_statement(node);
      set_flow(Flow::Next);
      set_flow(unrolled(node, elements, next + 1, array));
      return nb::none();
    };
    merge_branches(node, goes_on, others, [] { return nb::none(); });
    return Flow::Left;
  }
  return Flow::Next;
}

} // namespace asc
