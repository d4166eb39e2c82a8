// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the ast of a function with an environment of Python objects and run-time values. Expressions are in expressions.cpp, statements in
// statements.cpp, branches and loops that run on the device in control_flow.cpp, comprehensions in comprehensions.cpp, calls in calls.cpp,
// functions inside of functions in closures.cpp, Python's builtins in builtins.cpp, what debuggers see in debug_form.cpp. names.cpp tells
// which names a piece of code assigns.
#pragma once

#include "frontend/debug_table.h"
#include "frontend/functions.h"
#include "frontend/shape.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace asc {

/// A local variable: its value, or why it has none. With both, the value holds on the paths that stay in the loop.
struct Variable {
  nb::object value;
  std::shared_ptr<const Diagnostic> why; // of a variable that some path leaves unset, or that changes its kind; null: never assigned
};

/// Where statements leave to. Left: only the run knows; the variable Frame::flow() has the number of one of the others.
enum class Flow : uint8_t { Next, Continue, Break, Return, Left };

struct WithBlock;

/// What follows a statement, up to the end of its function or loop body, or to where the branches of an `if` meet.
struct Rest {
  enum class End : uint8_t { Function, Body, Merge };
  PyObject *list; // null: the end
  size_t next;
  const Rest *outer;
  End end = End::Function;
  const WithBlock *with = nullptr; // the block that ends here
};

/// A `with` block that has been entered and not left.
struct WithBlock {
  nb::object exit;          // the method __exit__
  PyObject *node;           // the expression of the context manager
  const WithBlock *outer;   // in the same function
  bool shares_line = false; // with the block inside of it, which is left just before
};

/// Whether statements leave the function or the body of the loop that they are in.
enum class Leaving : uint8_t { Never, Maybe, Surely };

/// A function while it is being translated.
struct Frame {
  const void *identity = nullptr; // of the function
  std::shared_ptr<const SourceFile> source;
  Frame *caller = nullptr;
  Frame *root = this;                               // the device function or kernel that it is a part of
  Frame *enclosing = nullptr;                       // of a closure: where it is defined,
  std::vector<std::shared_ptr<Scope>> outer_scopes; // and the comprehensions there
  PyObject *globals = nullptr;
  std::string class_name;                     // of a method, without underscores before it
  llvm::DenseMap<PyObject *, unsigned> slots; // local variables by interned name
  std::vector<PyObject *> names;
  std::vector<Variable> variables;               // those of the source, then two of the translator
  std::vector<std::shared_ptr<Scope>> scopes;    // of the comprehensions being evaluated, innermost last
  llvm::MapVector<PyObject *, PyObject *> cells; // free variables
  const WithBlock *with = nullptr;               // the innermost one
  const WithBlock *with_around_loop = nullptr;   // the innermost one around the loop whose body this is
  static constexpr unsigned kHidden = ~0u;
  unsigned debug_function = kHidden; // in the debug table
  bool is_kernel = false;
  bool returns_value = false; // some return of its source has one
  nb::object result;          // of the return statement that was reached

  /// In a loop: where the path that the run takes leaves to, as a number of Flow, and the value that it returns.
  unsigned flow_slot() const { return unsigned(names.size() - 2); }
  unsigned returned_slot() const { return unsigned(names.size() - 1); }
  Variable &flow() { return variables[flow_slot()]; }
  Variable &returned() { return variables[returned_slot()]; }

  /// What translating a loop has shown to go round it, for when a loop around it is translated again.
  struct Round {
    std::vector<nb::object> buffers; // GlobalTensors made outside
    std::optional<Shape> returned;
  };
  llvm::DenseMap<PyObject *, Round> rounds; // by the node of the loop
};

/// A device function for certain argument types and static values.
struct Specialisation {
  mlir::Operation *function = nullptr;
  Shape result;
};

class Translator {
public:
  explicit Translator(Compilation &c) : c(c) { c.translator = this; }

  void kernel(nb::handle function, nb::handle source, const std::vector<ArgSpec> &arguments);

private:
  // ---- expressions.cpp
  nb::object evaluate(PyObject *node);
  nb::object evaluate_node(PyObject *node);
  nb::object load_name(PyObject *node);
  /// In a class, __name is a private one of the class.
  nb::object attribute_name(PyObject *node) const;
  nb::object attribute(PyObject *node);
  nb::object subscript(PyObject *node);
  /// The last operand of an expression whose value may not be `wanted`: then its kind does not matter, and the value is None.
  nb::object operand(PyObject *node, bool wanted);
  nb::object boolean(PyObject *node, size_t from, bool wanted);
  nb::object comparison(PyObject *node);
  nb::object comparison_chain(PyObject *node, nb::object lhs, size_t from);
  nb::object conditional(PyObject *node);
  nb::object display(PyObject *node);
  nb::object formatted(PyObject *node);
  [[noreturn]] void refuse(PyObject *node);

  // ---- statements.cpp
  Flow block(PyObject *list, const Rest *rest);
  Flow block_from(PyObject *list, size_t next, const Rest *rest);
  Flow one_statement(PyObject *node, const Rest *rest);
  Flow finish(const Rest *rest); // what follows, up to its end
  void assign(PyObject *target, nb::object value);
  void assign_name(PyObject *name, nb::object value);
  void augmented(PyObject *node);
  void store_subscript(PyObject *target, nb::handle value);
  void store_attribute(PyObject *target, nb::handle value);
  Flow with_block(PyObject *node, size_t item, const Rest *rest);
  /// Calls __exit__ of the with blocks up to `around`, innermost first.
  void leave_with_blocks(const WithBlock *around);
  Flow returned(PyObject *node);
  void assertion(PyObject *node);
  void run_time_assertion(PyObject *node, nb::handle value);
  /// With an `array`, the elements are indices: each is read when its turn begins.
  Flow unrolled(PyObject *node, const std::vector<nb::object> &elements, size_t next, nb::handle array = {});
  std::vector<nb::object> elements(nb::handle iterable, PyObject *node);

  // ---- recovery.cpp
  /// Goes on after an error when all errors are wanted.
  Flow statement(PyObject *node, const Rest *rest);
  /// What the statement would have set is unknown.
  void forget(PyObject *statement);

  // ---- control_flow.cpp
  struct Merge;
  /// Statements of a branch; what follows them is given when a statement among them may leave.
  using Body = llvm::function_ref<Flow(const Rest *)>;
  Flow conditional(PyObject *node, mlir::Value condition, const Rest *rest, Leaving a, Body then_body, Leaving b, Body else_body);
  /// Both branches translated apart, variables and `value`s merged. `else_left`: the second is a path that has left the loop body.
  nb::object merge_branches(PyObject *node, mlir::Value condition, llvm::function_ref<nb::object()> then_branch,
                            llvm::function_ref<nb::object()> else_branch, bool else_left = false);
  void set_flow(Flow flow);
  mlir::Value flow_is(Syntax comparison, Flow flow);
  Flow loop_body(PyObject *node);
  Flow for_loop(PyObject *node, const LoopRange &range);
  Flow while_loop(PyObject *node);
  /// with mm.iterate() as target, of which `item` is the last item.
  Flow iterate_loop(PyObject *node, const struct MatmulLoop &blocks, PyObject *target);
  /// The `else` of a loop, and what a return inside of it means outside.
  Flow after_loop(PyObject *node, Flow flow, const Rest *rest);

  // ---- comprehensions.cpp
  nb::object comprehension(PyObject *node);
  /// any() or all() of a generator: later elements are evaluated only if no earlier one decides.
  nb::object any_or_all(PyObject *generator, bool any);

  // ---- calls.cpp
  nb::object call(PyObject *node);
  Arguments arguments_of(PyObject *node, nb::handle callee);
  /// A function made with @asc.jit, or a method that is one; nothing for other callees.
  std::optional<nb::object> call_jit(nb::handle callee, Arguments arguments, PyObject *node);
  nb::object call_device(nb::handle function, const Arguments &arguments, PyObject *node);
  /// Translates the body of a function here. `inner` is its frame, `values` are its parameters.
  nb::object call_inline(Frame &inner, PyObject *function, std::vector<nb::object> values, const std::string &name, PyObject *node);
  /// The device function as a func.func for arguments of these shapes.
  Specialisation specialise(nb::handle function, const std::shared_ptr<const SourceFile> &source, const std::vector<Shape> &shapes,
                            PyObject *node);
  std::vector<nb::object> bind_parameters(const ParameterList &signature, const Arguments &arguments, PyObject *node);
  Frame &make_frame(std::shared_ptr<const SourceFile> source, const std::vector<PyObject *> &names);
  Frame &make_frame(nb::handle function, const ParameterList &signature, std::shared_ptr<const SourceFile> source);
  std::shared_ptr<const SourceFile> load_source(nb::handle function, nb::handle loaded = {});

  // ---- closures.cpp
  nb::object closure(PyObject *node);
  nb::object call_closure(const Closure &closure, const Arguments &arguments, PyObject *node);

  // ---- debug_form.cpp: ops for debuggers; nothing unless the debug form is made
  void enter_function(PyObject *definition);
  void leave_function(const nb::object &result);
  void mark_statement(PyObject *node);
  /// A for statement after a round of its body that ended like this: Python comes back to its line.
  void mark_round(PyObject *node, Flow flow);
  nb::object breakpoint(const Arguments &arguments);

  // ---- builtins.cpp
  nb::object builtin(std::string_view name, PyObject *node);
  /// An object of a class whose __init__ is made with @asc.jit; null for other classes.
  nb::object construct(nb::handle type, Arguments arguments, PyObject *node);
  nb::object call_python(nb::handle callee, const Arguments &arguments, PyObject *node);
  std::optional<nb::object> call_builtin(std::string_view name, const Arguments &arguments);

  friend class Loop;
  friend class Elements;
  friend struct Closure;
  friend nb::object call_while_compiling(nb::handle callee, const Arguments &arguments);

  Compilation &c;
  Frame *frame = nullptr;
  std::vector<std::unique_ptr<Frame>> frames;
  PyObject *dropped = nullptr; // the expression that is a statement
  uint64_t device_calls = 0;   // so far, those of operators and properties included
  PyObject *leaving = nullptr; // the last return that was reached
  nb::dict specialised;        // key -> index
  std::vector<Specialisation> specialisations;
  nb::list kept;                                          // objects that are part of keys by identity
  std::vector<std::shared_ptr<const SourceFile>> sources; // locations are cached by node, so trees live as long as the compilation
  llvm::DenseMap<PyObject *, unsigned> function_names;
  llvm::DenseMap<PyObject *, unsigned> debug_functions; // index in the debug table, by their node
};

/// What using something unknown gives: no error of its own.
Diagnostic follow_on();
/// Whether the statement that would have set the variable had an error.
bool is_unknown(const Variable &variable);

/// Gives GlobalTensors the buffers back that they had when the journal was that long.
void undo(Compilation &c, size_t mark);

/// The names that a target of an assignment assigns, in order.
void assigned_in_target(PyObject *target, llvm::SetVector<PyObject *> &names);
/// The names that a list of statements assigns, in order.
void assigned_names(PyObject *list, llvm::SetVector<PyObject *> &names);
/// The names that expressions inside of a node assign with :=, comprehensions included, other functions not.
void assigned_in_expressions(PyObject *node, llvm::SetVector<PyObject *> &names);
/// The names of the variables of a function (a def or a lambda), parameters first.
std::vector<PyObject *> local_names(const ParameterList &signature, PyObject *function, bool walrus);

/// Whether a list of statements leaves; `inner`: it is in a loop of its own, which break and continue stay in.
Leaving leaving_of(PyObject *list, bool inner = false);
/// Whether a return in a list of statements has a value.
bool returns_value(PyObject *list);

/// The name of a function or class that is written in C; empty for others.
std::string_view builtin_name(nb::handle callee);

/// Whether a static object is what an annotation asc.ConstExpr marks.
bool is_constexpr(nb::handle object);
/// The value inside an asc.ConstExpr, or the object itself.
nb::object unwrapped(nb::object object);

} // namespace asc
