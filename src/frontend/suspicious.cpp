// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is looked for behind each warning.
#include "frontend/suspicious.h"
#include "frontend/arithmetic.h"
#include "frontend/functions.h"
#include "frontend/translator.h"

#include <algorithm>

namespace asc {

/// Whether a node or one inside of it satisfies the predicate.
static bool any_node(PyObject *node, llvm::function_ref<bool(PyObject *)> predicate) {
  for (nb::handle inner : nb::module_::import_("ast").attr("walk")(nb::handle(node)))
    if (predicate(inner.ptr())) return true;
  return false;
}

static bool is_true(PyObject *constant) { return PyObject_IsTrue(constant) == 1; }

static bool is_one_of(Syntax syntax, std::initializer_list<Syntax> list) {
  return std::find(list.begin(), list.end(), syntax) != list.end();
}

void warn_about_unused_value(Compilation &c, PyObject *expression) {
  const Syntax syntax = syntax_of(expression);
  if (is_one_of(syntax, {Syntax::Call, Syntax::Constant})) return; // a text or ... stands for a comment
  if (any_node(expression, [](PyObject *n) { return is_one_of(syntax_of(n), {Syntax::Call, Syntax::NamedExpr}); })) return;
  std::string help = "assign it to a variable, or leave it out";
  if (syntax == Syntax::Compare) help = "= assigns; a condition is checked by assert";
  if (syntax == Syntax::Attribute || syntax == Syntax::Name) help = "a function is called with (): " + unparsed(expression) + "()";
  c.warn("L601", "the value of this expression is not used", std::move(help), expression);
}

void warn_about_unused_result(Compilation &c, nb::handle callee, PyObject *call) {
  static constexpr std::string_view kPure[] = {"abs",   "bool", "cast",  "ceildiv", "divmod", "float", "get_size",
                                               "int",   "len",  "max",   "min",     "number", "pow",   "reinterpret_cast",
                                               "round", "sum",  "tuple", "range",   "sorted"};
  std::string_view name = builtin_name(callee);
  if (nb::isinstance<BoundMethod>(callee)) name = nb::cast<BoundMethod &>(callee).function->name;
  if (nb::isinstance<Function>(callee)) name = nb::cast<Function &>(callee).name;
  if (std::find(std::begin(kPure), std::end(kPure), name) == std::end(kPure)) return;
  const bool converts = name == "cast" || name == "reinterpret_cast";
  c.warn("L601", "the result of " + std::string(name) + "() is not used",
         converts ? "it does not change its object: write y = " + unparsed(call) : "assign it to a variable, or leave the call out", call);
}

void warn_about_unreached(Compilation &c, PyObject *leaves, PyObject *unreached) {
  const Syntax syntax = syntax_of(leaves);
  if (syntax_of(unreached) == Syntax::Expr && syntax_of(field(unreached, Child::value)) == Syntax::Constant) return; // a comment
  if (!is_one_of(syntax, {Syntax::Return, Syntax::Break, Syntax::Continue})) return;
  const std::string keyword = syntax == Syntax::Return ? "return" : syntax == Syntax::Break ? "break" : "continue";
  c.warn("L602", "this never runs: it follows a " + keyword, "leave it out, or put the " + keyword + " under a condition", unreached);
}

void warn_about_asserted_tuple(Compilation &c, PyObject *test) {
  if (syntax_of(test) == Syntax::Tuple && Nodes(test, Child::elts).size() > 0)
    c.warn("L603", "this assertion always holds: it asks whether a tuple has elements",
           "write assert condition, message without the brackets", test);
}

/// The value of an int in the source, "-" included.
static std::optional<int64_t> literal_int(PyObject *node) {
  if (syntax_of(node) == Syntax::UnaryOp && syntax_of(field(node, Child::op)) == Syntax::USub) {
    const std::optional<int64_t> positive = literal_int(field(node, Child::operand));
    return positive ? std::optional(-*positive) : std::nullopt;
  }
  if (syntax_of(node) != Syntax::Constant || !PyLong_CheckExact(field(node, Child::value))) return std::nullopt;
  const std::optional<Number> number = number_of(field(node, Child::value));
  return number && number->fits ? std::optional(int64_t(number->integer)) : std::nullopt;
}

void warn_about_empty_range(Compilation &c, PyObject *iterable) {
  if (syntax_of(iterable) != Syntax::Call) return;
  Nodes arguments(iterable, Child::args);
  if (arguments.size() < 2 || arguments.size() > 3) return; // range(0) may be how a loop is switched off
  const std::optional<int64_t> start = literal_int(arguments[0]), stop = literal_int(arguments[1]),
                               step = arguments.size() == 3 ? literal_int(arguments[2]) : 1;
  if (!start || !stop || !step || *start == *stop || (*start < *stop) == (*step > 0)) return;
  c.warn("L604",
         "this loop never runs: there is nothing between " + std::to_string(*start) + " and " + std::to_string(*stop) + " in steps of " +
             std::to_string(*step),
         "give the step the other sign", iterable);
}

void warn_about_endless_loop(Compilation &c, PyObject *loop) {
  const auto leaves = [](PyObject *node) {
    const Syntax syntax = syntax_of(node);
    return is_one_of(syntax, {Syntax::Break, Syntax::Return, Syntax::Assert}) ||
           (is_one_of(syntax, {Syntax::Name, Syntax::Attribute}) && unparsed(node).ends_with("trap"));
  };
  PyObject *test = field(loop, Child::test);
  if (syntax_of(test) != Syntax::Constant || !is_true(field(test, Child::value)) || any_node(loop, leaves)) return;
  c.warn("L605", "this loop never ends: nothing in it leaves it", "write break under a condition, or a condition after while", loop);
}

void warn_about_identity(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  const auto is_number = [](nb::handle value) { return as<PlainValue>(value) || number_of(value); };
  if (lhs.is(rhs) || (!as<PlainValue>(lhs) && !as<PlainValue>(rhs)) || !is_number(lhs) || !is_number(rhs)) return;
  const bool is = op == Syntax::Is;
  c.warn("L606",
         "'" + std::string(spelling(op)) + "' does not compare numbers: of " + describe(lhs) + " and " + describe(rhs) + " it is always " +
             (is ? "False" : "True"),
         is ? "write ==" : "write !=");
}

void warn_about_unsigned(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  const auto is_unsigned = [](nb::handle value) {
    auto *plain = as<PlainValue>(value);
    return plain && !info(plain->dtype).is_float && !info(plain->dtype).is_signed && plain->dtype != DType::Bool;
  };
  const auto is_zero = [](nb::handle value) {
    const std::optional<Number> number = number_of(value);
    return number && number->kind == Number::Kind::Int && number->integer == 0;
  };
  const bool left = is_unsigned(lhs) && is_zero(rhs), right = is_zero(lhs) && is_unsigned(rhs);
  const bool never = (left && op == Syntax::Lt) || (right && op == Syntax::Gt),
             always = (left && op == Syntax::GtE) || (right && op == Syntax::LtE);
  if (never || always)
    c.warn("T203", "this is always " + std::string(never ? "False" : "True") + ": " + describe(left ? lhs : rhs) + " is never below 0",
           "convert it to a signed type first, x.cast(asc.int32), if it can stand for a negative number");
}

} // namespace asc
