// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places, errors, regions and limits of a compilation.
#include "frontend/compilation.h"

#include "dialect/constants.h"
#include "frontend/functions.h"
#include "frontend/printing.h"

#include <algorithm>

namespace asc {

static thread_local Compilation *current_compilation = nullptr;
static uint64_t last_id = 0; // guarded by the GIL

static constexpr std::string_view kNotHere = "L301";

Compilation::Compilation(mlir::MLIRContext &context, const FrontendOptions &options, std::vector<Diagnostic> &warnings, DebugTable &debug)
    : context(context), options(options), debug(debug), module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))), ops(&context),
      id_(++last_id), outer_(current_compilation), warnings_(warnings) {
  current_compilation = this;
}
Compilation::~Compilation() { current_compilation = outer_; }

Compilation *Compilation::running() { return current_compilation; }

Compilation &Compilation::current() {
  if (current_compilation) return *current_compilation;
  Diagnostic d;
  d.code = kNotHere;
  d.message = "this is part of the kernel language and does nothing on the host";
  d.help = "use it inside a function decorated with @asc.jit, and launch that function with kernel[cores](...)";
  throw DiagnosticError(std::move(d));
}

// ---------------------------------------------------------------- places and errors

/// The last part of the head of a statement with a block: messages show the head, not all that is inside. Null when it has no such part.
static PyObject *head_of(PyObject *node, Syntax syntax) {
  switch (syntax) {
  case Syntax::If:
  case Syntax::While: return field(node, Child::test);
  case Syntax::For:
  case Syntax::AsyncFor: return field(node, Child::iter);
  case Syntax::Match: return field(node, Child::subject);
  case Syntax::With:
  case Syntax::AsyncWith: {
    Nodes items(node, Child::items);
    return field(items[items.size() - 1], Child::context_expr);
  }
  default: return nullptr;
  }
}

/// How many characters "def name", "class name" or "try" take; 0 for other syntax.
static uint32_t head_size(PyObject *node, Syntax syntax) {
  const auto named = [&](std::string_view keyword) { return uint32_t(keyword.size() + text(field(node, Child::name)).size()); };
  switch (syntax) {
  case Syntax::FunctionDef: return named("def ");
  case Syntax::AsyncFunctionDef: return named("async def ");
  case Syntax::ClassDef: return named("class ");
  case Syntax::Try:
  case Syntax::TryStar: return 3;
  default: return 0;
  }
}

Span Compilation::span(PyObject *of) const {
  Span span;
  if (!of || !source) return span;
  const Syntax syntax = syntax_of(of);
  PyObject *head = head_of(of, syntax);
  const uint32_t size = head_size(of, syntax);
  span.file = source->filename;
  span.line = position(of, Child::lineno) + source->line_offset;
  span.column = position(of, Child::col_offset);
  span.end_line = size ? span.line : position(head ? head : of, Child::end_lineno) + source->line_offset;
  span.end_column = size ? span.column + size : position(head ? head : of, Child::end_col_offset);
  return span;
}

mlir::Location Compilation::loc() {
  if (located_ != node || !loc_) {
    loc_ = make_location(context, span());
    located_ = node;
  }
  return mlir::Location(loc_);
}

DiagnosticError Compilation::error(std::string_view code, std::string message, std::string help, PyObject *at,
                                   std::vector<Note> notes) const {
  Diagnostic d;
  d.code = code;
  d.message = std::move(message);
  d.span = span(at ? at : node);
  d.notes = std::move(notes);
  d.help = std::move(help);
  return DiagnosticError(std::move(d));
}

/// The parameters of the function that a value is computed from; nothing if anything else is behind it, too.
static std::vector<std::string> parameters_behind(mlir::Value value) {
  llvm::SetVector<mlir::Value> values;
  values.insert(value);
  std::vector<std::string> names;
  for (size_t i = 0; i < values.size(); ++i) {
    constexpr size_t kMost = 64;
    if (mlir::Operation *op = values[i].getDefiningOp()) {
      if (op->getNumRegions() || values.size() > kMost || (!op->getNumOperands() && !constant_of(values[i]))) return {};
      values.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    mlir::Operation *owner = llvm::cast<mlir::BlockArgument>(values[i]).getOwner()->getParentOp();
    if (!llvm::isa_and_nonnull<KernelOp>(owner)) return {};
    names.push_back("'" + std::string(variable_of(values[i].getLoc())) + "'");
  }
  return names;
}

DiagnosticError Compilation::not_known(std::string_view what, nb::handle value, std::string help, PyObject *at) const {
  std::vector<Note> notes;
  const IRValue *run_time = as_run_time(value);
  if (std::vector<std::string> names = run_time && run_time->ir ? parameters_behind(run_time->ir) : std::vector<std::string>();
      !names.empty())
    notes.push_back({"it comes from " + std::string(names.size() > 1 ? "the parameters " : "the parameter ") + join(names, ", ") +
                         "; annotated asc.ConstExpr, a parameter is known, and the kernel is compiled for each of its values",
                     {}});
  return error("T109", std::string(what) + " is " + describe(value) + ", which is not known while compiling", std::move(help), at,
               std::move(notes));
}

void Compilation::name_op(mlir::Value value, PyObject *variable) {
  mlir::Operation *op = value.getDefiningOp();
  if (op && op->getNumResults() == 1 && variable_of(op->getLoc()).empty()) op->setLoc(with_variable(op->getLoc(), text(variable)));
}

void Compilation::warn(std::string_view code, std::string message, std::string help, PyObject *at) {
  Diagnostic d = error(code, std::move(message), std::move(help), at).diagnostics.front();
  d.severity = Severity::Warning;
  for (const Diagnostic &other : warnings_)
    if (other.code == d.code && other.span.line == d.span.line && other.span.column == d.span.column && other.span.file == d.span.file)
      return;
  warnings_.push_back(std::move(d));
}

nb::object exception_of(nb::python_error &error) {
  error.restore(); // Python makes the exception object when somebody asks for it
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type), Py_XDECREF(traceback);
  return nb::steal(value);
}

DiagnosticError Compilation::failed_in_python(nb::python_error &error, PyObject *at) {
  for (PyObject *type : {PyExc_KeyboardInterrupt, PyExc_SystemExit, PyExc_GeneratorExit})
    if (error.matches(type)) throw;
  if (error.matches(PyExc_MemoryError))
    return this->error("L203", "Python has no memory for this value", "values known while compiling are to be small", at);
  nb::object exception = exception_of(error);
  // One of ours that went through Python code, such as the truth of a run-time value.
  if (nb::object ours = nb::getattr(exception, "diagnostics", nb::none());
      PySequence_Check(ours.ptr()) && PySequence_Size(ours.ptr()) > 0) {
    std::vector<Diagnostic> list;
    for (nb::handle d : ours) list.push_back(nb::cast<Diagnostic &>(d));
    if (list.front().span.line == 0) list.front().span = span(at);
    return DiagnosticError(std::move(list));
  }
  cause = exception;
  std::string type(Py_TYPE(cause.ptr())->tp_name);
  std::string message;
  PyObject *str = PyObject_Str(cause.ptr());
  if (str) {
    message = text(str);
    static constexpr std::string_view kOurs = "'RunTimeText'";
    for (size_t i = 0; (i = message.find(kOurs, i)) != message.npos;) message.replace(i, kOurs.size(), "a text with run-time values");
    Py_DECREF(str);
  } else {
    PyErr_Clear();
  }
  return this->error("L201", "Python raised " + type + (message.empty() ? "" : ": " + message),
                     "this expression is evaluated by Python while the kernel is compiled", at);
}

static constexpr unsigned kMaxDepth = 2000;

Deeper::Deeper(Compilation &c) : c_(c) {
  if (++c.depth <= kMaxDepth) return;
  --c.depth;
  throw c.error("L204", "this is nested too deeply", "split the expression or statement into smaller ones");
}

// ---------------------------------------------------------------- regions

mlir::Value Compilation::use(const IRValue &value) const {
  if (value.compilation != id_)
    throw error("L302", "this value belongs to another compilation", "values of a kernel cannot be kept in objects that outlive it");
  if (std::find(regions.begin(), regions.end(), mlir::Value(value.ir).getParentRegion()) == regions.end())
    throw error("L303", "this value was made in a branch, loop or function that has ended",
                "assign it to a variable instead of keeping it in a list or object");
  return value.ir;
}

nb::object Compilation::make_local(mlir::Value ir, DType dtype, Position position) const {
  LocalTensor tensor;
  tensor.ir = ir, tensor.dtype = dtype, tensor.compilation = id_, tensor.position = position;
  return nb::cast(std::move(tensor));
}
nb::object Compilation::make_global(mlir::Value ir, DType dtype, bool fixed) const {
  GlobalTensor tensor;
  tensor.ir = ir, tensor.dtype = dtype, tensor.compilation = id_, tensor.region = regions.back(), tensor.fixed = fixed;
  return nb::cast(std::move(tensor));
}

OpenRegion::OpenRegion(Compilation &c) : region(std::make_unique<mlir::Region>()), c_(c), before_(c.ops.saveInsertionPoint()) {
  region->emplaceBlock();
  c.regions.push_back(region.get());
  c.ops.setInsertionPointToEnd(&region->front());
}
OpenRegion::~OpenRegion() {
  close();
  if (c_.options.all_errors) c_.given_up_.push_back(std::move(region));
}
void OpenRegion::close() {
  if (!open_) return;
  open_ = false;
  c_.regions.pop_back();
  c_.ops.restoreInsertionPoint(before_);
}

void OpenRegion::reopen() {
  open_ = true;
  before_ = c_.ops.saveInsertionPoint();
  c_.regions.push_back(region.get());
  c_.ops.setInsertionPointToEnd(&region->front());
}

// ---------------------------------------------------------------- objects that change

void Compilation::created(nb::handle object) { created_[object.ptr()] = {nb::borrow(object), regions.back()}; }

void Compilation::freeze(nb::handle object) {
  if (auto found = created_.find(object.ptr()); found != created_.end()) found->second.region = nullptr;
}

void Compilation::check_changeable(nb::handle object) const {
  auto found = created_.find(object.ptr());
  if (found == created_.end())
    throw error("L304", "a kernel cannot change an object that it did not make: " + describe(object),
                "the change would happen once, while compiling; make a new object in the kernel instead");
  if (found->second.region != regions.back())
    throw error("L305", "this object was made outside of the run-time branch or loop that changes it: " + describe(object),
                "Python objects live while the kernel is compiled, not while it runs; use variables, a tuple, or asc.static_range");
}

void Compilation::check_fillable(nb::handle tensor) const {
  auto found = created_.find(tensor.ptr());
  if (found == created_.end() || found->second.region != regions.back())
    throw error("L310", "this LocalTensor was made elsewhere: outside of the branch, loop or function that fills it, or out of two others",
                "write t = q.alloc_tensor(dtype), t = q.deque(dtype), or make the LocalTensor here");
}

void Compilation::restore(const Singles &before) {
  auto restore_one = [&](Single &now, const Single &then) {
    if (now.function == regions.front()) now = then;
  };
  restore_one(singles.pipe, before.pipe);
  for (unsigned i = 0; i < kMemories; ++i) restore_one(singles.allocators[i], before.allocators[i]);
}

void Compilation::step() {
  if (++steps_ <= options.step_limit) return;
  throw error(
      "L202", "compiling takes more than " + std::to_string(options.step_limit) + " steps",
      "loops over asc.static_range and Python sequences are unrolled while compiling; use range for a loop that runs on the device");
}

// ---------------------------------------------------------------- words

std::string_view text(nb::handle string) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_Check(string.ptr()) ? PyUnicode_AsUTF8AndSize(string.ptr(), &size) : nullptr;
  if (!data) {
    PyErr_Clear();
    return {};
  }
  return {data, size_t(size)};
}

std::string join(const std::vector<std::string> &parts, std::string_view separator) {
  std::string all;
  for (const std::string &part : parts) {
    if (!all.empty()) all += separator;
    all += part;
  }
  return all;
}

std::string unparsed(PyObject *node) {
  return std::string(text(nb::object(nb::module_::import_("ast").attr("unparse")(nb::handle(node)))));
}

std::string nearest(std::string_view word, const std::vector<std::string_view> &words) {
  nb::list candidates;
  for (std::string_view candidate : words) candidates.append(nb::str(candidate.data(), candidate.size()));
  nb::object near = nb::module_::import_("difflib").attr("get_close_matches")(nb::str(word.data(), word.size()), candidates, 1, 0.7);
  return nb::len(near) ? std::string(text(near[0])) : std::string();
}

static std::string with_article(std::string_view noun) {
  bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos && !noun.starts_with("uint");
  return (vowel ? "an " : "a ") + std::string(noun);
}

std::string help_for(nb::handle value) {
  PyObject *p = value.ptr();
  if (as<PlainValue>(value) || number_of(value)) return {};
  if (as<LocalTensor>(value))
    return "call a vector function on tensors, such as asc.add(dst, src0, src1, count); one element is t.get_value(index)";
  if (as<GlobalTensor>(value)) return "one element is t.get_value(index); to compute on many, copy them to a LocalTensor first";
  if (as<GlobalAddress>(value)) return "make a GlobalTensor and call set_global_buffer(address, size) on it";
  if (as<Array>(value)) return "take its elements: a[i]";
  if (as<Structure>(value)) return "take its fields, or define the operator in its class, decorated with @asc.jit";
  if (as_run_time(value)) return "call its methods";
  if (nb::isinstance<RunTimeText>(value)) return "a text with run-time values can be joined with + and printed";
  if (nb::isinstance<UntypedTensor>(value)) return "write asc.LocalTensor(dtype, position, address, size)";
  if (value.is_none()) return "a function without a return gives None";
  if (PyUnicode_Check(p)) return "texts are there while compiling, and to be printed";
  if (PyTuple_Check(p) || PyList_Check(p) || PyDict_Check(p) || PyAnySet_Check(p)) return "take its elements one by one";
  if (PyType_Check(p)) return "make an object of the class";
  if (as<Closure>(value) || PyFunction_Check(p) || nb::hasattr(value, "__asc_jit__")) return "call it: f(...)";
  return "use a number";
}
std::string help_for(nb::handle lhs, nb::handle rhs) {
  std::string help = help_for(lhs);
  return help.empty() ? help_for(rhs) : help;
}

std::string describe(nb::handle value) {
  if (auto *plain = as<PlainValue>(value)) return with_article(name(plain->dtype)) + " value";
  if (auto *local = as<LocalTensor>(value))
    return "a LocalTensor of " + std::string(name(local->dtype)) + " in " + std::string(name(local->position));
  if (auto *global = as<GlobalTensor>(value))
    return global->ir ? "a GlobalTensor of " + std::string(name(global->dtype)) : std::string("a GlobalTensor without a buffer");
  if (auto *address = as<GlobalAddress>(value)) return "a GlobalAddress of " + std::string(name(address->dtype));
  if (auto *array = as<Array>(value)) return "an Array of " + std::string(name(array->dtype));
  if (auto *structure = as<Structure>(value)) return with_article(text(structure->cls.attr("__name__")));
  if (auto *closure = as<Closure>(value)) return "the function '" + closure->signature.function + "'";
  if (nb::isinstance<RunTimeText>(value)) return "a text with run-time values";
  if (nb::isinstance<UntypedTensor>(value)) return "a LocalTensor without a dtype";
  if (value.is_none()) return "None";
  std::string type(Py_TYPE(value.ptr())->tp_name);
  if (size_t dot = type.rfind('.'); dot != std::string::npos) type.erase(0, dot + 1);
  if (PyType_Check(value.ptr())) return "the class " + std::string(reinterpret_cast<PyTypeObject *>(value.ptr())->tp_name);
  // A repr of an arbitrary object may run for long; those of built-in values do not.
  PyObject *object = value.ptr();
  if (PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyBool_Check(object) || PyUnicode_CheckExact(object)) {
    if (PyLong_CheckExact(object) && _PyLong_NumBits(object) > 256) return "a very large int";
    nb::object repr = nb::steal(PyObject_Repr(object));
    if (!repr) {
      PyErr_Clear();
      return with_article(type);
    }
    std::string shown(text(repr));
    if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
    return shown + " (" + type + ")";
  }
  return with_article(type);
}

} // namespace asc
