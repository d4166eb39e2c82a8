// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The debug form of a kernel: an op for every statement, with the variables that can be seen there.
#include "frontend/structures.h"
#include "frontend/translator.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace asc {

static int traverse_value(const DebugTable::Value &value, visitproc visit, void *arg) {
  Py_VISIT(value.shape.object.ptr());
  Py_VISIT(value.container.ptr());
  for (const nb::object &name : value.names) Py_VISIT(name.ptr());
  for (const DebugTable::Value &part : value.parts)
    if (int result = traverse_value(part, visit, arg)) return result;
  return 0;
}

int DebugTable::traverse(visitproc visit, void *arg) const {
  for (const Function &function : functions) Py_VISIT(function.globals.ptr());
  for (const Statement &statement : statements) {
    Py_VISIT(statement.arguments.ptr());
    Py_VISIT(statement.keywords.ptr());
    for (const Variable &variable : statement.variables)
      if (int result = traverse_value(variable.value, visit, arg)) return result;
  }
  return 0;
}

/// Stands for something that exists while compiling only.
static nb::object stand_in(std::string text) {
  return nb::module_::import_("pyasc.debugger").attr("StandIn")(nb::str(text.data(), text.size()));
}

static std::string text_of(const FrameworkObject &object) {
  const mlir::Type type = object.ir.getType();
  const auto position = [](unsigned p) { return std::string(name(Position(p))); };
  if (auto queue = llvm::dyn_cast<QueueType>(type))
    return (queue.getBind() ? "TQueBind from " : "TQue from ") + position(queue.getSrc()) + " to " + position(queue.getDst()) + ", depth " +
           std::to_string(queue.getDepth());
  if (auto buf = llvm::dyn_cast<BufType>(type)) return "TBuf in " + position(buf.getPosition());
  if (auto pool = llvm::dyn_cast<BufPoolType>(type))
    return "TBufPool in " + position(pool.getPosition()) + ", for " + std::to_string(pool.getBuffers()) + " buffers";
  if (auto allocator = llvm::dyn_cast<AllocatorType>(type))
    return "LocalMemAllocator of " + std::string(info(Memory(allocator.getMemory())).name);
  if (auto array = llvm::dyn_cast<ArrayType>(type))
    return "array of " + std::to_string(array.getLength()) + " elements of " + std::string(name(dtype_of(array.getElement())));
  if (llvm::isa<ShapeInfoType>(type)) return "ShapeInfo";
  if (llvm::isa<MatmulType>(type)) return "Matmul";
  if (llvm::isa<TensorListType>(type)) return "ListTensorDesc";
  if (auto desc = llvm::dyn_cast<TensorDescType>(type)) return "TensorDesc of " + std::string(name(dtype_of(desc.getElement())));
  return "TPipe";
}

/// What is known about a value without parts, whatever happens to it later.
static Shape snapshot(Compilation &c, nb::handle value) {
  if (FrameworkObject *object = as_object(value)) return {.object = stand_in("<" + text_of(*object) + ">")};
  const auto *global = as<GlobalTensor>(value);
  if (as<Closure>(value) || (global && !global->ir)) return {.object = stand_in("<" + describe(value) + ">")};
  const bool changes = PyAnySet_Check(value.ptr()) || PyByteArray_CheckExact(value.ptr());
  return shape_of(c, changes ? nb::object(value.attr("copy")()) : nb::borrow(value));
}

namespace {
/// Collects the variables of a statement.
class Visible {
public:
  explicit Visible(Compilation &c) : c_(c) {}

  void add(PyObject *name, const nb::object &value) {
    if (!value || !seen_.insert(name).second) return;
    variables.push_back({nb::borrow(name), known(value, 0)});
    names.resize(values.size(), c_.ops.getStringAttr(llvm::StringRef(text(name))));
  }

  std::vector<DebugTable::Variable> variables;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<int32_t> dtypes;
  llvm::SmallVector<mlir::Attribute> names;

private:
  static constexpr unsigned kMaxLevels = 20;

  DebugTable::Value known(nb::handle value, unsigned level) {
    PyObject *p = value.ptr();
    const bool is_list = PyList_CheckExact(p), is_dict = PyDict_CheckExact(p);
    if (level > kMaxLevels) return {{.object = stand_in("...")}};
    if (const auto *structure = as<Structure>(value)) return fields(*structure, level);
    if (!PyTuple_Check(p) && !is_list && !is_dict && !struct_of(value) && !made_here(value)) return simple(value);
    PyTypeObject *type = PyTuple_Check(p) ? &PyTuple_Type : Py_TYPE(p);
    DebugTable::Value all{{}, nb::borrow(reinterpret_cast<PyObject *>(type))};
    if (PyTuple_Check(p) || is_list) {
      for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(p); ++i) all.parts.push_back(known(PySequence_Fast_GET_ITEM(p, i), level + 1));
      return all;
    }
    const nb::object parts = is_dict ? nb::borrow(value) : nb::module_::import_("pyasc.debugger").attr("attributes")(value);
    PyObject *key, *part;
    for (Py_ssize_t i = 0; PyDict_Next(parts.ptr(), &i, &key, &part);) {
      all.names.push_back(nb::borrow(key));
      all.parts.push_back(known(part, level + 1));
    }
    return all;
  }

  DebugTable::Value fields(const Structure &structure, unsigned level) {
    DebugTable::Value all{{}, structure.cls};
    try {
      for (const auto &[name, part] : fields_of(c_, structure)) {
        all.names.push_back(nb::str(name.data(), name.size()));
        all.parts.push_back(known(part, level + 1));
      }
    } catch (const DiagnosticError &) { // it belongs to a branch that has ended
      return {{.object = stand_in("<structure>")}};
    }
    return all;
  }

  /// An object of a Python class that the kernel made: it may hold run-time values.
  bool made_here(nb::handle value) const {
    return (Py_TYPE(value.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE) && !as_run_time(value) && c_.has_created(value);
  }

  DebugTable::Value simple(nb::handle value) {
    try {
      Shape shape = snapshot(c_, value);
      take_apart(c_, shape, value, values);
      dtypes.resize(values.size(), int32_t(shape.dtype));
      return {std::move(shape)};
    } catch (const DiagnosticError &) { // it belongs to a branch that has ended: to use it is an error
      return {{.object = stand_in("<" + describe(value) + ">")}};
    }
  }

  Compilation &c_;
  llvm::SmallPtrSet<PyObject *, 32> seen_;
};
} // namespace

static void create(Compilation &c, DebugTable::Statement statement, Visible visible) {
  DebugTable &table = c.debug;
  const auto number = uint32_t(table.statements.size());
  statement.line = c.span().line;
  statement.variables = std::move(visible.variables);
  table.statements.push_back(std::move(statement));
  c.ops.create<StatementOp>(c.loc(), uint32_t(table.statements.back().moment), number, visible.dtypes, c.ops.getArrayAttr(visible.names),
                            visible.values);
}

void Translator::enter_function(PyObject *definition) {
  if (!c.debug.wanted) return;
  auto [found, is_new] = debug_functions.try_emplace(definition, unsigned(c.debug.functions.size()));
  if (is_new) {
    PyObject *first = definition;
    std::string name = "<lambda>";
    if (syntax_of(definition) != Syntax::Lambda) {
      name = text(field(definition, Child::name));
      if (Nodes decorators(definition, Child::decorator_list); decorators.size()) first = decorators[0];
    }
    c.debug.functions.push_back({std::move(name), frame->source->filename, c.span(first).line, nb::borrow(frame->globals)});
  }
  frame->debug_function = found->second;
  create(c, {Moment::Enter, frame->debug_function}, Visible(c));
}

void Translator::mark_statement(PyObject *node) {
  if (!c.debug.wanted || frame->debug_function == Frame::kHidden) return;
  if (syntax_of(node) == Syntax::Expr && syntax_of(field(node, Child::value)) == Syntax::Constant) return; // a docstring does nothing
  At at(c, node);
  Visible visible(c);
  for (const Frame *f = frame; f; f = f->enclosing) {
    for (size_t i = 0; i < f->flow_slot(); ++i) visible.add(f->names[i], f->variables[i].value);
    for (auto [name, cell] : f->cells)
      if (PyObject *value = PyCell_GET(cell)) visible.add(name, nb::borrow(value));
  }
  create(c, {Moment::Line, frame->debug_function}, std::move(visible));
}

void Translator::mark_round(PyObject *node, Flow flow) {
  if (!c.debug.wanted) return;
  if (flow == Flow::Next || flow == Flow::Continue) return mark_statement(node);
  if (flow != Flow::Left) return;
  const auto nothing = []() -> nb::object { return nb::none(); };
  merge_branches(node, flow_is(Syntax::Lt, Flow::Break), [&] { return mark_statement(node), nothing(); }, nothing);
}

void Translator::leave_function(const nb::object &result) {
  if (!c.debug.wanted) return;
  static PyObject *const name = PyUnicode_InternFromString("return");
  Visible visible(c);
  visible.add(name, result);
  create(c, {Moment::Leave, frame->debug_function}, std::move(visible));
}

nb::object Translator::breakpoint(const Arguments &arguments) {
  if (!c.debug.breakpoint) c.debug.breakpoint = c.span();
  if (!c.debug.wanted) return nb::none();
  DebugTable::Statement statement{Moment::Breakpoint, frame->debug_function};
  nb::list positional;
  for (const Argument &argument : arguments) {
    if (argument.keyword)
      statement.keywords[nb::borrow(argument.keyword)] = argument.value;
    else
      positional.append(argument.value);
  }
  statement.arguments = nb::tuple(positional);
  create(c, std::move(statement), Visible(c));
  return nb::none();
}

} // namespace asc
