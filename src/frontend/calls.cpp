// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: API rows, methods, device functions, classes, Python functions; and functions as wholes.
#include "frontend/api_call.h"
#include "frontend/translator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ScopeExit.h"

namespace asc {

/// Whether a function goes through all of a sequence at once, so that it takes a generator like a list.
static bool consumes(nb::handle callee) {
  static constexpr std::string_view kNames[] = {"tuple", "list", "set", "frozenset", "dict", "sum", "min", "max", "sorted", "join"};
  return std::find(std::begin(kNames), std::end(kNames), builtin_name(callee)) != std::end(kNames);
}

Arguments Translator::arguments_of(PyObject *node, nb::handle callee) {
  Arguments arguments;
  for (PyObject *argument : Nodes(node, Child::args)) {
    if (syntax_of(argument) == Syntax::GeneratorExp && consumes(callee)) {
      arguments.push_back({comprehension(argument), argument});
      continue;
    }
    if (syntax_of(argument) != Syntax::Starred) {
      arguments.push_back({evaluate(argument), argument});
      continue;
    }
    PyObject *inner = field(argument, Child::value);
    for (nb::object &element : elements(evaluate(inner), inner)) arguments.push_back({std::move(element), inner});
  }
  for (PyObject *keyword : Nodes(node, Child::keywords)) {
    PyObject *name = field(keyword, Child::arg), *value = field(keyword, Child::value);
    nb::object evaluated = evaluate(value);
    if (name != Py_None) {
      arguments.push_back({std::move(evaluated), value, name});
      continue;
    }
    if (!PyDict_Check(evaluated.ptr())) throw c.error("L401", "** takes a dict, got " + describe(evaluated), {}, value);
    PyObject *key, *element;
    for (Py_ssize_t i = 0; PyDict_Next(evaluated.ptr(), &i, &key, &element);) {
      if (!PyUnicode_Check(key)) throw c.error("L401", "a keyword is " + describe(key) + ", expected a str", {}, value);
      kept.append(nb::borrow(key));
      arguments.push_back({nb::borrow(element), value, key});
    }
  }
  return arguments;
}

nb::object Translator::call(PyObject *node) {
  PyObject *func = field(node, Child::func);
  nb::object callee = evaluate(func);
  if (std::string_view name = builtin_name(callee); name == "any" || name == "all") {
    Nodes arguments(node, Child::args);
    if (arguments.size() == 1 && syntax_of(arguments[0]) == Syntax::GeneratorExp) return any_or_all(arguments[0], name == "any");
  }
  Arguments arguments = arguments_of(node, callee);
  if (nb::isinstance<Api>(callee)) return call_api(c, *nb::cast<Api &>(callee).row, arguments);
  if (nb::isinstance<BoundMethod>(callee)) {
    auto &method = nb::cast<BoundMethod &>(callee);
    size_t buffers = c.journal.size();
    nb::object result =
        method.function->call(c, method.self, bind_arguments(c, method.function->name, method.function->signature, arguments));
    // A tensor that got its buffer is called as the variable that it is in.
    if (c.journal.size() > buffers && syntax_of(field(func, Child::value)) == Syntax::Name)
      c.name_op(as_run_time(method.self)->ir, field(field(func, Child::value), Child::id));
    return result;
  }
  if (nb::isinstance<Function>(callee)) {
    auto &function = nb::cast<Function &>(callee);
    std::vector<Argument> bound = bind_arguments(c, function.name, function.signature, arguments);
    return function.call(c, {}, bound);
  }
  if (as_run_time(callee)) {
    bool tensor = as<LocalTensor>(callee) || as<GlobalTensor>(callee);
    throw c.error("L108", describe(callee) + " cannot be called",
                  tensor ? "write t[i] for a sub-tensor, t.get_value(i) for an element" : "", func);
  }
  static PyObject *const jit = PyUnicode_InternFromString("__asc_jit__");
  if (!PyType_Check(callee.ptr()) && _PyType_Lookup(Py_TYPE(callee.ptr()), jit)) {
    nb::object function = nb::steal(PyObject_GetAttr(callee.ptr(), jit));
    if (!function) throw nb::python_error();
    return call_device(function, arguments, node);
  }
  return call_python(callee, arguments, node);
}

// ---------------------------------------------------------------- functions

std::shared_ptr<const SourceFile> Translator::load_source(nb::handle function, nb::handle loaded) {
  nb::object source = nb::borrow(loaded);
  if (!source) source = nb::module_::import_("pyasc._source").attr("load")(function);
  auto file = std::make_shared<SourceFile>();
  file->tree = source.attr("tree");
  file->filename = std::string(text(source.attr("filename")));
  file->line_offset = nb::cast<uint32_t>(source.attr("line_offset"));
  sources.push_back(file);
  return file;
}

std::unique_ptr<Frame> Translator::make_frame(nb::handle function, std::shared_ptr<const SourceFile> source) {
  auto made = std::make_unique<Frame>();
  made->function = nb::borrow(function);
  made->source = std::move(source);
  made->caller = frame;
  made->globals = PyFunction_GetGlobals(function.ptr());
  nb::object code = nb::borrow(PyFunction_GetCode(function.ptr()));
  for (const char *list : {"co_varnames", "co_cellvars"}) {
    nb::tuple names = nb::cast<nb::tuple>(code.attr(list));
    for (nb::handle name : names)
      if (made->slots.try_emplace(name.ptr(), unsigned(made->names.size())).second) made->names.push_back(name.ptr());
  }
  static PyObject *const flow = PyUnicode_InternFromString("flow"), *const returned = PyUnicode_InternFromString("returned");
  made->names.push_back(flow), made->names.push_back(returned);
  made->variables.resize(made->names.size());
  nb::tuple free = nb::cast<nb::tuple>(code.attr("co_freevars"));
  PyObject *cells = PyFunction_GetClosure(function.ptr());
  for (size_t i = 0; i < free.size(); ++i) made->closure[nb::handle(free[i]).ptr()] = PyTuple_GET_ITEM(cells, i);
  return made;
}

/// Names of the parameters of a plain function, in order; *args and **kwargs are refused.
struct Parameters {
  std::vector<nb::object> names;
  unsigned positional_only, keyword_only;
};
static Parameters parameters_of(const Compilation &c, nb::handle function) {
  nb::object code = nb::borrow(PyFunction_GetCode(function.ptr()));
  constexpr int kVarArgs = 4, kVarKeywords = 8;
  if (nb::cast<int>(code.attr("co_flags")) & (kVarArgs | kVarKeywords))
    throw c.error("L001", "a parameter with * or ** is not part of the kernel language", "name every parameter");
  Parameters parameters;
  parameters.positional_only = nb::cast<unsigned>(code.attr("co_posonlyargcount"));
  parameters.keyword_only = nb::cast<unsigned>(code.attr("co_kwonlyargcount"));
  unsigned count = nb::cast<unsigned>(code.attr("co_argcount")) + parameters.keyword_only;
  nb::tuple names = nb::cast<nb::tuple>(code.attr("co_varnames"));
  for (unsigned i = 0; i < count; ++i) parameters.names.push_back(nb::borrow(names[i]));
  return parameters;
}

/// Whether a parameter is annotated asc.ConstExpr or asc.ConstExpr[...], as a class or as text.
static bool is_static_parameter(nb::handle annotations, nb::handle name) {
  PyObject *annotation = PyDict_GetItem(annotations.ptr(), name.ptr());
  if (!annotation) return false;
  if (PyUnicode_Check(annotation)) return text(annotation).find("ConstExpr") != std::string_view::npos;
  nb::object origin = nb::borrow(annotation);
  if (nb::hasattr(origin, "__origin__")) origin = origin.attr("__origin__");
  return PyType_Check(origin.ptr()) && nb::hasattr(origin, "__asc_constexpr__");
}

std::vector<nb::object> Translator::bind_parameters(nb::handle function, const SourceFile &source, const Arguments &arguments,
                                                    PyObject *node) {
  const auto [names, positional_only, keyword_only] = parameters_of(c, function);
  std::string callee(text(function.attr("__name__")));
  std::vector<nb::object> values(names.size());
  size_t positional = names.size() - keyword_only, next = 0;
  std::vector<PyObject *> nodes(names.size());
  for (const Argument &argument : arguments) {
    size_t place = next;
    if (argument.keyword) {
      for (place = positional_only; place < names.size() && text(names[place]) != text(argument.keyword);) ++place;
      if (place == names.size())
        throw c.error("L401", callee + "() has no parameter '" + std::string(text(argument.keyword)) + "'", {}, argument.node);
      if (values[place]) throw c.error("L401", callee + "() gets '" + std::string(text(argument.keyword)) + "' twice", {}, argument.node);
    } else if (next++ >= positional) {
      throw c.error("L401", callee + "() takes " + std::to_string(positional) + " positional arguments, got more", {}, argument.node);
    }
    values[place] = argument.value, nodes[place] = argument.node;
  }
  nb::object defaults = function.attr("__defaults__"), keyword_defaults = function.attr("__kwdefaults__"),
             annotations = function.attr("__annotations__");
  for (size_t i = 0; i < names.size(); ++i) {
    if (!values[i] && i < positional && !defaults.is_none()) {
      size_t given = size_t(PyTuple_GET_SIZE(defaults.ptr()));
      if (i + given >= positional) values[i] = nb::borrow(PyTuple_GET_ITEM(defaults.ptr(), i + given - positional));
    }
    if (!values[i] && i >= positional && !keyword_defaults.is_none())
      if (PyObject *value = PyDict_GetItem(keyword_defaults.ptr(), names[i].ptr())) values[i] = nb::borrow(value);
    if (!values[i]) throw c.error("L401", callee + "() needs '" + std::string(text(names[i])) + "'", {}, node);
    values[i] = unwrapped(values[i]);
    if (as_run_time(values[i]) && is_static_parameter(annotations, names[i]))
      throw c.error("T109",
                    "'" + std::string(text(names[i])) + "' of " + callee + "() is " + describe(values[i]) +
                        ", which is not known while compiling",
                    "the parameter is annotated asc.ConstExpr: pass a value known while compiling, or leave the annotation out", nodes[i]);
    if (auto *global = as<GlobalTensor>(values[i]); global && !global->ir)
      throw c.error("T301", "'" + std::string(text(names[i])) + "' of " + callee + "() is a GlobalTensor without a buffer",
                    "call set_global_buffer(address, size) on it first", nodes[i]);
  }
  return values;
}

Specialisation Translator::specialise(nb::handle function, const std::shared_ptr<const SourceFile> &source,
                                      const std::vector<Shape> &shapes, PyObject *node) {
  std::string callee(text(function.attr("__name__")));
  std::unique_ptr<Frame> callee_frame = make_frame(function, source);
  const std::vector<nb::object> names = parameters_of(c, function).names;
  llvm::SmallVector<mlir::Type> types;
  for (const Shape &shape : shapes) types_of(c, shape, types);

  std::string symbol = callee;
  for (unsigned n = function_names[function.ptr()]++;; ++n) {
    symbol = n == 0 ? callee : callee + "_" + std::to_string(n);
    if (!c.module->lookupSymbol(symbol)) break;
  }
  mlir::OpBuilder::InsertionGuard guard(c.ops);
  c.ops.setInsertionPointToEnd(c.module->getBody());
  auto op = c.ops.create<mlir::func::FuncOp>(c.loc(), symbol, c.ops.getFunctionType(types, {}));
  op.setPrivate();
  mlir::Block *entry = op.addEntryBlock();
  Span call_span = c.span(node);

  // The callee sees none of the caller's regions, places and variables.
  std::vector<mlir::Region *> caller_regions = std::exchange(c.regions, {&op.getBody()});
  const SourceFile *caller_source = std::exchange(c.source, source.get());
  PyObject *caller_node = std::exchange(c.node, source->tree.ptr());
  Frame *caller_frame = std::exchange(frame, callee_frame.get());
  auto back = llvm::make_scope_exit(
      [&] { c.regions = std::move(caller_regions), c.source = caller_source, c.node = caller_node, frame = caller_frame; });
  try {
    op->setLoc(c.loc());
    c.ops.setInsertionPointToEnd(entry);
    mlir::ValueRange parameters = entry->getArguments();
    for (size_t i = 0; i < shapes.size(); ++i) {
      size_t before = parameters.size();
      std::string name(text(names[i]));
      nb::object value = put_together(c, shapes[i], parameters);
      for (size_t k = 0; k < before - parameters.size(); ++k)
        entry->getArgument(unsigned(entry->getNumArguments() - before + k)).setLoc(make_location(c.context, c.span(), name));
      frame->variables[frame->slots.lookup(names[i].ptr())] = {std::move(value), nullptr};
    }
    Rest end{nullptr, 0, nullptr};
    if (block(field(source->tree.ptr(), Child::body), &end) != Flow::Return) frame->result = nb::none();
    Specialisation made{op, shape_of(c, frame->result)};
    if (nb::handle object = object_in(made.result))
      throw c.error("L309", callee + "() returns " + describe(object), "make it in the caller and pass it as an argument", leaving);
    llvm::SmallVector<mlir::Value> results;
    take_apart(c, made.result, frame->result, results);
    c.ops.create<mlir::func::ReturnOp>(c.loc(), results);
    llvm::SmallVector<mlir::Type> result_types;
    types_of(c, made.result, result_types);
    op.setFunctionType(c.ops.getFunctionType(types, result_types));
    return made;
  } catch (DiagnosticError &error) {
    for (Diagnostic &d : error.diagnostics) d.notes.push_back({callee + "() is called here", call_span});
    throw;
  }
}

nb::object Translator::call_device(nb::handle function, const Arguments &arguments, PyObject *node) {
  if (!PyFunction_Check(function.ptr()))
    throw c.error("L108", describe(function) + " cannot be compiled", "decorate an ordinary function with @asc.jit");
  for (Frame *f = frame; f; f = f->caller)
    if (f->function.is(function))
      throw c.error("L109", std::string(text(function.attr("__name__"))) + "() calls itself",
                    "the device has no stack for recursion; use a loop", node);

  std::shared_ptr<const SourceFile> source = load_source(function);
  std::vector<nb::object> values = bind_parameters(function, *source, arguments, node);
  nb::list keys;
  std::vector<Shape> shapes;
  for (nb::object &value : values) {
    shapes.push_back(as_parameter(shape_of(c, value)));
    keys.append(key_of(shapes.back(), kept));
  }
  kept.append(function);
  nb::object key = nb::make_tuple(reinterpret_cast<uintptr_t>(function.ptr()), nb::tuple(keys));
  llvm::SmallVector<mlir::Value> operands;
  for (size_t i = 0; i < values.size(); ++i) take_apart(c, shapes[i], values[i], operands);

  if (!specialised.contains(key)) {
    Specialisation made = specialise(function, source, shapes, node);
    specialised[key] = specialisations.size();
    specialisations.push_back(std::move(made));
  }
  const Specialisation &found = specialisations[nb::cast<size_t>(specialised[key])];
  auto call = c.ops.create<mlir::func::CallOp>(c.loc(), llvm::cast<mlir::func::FuncOp>(found.function), operands);
  mlir::ValueRange results = call.getResults();
  nb::object result = put_together(c, found.result, results);
  if (PyList_Check(result.ptr()) || struct_of(result)) c.created(result);
  return result;
}

void Translator::kernel(nb::handle function, nb::handle loaded, const std::vector<ArgSpec> &arguments) {
  std::shared_ptr<const SourceFile> source = load_source(function, loaded);
  c.source = source.get();
  PyObject *tree = c.node = source->tree.ptr();
  if (syntax_of(tree) != Syntax::FunctionDef) refuse(tree);
  const std::vector<nb::object> names = parameters_of(c, function).names;
  if (names.size() != arguments.size()) throw InternalError("the kernel has another number of parameters than arguments");

  std::unique_ptr<Frame> own = make_frame(function, source);
  frame = own.get();
  frame->is_kernel = true;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> shown, dtypes;
  for (size_t i = 0; i < names.size(); ++i) {
    const ArgSpec &spec = arguments[i];
    if (spec.kind == ArgSpec::Kind::Static) continue;
    mlir::Type element = element_type(c.context, spec.dtype);
    types.push_back(spec.kind == ArgSpec::Kind::Address ? mlir::Type(AddressType::get(&c.context, element))
                                                        : scalar_type(c.context, spec.dtype));
    shown.push_back(c.ops.getStringAttr(llvm::StringRef(text(names[i]))));
    dtypes.push_back(mlir::TypeAttr::get(element));
  }
  std::string symbol(text(function.attr("__name__")));
  c.ops.setInsertionPointToEnd(c.module->getBody());
  auto op = c.ops.create<KernelOp>(c.loc(), c.ops.getStringAttr(symbol), mlir::TypeAttr::get(c.ops.getFunctionType(types, {})),
                                   c.ops.getArrayAttr(shown), c.ops.getArrayAttr(dtypes),
                                   c.options.auto_sync ? mlir::UnitAttr() : c.ops.getUnitAttr(), mlir::ArrayAttr(), mlir::ArrayAttr());
  mlir::Block &entry = op.getBody().emplaceBlock();
  c.regions = {&op.getBody()};
  c.ops.setInsertionPointToEnd(&entry);
  for (size_t i = 0; i < names.size(); ++i) {
    const ArgSpec &spec = arguments[i];
    nb::object value = spec.kind == ArgSpec::Kind::Static ? unwrapped(spec.value) : nb::object();
    if (spec.kind != ArgSpec::Kind::Static) {
      mlir::Value argument = entry.addArgument(types[entry.getNumArguments()], make_location(c.context, c.span(), text(names[i])));
      value = spec.kind == ArgSpec::Kind::Address ? c.make<GlobalAddress>(argument, spec.dtype) : c.make_scalar(argument, spec.dtype);
    }
    frame->variables[frame->slots.lookup(names[i].ptr())] = {std::move(value), nullptr};
  }
  Rest end{nullptr, 0, nullptr};
  block(field(tree, Child::body), &end);
  c.node = tree;
  c.ops.create<ReturnOp>(c.loc());
  frame = nullptr;
}

} // namespace asc
