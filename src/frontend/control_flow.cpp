// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops that run on the device. Their bodies are translated into regions apart; what changed in them, variables and buffers of
// GlobalTensors alike, then becomes results and loop-carried values of the op.
#include "frontend/matmul.h"
#include "frontend/translator.h"

#include "dialect/constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"

#include <algorithm>
#include <functional>

namespace asc {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

static bool is_loop(PyObject *node) {
  return syntax_of(node) == Syntax::For || syntax_of(node) == Syntax::While || syntax_of(node) == Syntax::With;
}

/// What decides between two paths, in words: "`n > 3` in line 12", "the loop in line 14".
static std::string decision(const Compilation &c, PyObject *node) {
  constexpr size_t kShown = 60;
  std::string what = is_loop(node) ? "the loop" : "the condition";
  if (syntax_of(node) == Syntax::If || syntax_of(node) == Syntax::IfExp)
    if (std::string test = unparsed(field(node, Child::test)); test.size() <= kShown) what = "`" + test + "`";
  return what + " in line " + std::to_string(c.span(node).line);
}
static std::string outcome(PyObject *node, bool taken) {
  if (is_loop(node)) return taken ? " runs to its end" : " is left early";
  return taken ? " is true" : " is false";
}

static std::shared_ptr<const Diagnostic> unset(const Compilation &c, PyObject *name, std::string path, PyObject *at) {
  DiagnosticError error =
      c.error("L105", "'" + std::string(text(name)) + "' may have no value here: " + path,
              "assign it on every path, or before the statement that the note points at", nullptr, {{"this decides", c.span(at)}});
  return std::make_shared<Diagnostic>(std::move(error.diagnostics.front()));
}
static DiagnosticError returned_from_loop(const Compilation &c, nb::handle value, PyObject *leaving) {
  return c.error("L107", "a loop returns " + describe(value) + " on some of its paths",
                 "leave the loop with break, and return after it; a loop can return numbers", leaving);
}
static std::shared_ptr<const Diagnostic> changed_kind(const Compilation &c, PyObject *name, const Mismatch &mismatch, PyObject *at) {
  const std::string where = is_loop(at) ? "; it changes in " + decision(c, at) : "; " + decision(c, at) + " decides";
  DiagnosticError error =
      c.error("L106", "'" + std::string(text(name)) + "' is not the same kind of value on all paths: " + mismatch.why + where,
              mismatch.help, nullptr, {{"the paths meet after this", c.span(at)}});
  return std::make_shared<Diagnostic>(std::move(error.diagnostics.front()));
}

/// An object that was merged with another one is no longer the same object as any of the two: from now on neither may change.
static void freeze(Compilation &c, nb::handle value) {
  if (auto *tensor = as<GlobalTensor>(value)) tensor->fixed = true;
  if (PyTuple_CheckExact(value.ptr()) || PyList_CheckExact(value.ptr()))
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value.ptr()); ++i) freeze(c, PySequence_Fast_GET_ITEM(value.ptr(), i));
  c.freeze(value);
}

// ---------------------------------------------------------------- branches

namespace {
/// What a branch left behind.
struct Branch {
  std::unique_ptr<OpenRegion> region;
  std::vector<Variable> variables;
  nb::object value;
  struct Buffer {
    nb::object tensor;
    mlir::Value ir;
    DType dtype;
  };
  llvm::MapVector<PyObject *, Buffer> buffers; // of the GlobalTensors made outside that got another one

  const Buffer *buffer(PyObject *tensor) const {
    auto found = buffers.find(tensor);
    return found == buffers.end() ? nullptr : &found->second;
  }
};
} // namespace

void undo(Compilation &c, size_t mark) {
  for (; c.journal.size() > mark; c.journal.pop_back()) {
    Compilation::Change &change = c.journal.back();
    GlobalTensor &tensor = *as<GlobalTensor>(change.tensor);
    tensor.ir = change.ir, tensor.dtype = change.dtype;
  }
}

static Branch run_branch(Compilation &c, Frame &frame, llvm::function_ref<nb::object()> body) {
  Branch branch;
  std::vector<Variable> before = frame.variables;
  size_t mark = c.journal.size();
  branch.region = std::make_unique<OpenRegion>(c);
  const WithBlock *with = frame.with;
  branch.value = body();
  frame.with = with;
  branch.variables = std::move(frame.variables);
  frame.variables = std::move(before);
  for (size_t i = mark; i < c.journal.size(); ++i) {
    nb::object object = c.journal[i].tensor;
    GlobalTensor &tensor = *as<GlobalTensor>(object);
    bool outer = std::find(c.regions.begin(), c.regions.end() - 1, tensor.region) != c.regions.end() - 1;
    if (outer) branch.buffers[object.ptr()] = {object, tensor.ir, tensor.dtype};
  }
  undo(c, mark);
  branch.region->close();
  return branch;
}

/// Where a path leaves to, if that is known while compiling.
static std::optional<Flow> known_flow(const Variable &flow) {
  std::optional<Number> number = flow.value ? number_of(flow.value) : std::nullopt;
  return number ? std::optional(Flow(int(number->integer))) : std::nullopt;
}

/// Whether the op may run although its branch is not taken: it has no effect and raises nothing under the checks.
static bool is_harmless(mlir::Operation &op) {
  if (auto convert = llvm::dyn_cast<ConvertOp>(op)) return !convert.getChecked();
  return llvm::isa<arith::ConstantOp, arith::CmpIOp, arith::CmpFOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp, SizeOp>(
      op);
}

/// The value of an expression whose branches only compare and convert: no branch is needed.
static mlir::Value select(Compilation &c, mlir::Value condition, mlir::Value a, mlir::Value b) {
  if (a.getType().isInteger(1)) {
    if (b == condition || constant_of(b) == 0) return c.ops.create<arith::AndIOp>(c.loc(), condition, a);
    if (a == condition || constant_of(a) == 1) return c.ops.create<arith::OrIOp>(c.loc(), condition, b);
  }
  return c.ops.create<arith::SelectOp>(c.loc(), condition, a, b);
}

/// A merged value: its shape, what it is in both branches (null where nobody will look at it), and where it goes.
struct Translator::Merge {
  Shape shape;
  nb::object a, b;
  std::function<void(nb::object)> store;
  PyObject *variable = nullptr; // its name
};

/// Whether values of a shape can be made up where nobody will look at them.
static bool has_placeholder(Compilation &c, const Shape &shape) {
  llvm::SmallVector<mlir::Type> types;
  types_of(c, shape, types);
  return llvm::all_of(types, [](mlir::Type type) { return type.isIntOrFloat(); });
}
static void placeholders(Compilation &c, const Shape &shape, llvm::SmallVectorImpl<mlir::Value> &values) {
  llvm::SmallVector<mlir::Type> types;
  types_of(c, shape, types);
  for (mlir::Type type : types)
    values.push_back(c.ops.create<arith::ConstantOp>(c.loc(), llvm::cast<mlir::TypedAttr>(c.ops.getZeroAttr(type))));
}

nb::object Translator::merge_branches(PyObject *node, mlir::Value condition, llvm::function_ref<nb::object()> then_branch,
                                      llvm::function_ref<nb::object()> else_branch, bool else_left) {
  const uint64_t failures = c.failures;
  Branch a = run_branch(c, *frame, then_branch), b = run_branch(c, *frame, else_branch);
  auto left = [&](const Branch &branch) { return known_flow(branch.variables[frame->flow_slot()]).value_or(Flow::Next) != Flow::Next; };
  const bool left_a = left(a), left_b = else_left || left(b);
  std::vector<Merge> merges;
  nb::object result;
  Mismatch mismatch;
  if (a.value.is(b.value)) {
    result = a.value;
  } else {
    std::optional<Shape> shape = join(c, shape_of(c, a.value), shape_of(c, b.value), mismatch);
    if (!shape && c.failures != failures) throw DiagnosticError(follow_on());
    if (!shape) throw c.error("L106", "the value is not of the same kind on both paths: " + mismatch.why, mismatch.help, node);
    freeze(c, a.value), freeze(c, b.value);
    merges.push_back({std::move(*shape), a.value, b.value, [&](nb::object value) { result = std::move(value); }});
  }
  bool is_expression = syntax_of(node) != Syntax::If;
  for (size_t i = 0; i < frame->variables.size(); ++i) {
    Variable &x = a.variables[i], &y = b.variables[i];
    Variable &merged = frame->variables[i];
    auto merge = [&](Shape shape, nb::object in_a, nb::object in_b, std::shared_ptr<const Diagnostic> why) {
      merges.push_back({std::move(shape), std::move(in_a), std::move(in_b),
                        [&merged, why](nb::object value) { merged = {std::move(value), why}; }, frame->names[i]});
    };
    if (is_unknown(x) || is_unknown(y)) {
      merged = {{}, is_unknown(x) ? x.why : y.why};
      continue;
    }
    if (x.value.is(y.value)) {
      merged = x.value && !x.why ? x : y;
      continue;
    }
    std::optional<Shape> shape = x.value && y.value ? join(c, shape_of(c, x.value), shape_of(c, y.value), mismatch) : std::nullopt;
    if (shape) {
      freeze(c, x.value), freeze(c, y.value);
      merge(std::move(*shape), x.value, y.value, x.why ? x.why : y.why);
      continue;
    }
    const bool in_then = !x.value;
    std::shared_ptr<const Diagnostic> reason =
        x.value && y.value ? changed_kind(c, frame->names[i], mismatch, node)
                           : unset(c, frame->names[i], "it is not assigned when " + decision(c, node) + outcome(node, in_then), node);
    // What follows in the loop body runs after the other branch only, and so does what returns a value.
    const bool only_a = left_b && !left_a, only_b = left_a && !left_b;
    const bool is_result = i == frame->returned_slot();
    merged = {{}, reason};
    if ((x.value && (only_a || (is_result && !y.value))) || (y.value && (only_b || (is_result && !x.value)))) {
      const Variable &live = x.value && (only_a || is_result) ? x : y;
      Shape live_shape = is_result ? generalised(c, shape_of(c, live.value)) : shape_of(c, live.value);
      if (live_shape.is_static())
        merged = {live.value, is_result ? nullptr : reason};
      else if (!has_placeholder(c, live_shape) && is_result)
        throw returned_from_loop(c, live.value, leaving);
      else if (has_placeholder(c, live_shape))
        merge(std::move(live_shape), &live == &x ? x.value : nb::object(), &live == &y ? y.value : nb::object(),
              is_result ? nullptr : reason);
    }
  }
  // Buffers: a GlobalTensor keeps the one it had in the branch that does not touch it.
  llvm::SetVector<PyObject *> tensors;
  for (auto &[object, buffer] : a.buffers) tensors.insert(object);
  for (auto &[object, buffer] : b.buffers) tensors.insert(object);
  for (PyObject *object : tensors) {
    nb::object tensor = nb::borrow(object);
    GlobalTensor &state = *as<GlobalTensor>(tensor);
    auto in = [&](const Branch &branch) {
      const Branch::Buffer *buffer = branch.buffer(object);
      GlobalTensor copy = state;
      if (buffer) copy.ir = buffer->ir, copy.dtype = buffer->dtype;
      copy.fixed = true;
      return copy;
    };
    GlobalTensor x = in(a), y = in(b);
    c.journal.push_back({tensor, state.ir, state.dtype});
    if (!x.ir || !y.ir) {
      state.ir = {}, state.dtype = DType::Void; // no buffer on one path: using it is an error
      continue;
    }
    if (x.dtype != y.dtype)
      throw c.error("L106",
                    "this GlobalTensor gets a buffer of " + std::string(name(x.dtype)) + " on one path and of " +
                        std::string(name(y.dtype)) + " on the other",
                    "use two GlobalTensors", node);
    merges.push_back({Shape{Shape::Kind::Global, x.dtype}, nb::cast(x), nb::cast(y), [&state](nb::object value) {
                        GlobalTensor &made = *as<GlobalTensor>(value);
                        state.ir = made.ir, state.dtype = made.dtype;
                      }});
  }

  // The values that leave the branches, converted at their ends.
  llvm::SmallVector<mlir::Value> from_a, from_b;
  llvm::SmallVector<mlir::Type> types;
  for (const Merge &merge : merges) types_of(c, merge.shape, types);
  auto leave = [&](Branch &branch, bool is_a, llvm::SmallVectorImpl<mlir::Value> &values) {
    branch.region->reopen();
    for (const Merge &merge : merges) {
      const nb::object &value = is_a ? merge.a : merge.b;
      if (value)
        take_apart(c, merge.shape, value, values);
      else
        placeholders(c, merge.shape, values);
    }
    branch.region->close();
  };
  leave(a, true, from_a), leave(b, false, from_b);

  llvm::SmallVector<mlir::Value> results;
  mlir::Block &block_a = a.region->block(), &block_b = b.region->block();
  auto scalar = [](mlir::Type type) { return type.isIntOrFloat(); };
  bool flat = is_expression && llvm::all_of(block_a, is_harmless) && llvm::all_of(block_b, is_harmless) && llvm::all_of(types, scalar);
  if (flat) {
    for (mlir::Block *block : {&block_a, &block_b})
      c.ops.getInsertionBlock()->getOperations().splice(c.ops.getInsertionPoint(), block->getOperations());
    for (size_t i = 0; i < types.size(); ++i) results.push_back(select(c, condition, from_a[i], from_b[i]));
  } else if (!types.empty() || !block_a.empty() || !block_b.empty()) {
    bool has_else = !types.empty() || !block_b.empty();
    a.region->reopen(), c.ops.create<scf::YieldOp>(c.loc(), from_a), a.region->close();
    b.region->reopen(), c.ops.create<scf::YieldOp>(c.loc(), from_b), b.region->close();
    auto op = c.ops.create<scf::IfOp>(c.loc(), types, condition);
    op.getThenRegion().takeBody(*a.region->region);
    if (has_else) op.getElseRegion().takeBody(*b.region->region);
    results.assign(op.result_begin(), op.result_end());
    if (merges.size() == 1 && merges[0].variable && results.size() == 1) c.name_op(results[0], merges[0].variable);
  }
  mlir::ValueRange parts = results;
  for (const Merge &merge : merges) merge.store(put_together(c, merge.shape, parts));
  return result;
}

// ---------------------------------------------------------------- leaving

Leaving leaving_of(PyObject *list, bool inner) {
  Leaving all = Leaving::Never;
  for (PyObject *node : Nodes(list)) {
    Leaving here = Leaving::Never;
    switch (syntax_of(node)) {
    case Syntax::Return: return Leaving::Surely;
    case Syntax::Break:
    case Syntax::Continue:
      if (!inner) return Leaving::Surely;
      return all; // the rest of the list never runs
    case Syntax::If: {
      Leaving a = leaving_of(field(node, Child::body), inner), b = leaving_of(field(node, Child::orelse), inner);
      here = a == b ? a : Leaving::Maybe;
      break;
    }
    case Syntax::For:
    case Syntax::While:
      if (leaving_of(field(node, Child::body), true) != Leaving::Never || leaving_of(field(node, Child::orelse), inner) != Leaving::Never)
        here = Leaving::Maybe;
      break;
    case Syntax::With: here = leaving_of(field(node, Child::body), inner); break;
    default: break;
    }
    if (here == Leaving::Surely) return here;
    if (here == Leaving::Maybe) all = here;
  }
  return all;
}

bool returns_value(PyObject *list) {
  for (PyObject *node : Nodes(list)) switch (syntax_of(node)) {
    case Syntax::Return:
      if (field(node, Child::value) != Py_None) return true;
      break;
    case Syntax::If:
    case Syntax::For:
    case Syntax::While:
      if (returns_value(field(node, Child::body)) || returns_value(field(node, Child::orelse))) return true;
      break;
    case Syntax::With:
      if (returns_value(field(node, Child::body))) return true;
      break;
    default: break;
    }
  return false;
}

static Rest::End end_of(const Rest *rest) {
  while (rest->list) rest = rest->outer;
  return rest->end;
}

void Translator::set_flow(Flow flow) {
  if (flow == Flow::Left) return;
  frame->flow() = {nb::int_(int(flow)), nullptr};
  if (flow == Flow::Return) frame->returned() = {frame->result, nullptr};
}

mlir::Value Translator::flow_is(Syntax comparison, Flow flow) {
  Truth holds = truth(c, compare(c, comparison, frame->flow().value, nb::int_(int(flow))));
  return holds.known ? int_constant(c, *holds.known, DType::Bool) : holds.ir;
}

Flow Translator::conditional(PyObject *node, mlir::Value condition, const Rest *rest, Leaving a, Body then_body, Leaving b,
                             Body else_body) {
  if (!rest || (a == Leaving::Never && b == Leaving::Never)) {
    auto branch = [&](Body body) -> nb::object {
      body(nullptr);
      return nb::none();
    };
    merge_branches(node, condition, [&] { return branch(then_body); }, [&] { return branch(else_body); });
    return Flow::Next;
  }
  const bool one_leaves = a == Leaving::Surely || b == Leaving::Surely, in_function = end_of(rest) == Rest::End::Function;
  if (in_function && (one_leaves || frame->returns_value)) {
    // When one branch returns, the other one goes on to the end of the function: nothing follows where they meet.
    auto branch = [&](Body body) -> nb::object {
      if (body(rest) == Flow::Next) finish(rest);
      frame->variables.assign(frame->variables.size(), {});
      set_flow(Flow::Next);
      return frame->result;
    };
    frame->result = merge_branches(node, condition, [&] { return branch(then_body); }, [&] { return branch(else_body); });
    return Flow::Return;
  }
  // When one branch surely leaves, what follows belongs to the other one; else it runs under a test.
  const Rest meeting{nullptr, 0, nullptr, Rest::End::Merge};
  auto branch = [&](Body body, bool goes_on) -> nb::object {
    Flow flow = body(goes_on ? rest : &meeting);
    if (flow == Flow::Next && goes_on) flow = finish(rest);
    set_flow(flow);
    return nb::none();
  };
  merge_branches(
      node, condition, [&] { return branch(then_body, b == Leaving::Surely); }, [&] { return branch(else_body, a == Leaving::Surely); });
  if (std::optional<Flow> flow = known_flow(frame->flow())) {
    if (*flow == Flow::Return) frame->result = frame->returned().value;
    return *flow;
  }
  if (one_leaves) return Flow::Left;
  auto what_follows = [&]() -> nb::object {
    set_flow(Flow::Next);
    set_flow(finish(rest));
    if (in_function) frame->variables.assign(frame->variables.size(), {}); // nothing follows
    return nb::none();
  };
  merge_branches(node, flow_is(Syntax::Eq, Flow::Next), what_follows, [] { return nb::none(); }, /*else_left=*/true);
  if (!in_function) return Flow::Left;
  frame->result = nb::none();
  return Flow::Return;
}

// ---------------------------------------------------------------- loops

/// The values that go round a loop. The body is translated with an assumption about their shapes; when its end does not agree, the
/// assumption is widened and the body translated again.
class Loop {
public:
  Loop(Translator &t, PyObject *node, bool runs) : translator_(t), c_(t.c), frame_(*t.frame), node_(node), runs_(runs) {
    entry_ = frame_.variables;
    mark_ = c_.journal.size();
    singles_ = c_.singles;
    depth_ = c_.regions.size();
    llvm::SetVector<PyObject *> names;
    if (syntax_of(node) == Syntax::For) assigned_in_target(field(node, Child::target), names);
    if (syntax_of(node) == Syntax::With) {
      Nodes items(node, Child::items);
      if (PyObject *target = field(items[items.size() - 1], Child::optional_vars); target != Py_None) assigned_in_target(target, names);
    }
    assigned_names(field(node, Child::body), names);
    if (frame_.source->walrus) {
      llvm::SetVector<PyObject *> in_test;
      if (syntax_of(node) == Syntax::While) assigned_in_expressions(field(node, Child::test), in_test);
      for (PyObject *name : in_test) assigned_in_test_.push_back(frame_.slots.lookup(name));
      names.insert(in_test.begin(), in_test.end());
      assigned_in_expressions(field(node, Child::body), names);
    }
    for (PyObject *name : names) {
      unsigned slot = frame_.slots.lookup(name);
      assigned_.push_back(slot);
      if (!entry_[slot].value) continue;
      carried_.push_back({slot, {}, generalised(c_, shape_of(c_, entry_[slot].value)), entry_[slot].value});
      if (!carried_.back().shape.is_static()) freeze(c_, entry_[slot].value);
    }
    returns_ = leaving_of(field(node, Child::body), true) != Leaving::Never;
    leaves_ = returns_ || leaving_of(field(node, Child::body)) != Leaving::Never;
    if (leaves_) carried_.push_back({frame_.flow_slot(), {}, Shape{Shape::Kind::Plain, DType::Int32}, nb::int_(0)});
    const Frame::Round &learned = frame_.rounds[node];
    for (const nb::object &tensor : learned.buffers)
      if (const GlobalTensor &now = *as<GlobalTensor>(tensor); now.ir && is_outer(now)) carry_buffer(tensor, now.ir, now.dtype);
    if (learned.returned) carry_returned(*learned.returned);
  }

  /// Whether a statement of the body may leave it.
  bool leaves() const { return leaves_; }

  /// After the test of a while loop, which sets variables in every round: true when there are new ones among them that go round.
  bool carry_from_test() {
    bool found = false;
    for (unsigned slot : assigned_in_test_) {
      const Variable &now = frame_.variables[slot];
      if (llvm::any_of(carried_, [&](const Carried &value) { return !value.tensor && value.slot == slot; })) continue;
      Shape shape = now.value && !now.why ? generalised(c_, shape_of(c_, now.value)) : Shape{};
      if (!now.value || now.why || !has_placeholder(c_, shape)) continue;
      carried_.push_back({slot, {}, std::move(shape), {}});
      found = true;
    }
    return found;
  }

  /// At the start of a region: variables and buffers are its arguments.
  void begin(mlir::Block &block) {
    for (Carried &value : carried_) {
      llvm::SmallVector<mlir::Type> types;
      types_of(c_, value.shape, types);
      llvm::SmallVector<mlir::Value> arguments;
      if (!value.why)
        for (mlir::Type type : types) arguments.push_back(block.addArgument(type, location(value)));
      mlir::ValueRange parts = arguments;
      if (value.why)
        frame_.variables[value.slot] = {{}, value.why};
      else if (value.shape.is_static() && value.entry)
        store(value, value.entry);
      else
        store(value, put_together(c_, value.shape, parts));
    }
  }

  /// At the end of the body: whether everything has the shape that was assumed.
  bool agrees() {
    bool stable = true;
    for (Carried &value : carried_) {
      if (value.why || value.tensor) continue;
      const Variable &now = frame_.variables[value.slot];
      if (value.slot == frame_.returned_slot() && !now.value) continue; // no return was reached this time
      Mismatch mismatch;
      if (now.value && !now.why && value.shape.is_static() && now.value.is(value.entry)) continue;
      std::optional<Shape> shape = now.value && !now.why ? join(c_, value.shape, shape_of(c_, now.value), mismatch) : std::nullopt;
      if (shape && *shape == value.shape) continue;
      stable = false;
      if (shape)
        value.shape = std::move(*shape);
      else
        value.why = now.value && !now.why ? changed_kind(c_, frame_.names[value.slot], mismatch, node_) : now.why;
      if (value.entry) freeze(c_, value.entry);
    }
    if (const nb::object &result = frame_.returned().value; returns_ && result && !returned_) {
      Shape shape = generalised(c_, shape_of(c_, result));
      if (!shape.is_static() && !has_placeholder(c_, shape)) throw returned_from_loop(c_, result, translator_.leaving);
      stable &= shape.is_static();
      frame_.rounds[node_].returned = shape;
      carry_returned(std::move(shape));
    }
    for (size_t i = mark_; i < c_.journal.size(); ++i) {
      Compilation::Change change = c_.journal[i];
      GlobalTensor &tensor = *as<GlobalTensor>(change.tensor);
      bool known = llvm::any_of(carried_, [&](const Carried &value) { return value.tensor.is(change.tensor); });
      // Without a buffer before the loop it has none at the start of the body either.
      if (!is_outer(tensor) || known || !change.ir) continue;
      stable = false;
      frame_.rounds[node_].buffers.push_back(change.tensor);
      carry_buffer(change.tensor, change.ir, change.dtype);
    }
    for (Carried &value : carried_)
      if (value.tensor && as<GlobalTensor>(value.tensor)->dtype != value.shape.dtype)
        throw c_.error("L106", "this GlobalTensor gets buffers of different dtypes in the loop", "use two GlobalTensors", node_);
    return stable;
  }

  /// Forgets a translation of the body.
  void restart() {
    undo(c_, mark_);
    c_.restore(singles_);
    for (Carried &value : carried_)
      if (value.tensor) restore(value);
    frame_.variables = entry_;
    // Each round widens at least one value, and none can widen often.
    if (++rounds_ > 100 + 16 * carried_.size()) throw InternalError("the values of a loop do not settle");
  }

  /// Variables that only the body assigns: they leave the loop when it surely runs. The first value is never seen.
  void carry_late(llvm::ArrayRef<mlir::Block *> blocks) {
    if (!runs_) return;
    for (unsigned slot : assigned_) {
      const Variable &now = frame_.variables[slot];
      bool is_carried = llvm::any_of(carried_, [&](const Carried &value) { return !value.tensor && value.slot == slot && !value.why; });
      if (is_carried || !now.value || now.why) continue;
      Shape shape = shape_of(c_, now.value);
      if (!has_placeholder(c_, shape)) continue;
      llvm::SmallVector<mlir::Type> types;
      types_of(c_, shape, types);
      llvm::erase_if(carried_, [&](const Carried &value) { return !value.tensor && value.slot == slot; });
      for (mlir::Block *block : blocks)
        for (mlir::Type type : types) block->addArgument(type, c_.loc());
      carried_.push_back({slot, {}, std::move(shape), {}});
    }
  }

  /// The same for a loop whose test comes first: the test hands them on.
  void carry_late_in_while(mlir::Block &before, mlir::Block &after) {
    runs_ = true;
    unsigned known = before.getNumArguments();
    carry_late({&before, &after});
    for (mlir::BlockArgument argument : before.getArguments().drop_front(known))
      before.getTerminator()->insertOperands(before.getTerminator()->getNumOperands(), argument);
  }

  /// The values at this point, as operands of a terminator.
  llvm::SmallVector<mlir::Value> values() {
    llvm::SmallVector<mlir::Value> parts;
    for (Carried &value : carried_)
      if (!value.why && !value.shape.is_static()) {
        const nb::object &now = value.tensor ? value.tensor : frame_.variables[value.slot].value;
        if (now)
          take_apart(c_, value.shape, now, parts);
        else
          placeholders(c_, value.shape, parts); // what no return of this round has set
      }
    return parts;
  }

  /// The values before the loop.
  llvm::SmallVector<mlir::Value> initial() {
    llvm::SmallVector<mlir::Value> parts;
    for (Carried &value : carried_) {
      if (value.why) continue;
      if (value.entry) {
        take_apart(c_, value.shape, value.entry, parts);
        continue;
      }
      placeholders(c_, value.shape, parts);
    }
    return parts;
  }

  /// After the loop: variables and buffers are its results.
  void finish(mlir::ValueRange results) {
    std::vector<Variable> after = std::move(frame_.variables);
    frame_.variables = entry_;
    undo(c_, mark_);
    for (unsigned slot : assigned_) {
      if (is_unknown(after[slot])) {
        frame_.variables[slot] = after[slot];
        continue;
      }
      const std::string path = "it is not assigned when " + decision(c_, node_) + " runs zero times";
      frame_.variables[slot] = {{}, unset(c_, frame_.names[slot], path, node_)};
    }
    for (Carried &value : carried_) {
      if (value.tensor) restore(value);
      if (value.why)
        frame_.variables[value.slot] = {{}, value.why};
      else if (value.shape.is_static() && value.entry)
        frame_.variables[value.slot] = {value.entry, nullptr};
      else
        store(value, put_together(c_, value.shape, results), /*log=*/true);
    }
  }

private:
  struct Carried {
    unsigned slot;
    nb::object tensor; // a GlobalTensor whose buffer goes round, instead of a variable
    Shape shape;
    nb::object entry;                      // the value before the loop; null: none
    std::shared_ptr<const Diagnostic> why; // the variable cannot go round: it has no value at the start of the body and after the loop
  };

  bool is_outer(const GlobalTensor &tensor) {
    auto end = c_.regions.begin() + depth_;
    return std::find(c_.regions.begin(), end, tensor.region) != end;
  }
  void carry_buffer(const nb::object &tensor, mlir::Value ir, DType dtype) {
    GlobalTensor entry = *as<GlobalTensor>(tensor);
    entry.ir = ir, entry.dtype = dtype, entry.fixed = true;
    carried_.push_back({0, tensor, Shape{Shape::Kind::Global, dtype}, nb::cast(entry)});
  }
  void carry_returned(Shape shape) {
    returned_ = true;
    carried_.push_back({frame_.returned_slot(), {}, std::move(shape), {}});
  }

  mlir::Location location(const Carried &value) {
    if (value.tensor) return c_.loc();
    return mlir::NameLoc::get(c_.ops.getStringAttr(llvm::StringRef(text(frame_.names[value.slot]))), c_.loc());
  }
  void store(Carried &value, nb::object now, bool log = false) {
    if (!value.tensor) {
      frame_.variables[value.slot] = {std::move(now), nullptr};
      return;
    }
    GlobalTensor &tensor = *as<GlobalTensor>(value.tensor), &made = *as<GlobalTensor>(now);
    if (log) c_.journal.push_back({value.tensor, tensor.ir, tensor.dtype});
    tensor.ir = made.ir, tensor.dtype = made.dtype;
  }
  void restore(Carried &value) {
    GlobalTensor &tensor = *as<GlobalTensor>(value.tensor), &entry = *as<GlobalTensor>(value.entry);
    tensor.ir = entry.ir, tensor.dtype = entry.dtype;
  }

  Translator &translator_;
  Compilation &c_;
  Frame &frame_;
  PyObject *node_;
  bool runs_;
  std::vector<Variable> entry_;
  std::vector<unsigned> assigned_, assigned_in_test_;
  std::vector<Carried> carried_;
  size_t mark_, depth_;
  Compilation::Singles singles_;
  size_t rounds_ = 0;
  bool leaves_ = false, returns_ = false, returned_ = false;
};

/// How a range becomes a loop that counts up: bounds and step of the counter, and the value of the variable for a count.
struct Counter {
  mlir::Value low, high, step;
  DType dtype;
  bool runs = false, never = false; // known before
  // The variable is low + k * step itself, or first + k * stride.
  mlir::Value first, stride;
  DType variable;
};

static Counter counter_of(Compilation &c, PyObject *node, const LoopRange &range) {
  PyObject *iter = field(node, Child::iter);
  At at(c, iter);
  auto bound = [&](const nb::object &value, std::string_view what) {
    std::optional<Number> number = number_of(value);
    auto *plain = as<PlainValue>(value);
    bool whole = plain ? !info(plain->dtype).is_float : number && number->kind != Number::Kind::Float;
    if (!whole)
      throw c.error("T110", std::string(what) + " of the range is " + describe(value) + ", expected an int",
                    "convert it: x.cast(asc.int32), or use // instead of /");
    return index(c, value, what);
  };
  Index start = bound(range.start, "the start"), stop = bound(range.stop, "the stop"), step = bound(range.step, "the step");
  if (step.known == 0) throw c.error("T111", std::string(kNoStep), std::string(kStepHelp));
  Counter counter;
  bool wide = start.dtype == DType::Int64 || stop.dtype == DType::Int64 || step.dtype == DType::Int64;
  counter.variable = counter.dtype = wide ? DType::Int64 : DType::Int32;
  auto to = [&](const Index &i, DType dtype) { return i.known ? int_constant(c, *i.known, dtype) : cast(c, i.ir, i.dtype, dtype); };
  bool known = start.known && stop.known && step.known;
  if (known) {
    counter.runs = *step.known > 0 ? *start.known < *stop.known : *start.known > *stop.known;
    counter.never = !counter.runs;
  }
  if (step.known && *step.known > 0) {
    // The counter goes one step beyond the last value.
    bool fits = !known || __int128(*stop.known) + *step.known <= (wide ? __int128(INT64_MAX) : __int128(INT32_MAX));
    if (fits || !wide) {
      counter.dtype = fits ? counter.dtype : DType::Int64;
      counter.low = to(start, counter.dtype), counter.high = to(stop, counter.dtype), counter.step = to(step, counter.dtype);
      return counter;
    }
  }
  // Any other step: count the iterations, in 64 bits so that no distance overflows.
  counter.dtype = DType::Int64;
  counter.low = int_constant(c, 0, DType::Int64), counter.step = int_constant(c, 1, DType::Int64);
  counter.first = to(start, DType::Int64), counter.stride = to(step, DType::Int64);
  if (known) {
    __int128 distance = *step.known > 0 ? __int128(*stop.known) - *start.known : __int128(*start.known) - *stop.known;
    __int128 pace = *step.known > 0 ? __int128(*step.known) : -__int128(*step.known);
    __int128 count = counter.never ? 0 : (distance + pace - 1) / pace;
    if (count > INT64_MAX) throw c.error("T111", "the range has more than 2**63 elements");
    counter.high = int_constant(c, int64_t(count), DType::Int64);
    return counter;
  }
  auto scalar = [&](mlir::Value value) { return c.make_scalar(value, DType::Int64); };
  nb::object first = scalar(counter.first), last = scalar(to(stop, DType::Int64)), stride = scalar(counter.stride), zero = nb::int_(0),
             one = nb::int_(1);
  auto count_up = [&](nb::handle distance, nb::handle pace) { // max(distance, 0) rounded up to whole paces
    nb::object positive = extremum(c, true, distance, zero);
    return binary(c, Syntax::FloorDiv, binary(c, Syntax::Add, positive, binary(c, Syntax::Sub, pace, one)), pace);
  };
  nb::object up = binary(c, Syntax::Sub, last, first), down = binary(c, Syntax::Sub, first, last), count;
  if (step.known) {
    count = count_up(down, nb::int_(-*step.known));
  } else {
    mlir::Value forward = c.use(*as<PlainValue>(compare(c, Syntax::Gt, stride, zero)));
    auto choose = [&](mlir::Value condition, nb::handle a, nb::handle b) {
      return scalar(c.ops.create<arith::SelectOp>(c.loc(), condition, convert(c, a, DType::Int64, "a"), convert(c, b, DType::Int64, "b")));
    };
    // A step of zero is a division by zero, which the checks find; the result is 0.
    count = count_up(choose(forward, up, down), choose(forward, stride, unary(c, Syntax::USub, stride)));
  }
  counter.high = c.use(*as<PlainValue>(count));
  return counter;
}

/// The body of a loop, with Frame::flow() set at its end.
Flow Translator::loop_body(PyObject *node) {
  const Rest end{nullptr, 0, nullptr, Rest::End::Body};
  set_flow(Flow::Next);
  const WithBlock *with = frame->with, *around = std::exchange(frame->with_around_loop, with);
  set_flow(block(field(node, Child::body), &end));
  frame->with_around_loop = around;
  frame->with = with; // a return has left it; what follows the loop has not
  return known_flow(frame->flow()).value_or(Flow::Left);
}

Flow Translator::for_loop(PyObject *node, const LoopRange &range) {
  Counter counter = counter_of(c, node, range);
  if (counter.never) return Flow::Next;
  Loop loop(*this, node, counter.runs);
  mlir::Type type = scalar_type(c.context, counter.dtype);
  PyObject *target = field(node, Child::target);
  auto counter_argument = [&](mlir::Block &block) {
    return block.addArgument(
        type, make_location(c.context, c.span(target),
                            counter.first || syntax_of(target) != Syntax::Name ? std::string_view() : text(field(target, Child::id))));
  };
  auto assign_target = [&](mlir::Value k) {
    At at(c, target);
    mlir::Value value = k;
    if (counter.first) {
      value = c.ops.create<arith::MulIOp>(c.loc(), value, counter.stride, arith::IntegerOverflowFlags::nsw);
      value = c.ops.create<arith::AddIOp>(c.loc(), counter.first, value, arith::IntegerOverflowFlags::nsw);
    }
    assign(target, c.make_scalar(cast(c, value, counter.dtype, counter.variable), counter.variable));
  };
  for (;;) {
    OpenRegion before(c);
    mlir::Value k, goes_on;
    if (loop.leaves()) { // a loop with another end is a while loop; the test comes last, when all that goes round is known
      k = counter_argument(before.block());
      goes_on = before.block().addArgument(c.ops.getI1Type(), c.loc());
      loop.begin(before.block());
      mlir::Value inside = c.ops.create<arith::CmpIOp>(c.loc(), arith::CmpIPredicate::slt, k, counter.high);
      goes_on = c.ops.create<arith::AndIOp>(c.loc(), goes_on, inside);
    }
    before.close();
    OpenRegion region(c);
    k = counter_argument(region.block());
    if (loop.leaves()) region.block().addArgument(c.ops.getI1Type(), c.loc());
    loop.begin(region.block());
    if (loop.leaves()) c.ops.create<RoundOp>(c.loc());
    assign_target(k);
    mark_round(node, loop_body(node));
    if (!loop.agrees()) {
      loop.restart();
      continue;
    }
    if (!loop.leaves()) {
      loop.carry_late({&region.block()});
      c.ops.create<scf::YieldOp>(c.loc(), loop.values());
      region.close();
      auto op = c.ops.create<scf::ForOp>(c.loc(), counter.low, counter.high, counter.step, loop.initial());
      op.getRegion().takeBody(*region.region);
      loop.finish(op.getResults());
      return Flow::Next;
    }
    loop.carry_late({&before.block(), &region.block()});
    llvm::SmallVector<mlir::Value> yields{c.ops.create<arith::AddIOp>(c.loc(), k, counter.step), flow_is(Syntax::Lt, Flow::Break)};
    llvm::append_range(yields, loop.values());
    c.ops.create<scf::YieldOp>(c.loc(), yields);
    region.close();
    before.reopen();
    c.ops.create<scf::ConditionOp>(c.loc(), goes_on, before.block().getArguments());
    before.close();
    llvm::SmallVector<mlir::Value> initial{counter.low, int_constant(c, 1, DType::Bool)};
    llvm::append_range(initial, loop.initial());
    auto op = c.ops.create<scf::WhileOp>(c.loc(), region.block().getArgumentTypes(), initial);
    op.getBefore().takeBody(*before.region);
    op.getAfter().takeBody(*region.region);
    loop.finish(op.getResults().drop_front(2));
    return Flow::Left;
  }
}

/// Whether a break may leave the loop whose body this is.
static bool may_break(PyObject *list) {
  return llvm::any_of(Nodes(list), [](PyObject *node) {
    switch (syntax_of(node)) {
    case Syntax::Break: return true;
    case Syntax::If: return may_break(field(node, Child::body)) || may_break(field(node, Child::orelse));
    case Syntax::For:
    case Syntax::While: return may_break(field(node, Child::orelse));
    case Syntax::With: return may_break(field(node, Child::body));
    default: return false;
    }
  });
}

Flow Translator::while_loop(PyObject *node) {
  PyObject *test = field(node, Child::test);
  Loop loop(*this, node, /*runs=*/false);
  for (;;) {
    OpenRegion before(c);
    mlir::Value goes_on;
    if (loop.leaves()) goes_on = before.block().addArgument(c.ops.getI1Type(), c.loc());
    loop.begin(before.block());
    std::optional<bool> always;
    bool again = false;
    auto evaluated = [&]() -> nb::object {
      mark_statement(node);
      nb::object value = evaluate(test);
      At at(c, test);
      Truth condition = truth(c, value);
      always = condition.known;
      again = loop.carry_from_test();
      return condition.known ? nb::object(nb::bool_(*condition.known)) : c.make_scalar(condition.ir, DType::Bool);
    };
    // A loop that was left asks no more.
    nb::object holds =
        loop.leaves() ? merge_branches(test, goes_on, evaluated, []() -> nb::object { return nb::bool_(false); }) : evaluated();
    if (always == false) { // it never runs
      before.close();
      loop.restart();
      evaluate(test); // for what it does
      return Flow::Next;
    }
    if (again || !loop.agrees()) {
      before.close();
      loop.restart();
      continue;
    }
    {
      At at(c, test);
      Truth condition = truth(c, holds);
      mlir::Value test_value = condition.known ? int_constant(c, 1, DType::Bool) : condition.ir;
      llvm::SmallVector<mlir::Value> handed;
      if (loop.leaves()) handed.push_back(goes_on);
      llvm::append_range(handed, loop.values());
      c.ops.create<scf::ConditionOp>(c.loc(), test_value, handed);
    }
    before.close();
    OpenRegion after(c);
    if (loop.leaves()) after.block().addArgument(c.ops.getI1Type(), c.loc());
    loop.begin(after.block());
    c.ops.create<RoundOp>(c.loc());
    loop_body(node);
    if (!loop.agrees()) {
      loop.restart();
      continue;
    }
    if (always == true) loop.carry_late_in_while(before.block(), after.block());
    llvm::SmallVector<mlir::Value> yields;
    if (loop.leaves()) yields.push_back(flow_is(Syntax::Lt, Flow::Break));
    llvm::append_range(yields, loop.values());
    c.ops.create<scf::YieldOp>(c.loc(), yields);
    after.close();
    llvm::SmallVector<mlir::Value> initial;
    if (loop.leaves()) initial.push_back(int_constant(c, 1, DType::Bool));
    llvm::append_range(initial, loop.initial());
    auto op = c.ops.create<scf::WhileOp>(c.loc(), after.block().getArgumentTypes(), initial);
    op.getBefore().takeBody(*before.region);
    op.getAfter().takeBody(*after.region);
    loop.finish(op.getResults().drop_front(loop.leaves() ? 1 : 0));
    if (!loop.leaves()) return Flow::Next;
    PyObject *body = field(node, Child::body);
    if (always != true || may_break(body) || leaving_of(body, true) == Leaving::Never) return Flow::Left;
    nb::object result = std::exchange(frame->returned(), {}).value; // nothing follows: only a return leaves it
    frame->result = result ? result : nb::object(nb::none());
    return Flow::Return;
  }
}

Flow Translator::iterate_loop(PyObject *node, const MatmulLoop &blocks, PyObject *target) {
  if (leaving_of(field(node, Child::body)) != Leaving::Never)
    throw c.error("L317", "break, continue and return cannot leave the loop of iterate()",
                  "the Matmul goes through all of its blocks; skip what is not wanted with if");
  Loop loop(*this, node, /*runs=*/true); // iterate() that has nothing more to compute stops the launch
  mlir::Type type = scalar_type(c.context, DType::Int32);
  const std::string_view name = target != Py_None && syntax_of(target) == Syntax::Name ? text(field(target, Child::id)) : "block";
  const mlir::Location named = make_location(c.context, c.span(node), name);
  const auto counter = [&](mlir::Block &block) { return block.addArgument(type, named); };
  for (;;) {
    OpenRegion before(c);
    counter(before.block());
    loop.begin(before.block());
    before.close();
    OpenRegion after(c);
    mlir::Value count = counter(after.block());
    loop.begin(after.block());
    c.ops.create<RoundOp>(c.loc());
    if (target != Py_None) {
      At at(c, target);
      assign(target, c.make_scalar(count, DType::Int32));
    }
    loop_body(node);
    if (!loop.agrees()) {
      loop.restart();
      continue;
    }
    loop.carry_late({&before.block(), &after.block()});
    llvm::SmallVector<mlir::Value> yields{
        c.ops.create<arith::AddIOp>(named, count, int_constant(c, 1, DType::Int32), arith::IntegerOverflowFlags::nsw)};
    llvm::append_range(yields, loop.values());
    c.ops.create<scf::YieldOp>(c.loc(), yields);
    after.close();
    before.reopen();
    mlir::Value more = iterate_once(c, blocks);
    c.ops.create<scf::ConditionOp>(c.loc(), more, before.block().getArguments());
    before.close();
    llvm::SmallVector<mlir::Value> initial{int_constant(c, 0, DType::Int32)};
    llvm::append_range(initial, loop.initial());
    auto op = c.ops.create<scf::WhileOp>(c.loc(), after.block().getArgumentTypes(), initial);
    op.getBefore().takeBody(*before.region);
    op.getAfter().takeBody(*after.region);
    loop.finish(op.getResults().drop_front(1));
    return Flow::Next;
  }
}

Flow Translator::after_loop(PyObject *node, Flow flow, const Rest *rest) {
  // What holds only on paths that stay in the body has ended with it.
  for (Variable &variable : frame->variables)
    if (variable.why) variable.value = {};
  PyObject *orelse = field(node, Child::orelse);
  auto otherwise = [&](const Rest *r) { return block(orelse, r); };
  auto nothing = [](const Rest *) { return Flow::Next; };
  if (flow == Flow::Return) return flow;
  if (flow != Flow::Left) {
    set_flow(Flow::Next);
    return flow == Flow::Break ? Flow::Next : otherwise(rest);
  }
  mlir::Value completed = flow_is(Syntax::Lt, Flow::Break), left_function = flow_is(Syntax::Eq, Flow::Return);
  nb::object result = std::exchange(frame->returned(), {}).value;
  set_flow(Flow::Next);
  auto completes = [&](const Rest *r) {
    if (Nodes(orelse).size() == 0) return Flow::Next;
    if (!may_break(field(node, Child::body))) return otherwise(r);
    return conditional(node, completed, r, leaving_of(orelse), otherwise, Leaving::Never, nothing);
  };
  if (leaving_of(field(node, Child::body), true) == Leaving::Never) return completes(rest);
  auto returns = [&](const Rest *) {
    frame->result = result ? result : nb::object(nb::none());
    return Flow::Return;
  };
  return conditional(node, left_function, rest, Leaving::Surely, returns, leaving_of(orelse), completes);
}

} // namespace asc
