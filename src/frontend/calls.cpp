// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: API rows, methods, device functions, classes, Python functions; and functions as wholes.
#include "apis/numeric.h"
#include "frontend/api_call.h"
#include "frontend/structures.h"
#include "frontend/suspicious.h"
#include "frontend/translator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ScopeExit.h"

namespace asc {

/// Whether a function goes through all of a sequence at once, so that it takes a generator like a list.
static bool consumes(nb::handle callee) {
  static constexpr std::string_view kNames[] = {"tuple", "list", "set", "frozenset", "dict", "sum", "min", "max", "sorted", "join"};
  return std::find(std::begin(kNames), std::end(kNames), builtin_name(callee)) != std::end(kNames);
}

/// Whether a function takes the elements of a sequence.
static bool takes_elements(nb::handle callee) {
  static constexpr std::string_view kNames[] = {"any", "all", "enumerate", "zip", "reversed"};
  return consumes(callee) || std::find(std::begin(kNames), std::end(kNames), builtin_name(callee)) != std::end(kNames);
}

Arguments Translator::arguments_of(PyObject *node, nb::handle callee) {
  Arguments arguments;
  for (PyObject *argument : Nodes(node, Child::args)) {
    if (syntax_of(argument) == Syntax::GeneratorExp && consumes(callee)) {
      arguments.push_back({comprehension(argument), argument});
      continue;
    }
    if (syntax_of(argument) != Syntax::Starred) {
      nb::object value = evaluate(argument);
      if (auto *array = as<Array>(value); array && takes_elements(callee)) value = elements_of(c, *array);
      arguments.push_back({std::move(value), argument});
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
  if (node == dropped) warn_about_unused_result(c, callee, node);
  if (std::string_view name = builtin_name(callee); name == "any" || name == "all") {
    Nodes arguments(node, Child::args);
    if (arguments.size() == 1 && syntax_of(arguments[0]) == Syntax::GeneratorExp) return any_or_all(arguments[0], name == "any");
  }
  Arguments arguments = arguments_of(node, callee);
  if (nb::isinstance<Api>(callee)) return call_api(c, *nb::cast<Api &>(callee).row, arguments);
  if (auto *closure = as<Closure>(callee)) return call_closure(*closure, arguments, node);
  if (nb::isinstance<BoundMethod>(callee)) {
    auto &method = nb::cast<BoundMethod &>(callee);
    const auto value_of_self = [&] {
      IRValue *value = as_run_time(method.self);
      return value ? value->ir : mlir::Value();
    };
    const mlir::Value before = value_of_self();
    nb::object result =
        method.function->call(c, method.self, bind_arguments(c, method.function->name, method.function->signature, arguments));
    // A tensor that got another value is called as the variable that it is in.
    if (const mlir::Value now = value_of_self(); now != before && syntax_of(field(func, Child::value)) == Syntax::Name)
      c.name_op(now, field(field(func, Child::value), Child::id));
    return result;
  }
  if (nb::isinstance<Function>(callee)) {
    auto &function = nb::cast<Function &>(callee);
    if (std::none_of(intrinsics().begin(), intrinsics().end(), [&](const Function &known) { return &known == &function; }))
      throw c.error("L402", std::string(function.name) + "() is a method and is called on its class",
                    "call it on an object: object." + std::string(function.name) + "(...)", func);
    std::vector<Argument> bound = bind_arguments(c, function.name, function.signature, arguments);
    return function.call(c, {}, bound);
  }
  if (as_run_time(callee)) {
    if (as<LocalTensor>(callee) || as<GlobalTensor>(callee))
      return one_element(c, callee, bind_arguments(c, "tensor", "offset", arguments)[0]);
    throw c.error("L108", describe(callee) + " cannot be called", "", func);
  }
  if (std::optional<nb::object> result = call_jit(callee, arguments, node)) return *result;
  return call_python(callee, arguments, node);
}

std::optional<nb::object> Translator::call_jit(nb::handle callee, Arguments arguments, PyObject *node) {
  static PyObject *const jit = PyUnicode_InternFromString("__asc_jit__"), *const method = PyUnicode_InternFromString("__asc_method__"),
                         *const call = PyUnicode_InternFromString("__call__");
  const auto is_jit = [](nb::handle object) { return _PyType_Lookup(Py_TYPE(object.ptr()), jit) != nullptr; };
  nb::object function = nb::borrow(callee);
  if (PyMethod_Check(callee.ptr()) || _PyType_Lookup(Py_TYPE(callee.ptr()), method)) {
    arguments.insert(arguments.begin(), {callee.attr("__self__"), node});
    function = callee.attr("__func__");
  } else if (nb::handle found = _PyType_Lookup(Py_TYPE(callee.ptr()), call); found && !is_jit(callee) && is_jit(found)) {
    arguments.insert(arguments.begin(), {nb::borrow(callee), node});
    function = nb::borrow(found);
  }
  if (!is_jit(function)) return std::nullopt;
  function = nb::steal(PyObject_GetAttr(function.ptr(), jit));
  if (!function) throw nb::python_error();
  return call_device(function, arguments, node);
}

nb::object call_while_compiling(nb::handle callee, const Arguments &arguments) {
  Compilation &c = Compilation::current();
  return c.translator->call_jit(callee, arguments, c.node).value();
}

// ---------------------------------------------------------------- functions

std::shared_ptr<const SourceFile> Translator::load_source(nb::handle function, nb::handle loaded) {
  nb::object source = nb::borrow(loaded);
  if (!source) source = nb::module_::import_("pyasc._source").attr("load")(function);
  auto file = std::make_shared<SourceFile>();
  file->tree = source.attr("tree");
  file->filename = std::string(text(source.attr("filename")));
  file->line_offset = nb::cast<int32_t>(source.attr("line_offset"));
  file->walrus = nb::cast<bool>(source.attr("walrus"));
  sources.push_back(file);
  return file;
}

Frame &Translator::make_frame(std::shared_ptr<const SourceFile> source, const std::vector<PyObject *> &names) {
  Frame &made = *frames.emplace_back(std::make_unique<Frame>());
  made.source = std::move(source);
  made.caller = frame;
  for (PyObject *name : names)
    if (made.slots.try_emplace(name, unsigned(made.names.size())).second) made.names.push_back(name);
  static PyObject *const flow = PyUnicode_InternFromString("flow"), *const returned = PyUnicode_InternFromString("returned");
  made.names.push_back(flow), made.names.push_back(returned);
  made.variables.resize(made.names.size());
  return made;
}

/// The class of a method, as private names have it: "Tile" of "make.<locals>._Tile.load".
static std::string class_of_method(nb::handle function) {
  std::string_view path = text(function.attr("__qualname__"));
  const size_t method = path.rfind('.');
  if (method == path.npos) return {};
  path = path.substr(0, method);
  path = path.substr(path.rfind('.') + 1);
  if (path == "<locals>") return {};
  return std::string(path.substr(std::min(path.find_first_not_of('_'), path.size())));
}

Frame &Translator::make_frame(nb::handle function, const ParameterList &signature, std::shared_ptr<const SourceFile> source) {
  const std::vector<PyObject *> names = local_names(signature, source->tree.ptr(), source->walrus);
  Frame &made = make_frame(std::move(source), names);
  made.identity = function.ptr();
  made.returns_value = returns_value(field(made.source->tree.ptr(), Child::body));
  made.globals = PyFunction_GetGlobals(function.ptr());
  made.class_name = class_of_method(function);
  nb::object code = nb::borrow(PyFunction_GetCode(function.ptr()));
  nb::tuple free = nb::cast<nb::tuple>(code.attr("co_freevars"));
  PyObject *cells = PyFunction_GetClosure(function.ptr());
  for (size_t i = 0; i < free.size(); ++i) made.cells[nb::handle(free[i]).ptr()] = PyTuple_GET_ITEM(cells, i);
  return made;
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

/// The dtype that a parameter is annotated with, as an object or as text: asc.int16, np.float32. An int, float or bool says no width.
static DType annotated_dtype(nb::handle function, nb::handle annotations, nb::handle name) {
  PyObject *annotation = PyDict_GetItem(annotations.ptr(), name.ptr());
  if (!annotation) return DType::Void;
  if (std::optional<DType> dtype = as_dtype(annotation)) return *dtype;
  if (!PyUnicode_Check(annotation) && !PyType_Check(annotation)) return DType::Void;
  return as_dtype(nb::module_::import_("asc.runtime.jit").attr("annotated_dtype")(function, name)).value_or(DType::Void);
}

/// A number that is passed for a parameter with a dtype, as a launch would pass it. What is known while compiling stays so.
static nb::object converted_argument(Compilation &c, nb::object value, DType dtype, const std::string &what, PyObject *node) {
  auto *plain = as<PlainValue>(value);
  std::optional<Number> number = plain ? std::nullopt : number_of(value);
  if (!plain && !number) return value;
  At at(c, node ? node : c.node);
  const bool is_float = plain ? info(plain->dtype).is_float : number->kind == Number::Kind::Float;
  if (is_float && !info(dtype).is_float)
    throw c.error("T103", what + " is " + describe(value) + ", expected an int: the parameter is annotated asc." + std::string(name(dtype)),
                  "convert it: x.cast(asc." + std::string(name(dtype)) + "), int(x)");
  if (plain) return plain->dtype == dtype ? value : c.make_scalar(convert(c, value, dtype, what), dtype);
  convert(c, value, dtype, what); // checks the range
  if (dtype == DType::Bool) return nb::bool_(number->integer != 0);
  if (!info(dtype).is_float) return nb::steal(PyNumber_Index(value.ptr()));
  return nb::float_(std::bit_cast<double>(cast_scalar(scalar_bits(*number, dtype), dtype, DType::Float64)));
}

/// The parameters of a plain function.
static ParameterList parameters_of(nb::handle function) {
  nb::object code = nb::borrow(PyFunction_GetCode(function.ptr()));
  constexpr int kVarArgs = 4, kVarKeywords = 8;
  const int flags = nb::cast<int>(code.attr("co_flags"));
  ParameterList signature;
  signature.function = text(function.attr("__name__"));
  signature.positional_only = nb::cast<size_t>(code.attr("co_posonlyargcount"));
  signature.positional = nb::cast<size_t>(code.attr("co_argcount"));
  signature.starred = flags & kVarArgs;
  signature.keywords = flags & kVarKeywords;
  nb::tuple names = nb::cast<nb::tuple>(code.attr("co_varnames"));
  nb::object defaults = function.attr("__defaults__"), keyword_defaults = function.attr("__kwdefaults__"),
             annotations = function.attr("__annotations__");
  const size_t named = signature.positional + nb::cast<size_t>(code.attr("co_kwonlyargcount"));
  const size_t given = defaults.is_none() ? 0 : nb::len(defaults);
  for (size_t i = 0; i < named + signature.starred + signature.keywords; ++i) {
    nb::object name = nb::borrow(names[i]), otherwise;
    if (i < signature.positional && i + given >= signature.positional)
      otherwise = nb::borrow(PyTuple_GET_ITEM(defaults.ptr(), Py_ssize_t(i + given - signature.positional)));
    if (i >= signature.positional && i < named && !keyword_defaults.is_none())
      otherwise = nb::borrow(PyDict_GetItem(keyword_defaults.ptr(), name.ptr()));
    const bool is_static = is_static_parameter(annotations, name);
    signature.parameters.push_back(
        {name, otherwise, is_static, is_static || i >= named ? DType::Void : annotated_dtype(function, annotations, name)});
  }
  return signature;
}

/// How a function is called, as a help line.
static std::string usage_of(const ParameterList &signature) {
  const size_t named = signature.parameters.size() - signature.starred - signature.keywords;
  std::string shown;
  for (size_t i = 0; i <= named; ++i) {
    const std::string comma = shown.empty() ? "" : ", ";
    if (i == signature.positional_only && i > 0) shown += comma + "/";
    if (i == signature.positional && signature.starred) shown += comma + "*" + std::string(text(signature.parameters[named].name));
    if (i == named) break;
    if (i == signature.positional && !signature.starred) shown += (shown.empty() ? "*" : ", *");
    const auto &[name, otherwise, is_static, dtype] = signature.parameters[i];
    shown += (shown.empty() ? "" : ", ") + std::string(text(name));
    if (!otherwise) continue;
    const std::string value(text(nb::repr(otherwise)));
    shown += "=" + (value.size() <= 20 ? value : "...");
  }
  if (signature.keywords) shown += (shown.empty() ? "**" : ", **") + std::string(text(signature.parameters.back().name));
  return "call it as " + signature.function + "(" + shown + ")";
}

std::vector<nb::object> Translator::bind_parameters(const ParameterList &signature, const Arguments &arguments, PyObject *node) {
  const std::vector<ParameterList::Parameter> &parameters = signature.parameters;
  const std::string callee = signature.function + "()";
  const size_t named = parameters.size() - signature.starred - signature.keywords;
  std::vector<nb::object> values(parameters.size());
  std::vector<PyObject *> nodes(parameters.size());
  nb::list others;         // for the parameter with a star,
  nb::dict other_keywords; // and the one with two
  size_t next = 0;
  for (const Argument &argument : arguments) {
    size_t place = next;
    if (argument.keyword) {
      std::string keyword(text(argument.keyword));
      for (place = signature.positional_only; place < named && text(parameters[place].name) != keyword;) ++place;
      const bool other = place == named;
      if (other && !signature.keywords)
        throw c.error("L401", callee + " has no parameter '" + keyword + "'", usage_of(signature), argument.node);
      if (other ? other_keywords.contains(nb::handle(argument.keyword)) : values[place].is_valid())
        throw c.error("L401", callee + " gets '" + keyword + "' twice", usage_of(signature), argument.node);
      if (other) {
        other_keywords[nb::handle(argument.keyword)] = unwrapped(argument.value);
        continue;
      }
    } else if (next == signature.positional && signature.starred) {
      others.append(unwrapped(argument.value));
      continue;
    } else if (next++ == signature.positional) {
      throw c.error("L401", callee + " takes " + std::to_string(signature.positional) + " positional arguments, got more",
                    usage_of(signature), argument.node);
    }
    values[place] = argument.value, nodes[place] = argument.node;
  }
  if (signature.starred) values[named] = nb::tuple(others);
  if (signature.keywords) {
    c.created(other_keywords);
    values.back() = other_keywords;
  }
  for (size_t i = 0; i < named; ++i) {
    const std::string name(text(parameters[i].name));
    if (!values[i]) values[i] = parameters[i].otherwise;
    if (!values[i]) throw c.error("L401", callee + " needs '" + name + "'", usage_of(signature), node);
    values[i] = unwrapped(values[i]);
    if (as_run_time(values[i]) && parameters[i].is_static)
      throw c.not_known("'" + name + "' of " + callee, values[i],
                        "the parameter is annotated asc.ConstExpr: pass a value known while compiling, or leave the annotation out",
                        nodes[i]);
    if (parameters[i].dtype != DType::Void)
      values[i] = converted_argument(c, values[i], parameters[i].dtype, "'" + name + "' of " + callee, nodes[i]);
    if (auto *global = as<GlobalTensor>(values[i]); global && !global->ir && !signature.inlined)
      throw c.error("T301", "'" + name + "' of " + callee + " is a GlobalTensor without a buffer",
                    "call set_global_buffer(address, size) on it first", nodes[i]);
  }
  return values;
}

/// Whether a structure was made by the function that returns it, as a whole and for nothing else.
static bool made_for(mlir::Value structure, mlir::func::FuncOp function) {
  mlir::Operation *made = structure.getDefiningOp();
  return llvm::isa_and_nonnull<StructOp, CopyStructOp, mlir::func::CallOp>(made) && made->getParentOp() == function;
}

Specialisation Translator::specialise(nb::handle function, const std::shared_ptr<const SourceFile> &source,
                                      const std::vector<Shape> &shapes, PyObject *node) {
  const ParameterList signature = parameters_of(function);
  const std::string &callee = signature.function;
  Frame &callee_frame = make_frame(function, signature, source);
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
  Frame *caller_frame = std::exchange(frame, &callee_frame);
  auto back = llvm::make_scope_exit(
      [&] { c.regions = std::move(caller_regions), c.source = caller_source, c.node = caller_node, frame = caller_frame; });
  try {
    if (syntax_of(c.node) != Syntax::FunctionDef) refuse(c.node);
    op->setLoc(c.loc());
    c.ops.setInsertionPointToEnd(entry);
    mlir::ValueRange parameters = entry->getArguments();
    for (size_t i = 0; i < shapes.size(); ++i) {
      size_t before = parameters.size();
      const nb::object &name = signature.parameters[i].name;
      nb::object value = put_together(c, shapes[i], parameters);
      for (size_t k = 0; k < before - parameters.size(); ++k)
        entry->getArgument(unsigned(entry->getNumArguments() - before + k)).setLoc(make_location(c.context, c.span(), text(name)));
      frame->variables[frame->slots.lookup(name.ptr())] = {std::move(value), nullptr};
    }
    enter_function(source->tree.ptr());
    const uint64_t failures = c.failures;
    const size_t found = c.found.size();
    Rest end{nullptr, 0, nullptr};
    if (block(field(source->tree.ptr(), Child::body), &end) != Flow::Return) frame->result = nb::none();
    c.fail_if_failed(failures, found, {callee + "() is called here", call_span});
    leave_function(frame->result);
    Specialisation made{op, as_result(shape_of(c, frame->result))};
    if (nb::handle object = object_in(made.result))
      throw c.error("L309", callee + "() returns " + describe(object), "make it in the caller and pass it as an argument", leaving);
    llvm::SmallVector<mlir::Value> results;
    take_apart(c, made.result, frame->result, results);
    for (mlir::Value &result : results)
      if (llvm::isa<StructType>(result.getType()) && !made_for(result, op)) result = copy_of(c, result);
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

/// Whether a value cannot be a parameter of a function of its own: an object that the kernel made, or what may hold run-time values in a
/// way that no parameter has.
static bool stays_here(const Compilation &c, nb::handle value, unsigned level = 0) {
  if (as_run_time(value) || struct_of(value) || level > 20) return false;
  if (as<Closure>(value)) return true;
  nb::object parts = nb::borrow(value);
  if (PyDict_CheckExact(value.ptr())) parts = nb::steal(PyDict_Values(value.ptr()));
  if (!PyTuple_CheckExact(parts.ptr()) && !PyList_CheckExact(parts.ptr())) {
    const bool of_a_class = (Py_TYPE(value.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE) && !number_of(value);
    return (of_a_class || PyAnySet_Check(value.ptr())) && c.has_created(value);
  }
  const bool is_dict = !parts.is(value);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(parts.ptr()); ++i) {
    nb::handle part = PySequence_Fast_GET_ITEM(parts.ptr(), i);
    if ((is_dict && as_run_time(part)) || stays_here(c, part, level + 1)) return true;
  }
  return false;
}

nb::object Translator::call_device(nb::handle function, const Arguments &arguments, PyObject *node) {
  ++device_calls;
  if (!PyFunction_Check(function.ptr()))
    throw c.error("L108", describe(function) + " cannot be compiled", "decorate an ordinary function with @asc.jit");
  for (Frame *f = frame; f; f = f->caller)
    if (f->identity == function.ptr())
      throw c.error("L109", std::string(text(function.attr("__name__"))) + "() calls itself",
                    "the device has no stack for recursion; use a loop", node);

  std::shared_ptr<const SourceFile> source = load_source(function);
  const ParameterList signature = parameters_of(function);
  std::vector<nb::object> values = bind_parameters(signature, arguments, node);
  if (signature.keywords || std::any_of(values.begin(), values.end(), [&](nb::handle value) { return stays_here(c, value); })) {
    if (syntax_of(source->tree.ptr()) != Syntax::FunctionDef) refuse(source->tree.ptr());
    return by_value(
        c, call_inline(make_frame(function, signature, source), source->tree.ptr(), std::move(values), signature.function + "()", node));
  }
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

/// The first part of an async function that no other function can have; the function itself when it has none.
static PyObject *asynchronous_part(PyObject *function) {
  for (nb::handle node : nb::module_::import_("ast").attr("walk")(nb::handle(function))) {
    const Syntax syntax = syntax_of(node.ptr());
    if (syntax == Syntax::AsyncFor || syntax == Syntax::AsyncWith || syntax == Syntax::Await) return node.ptr(); // the tree keeps it
  }
  return function;
}

void Translator::kernel(nb::handle function, nb::handle loaded, const std::vector<ArgSpec> &arguments) {
  std::shared_ptr<const SourceFile> source = load_source(function, loaded);
  c.source = source.get();
  PyObject *tree = c.node = source->tree.ptr();
  if (syntax_of(tree) != Syntax::FunctionDef) refuse(asynchronous_part(tree));
  const ParameterList signature = parameters_of(function);
  const std::vector<ParameterList::Parameter> &parameters = signature.parameters;
  if (parameters.size() != arguments.size()) throw InternalError("the kernel has another number of parameters than arguments");

  frame = &make_frame(function, signature, source);
  frame->is_kernel = true;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> shown, dtypes;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ArgSpec &spec = arguments[i];
    if (spec.kind == ArgSpec::Kind::Static) continue;
    mlir::Type element = element_type(c.context, spec.dtype), type = scalar_type(c.context, spec.dtype);
    if (spec.kind == ArgSpec::Kind::Address) type = AddressType::get(&c.context, element);
    if (spec.kind == ArgSpec::Kind::Struct)
      element = type = struct_type(c.context, *find_layout(reinterpret_cast<PyTypeObject *>(spec.value.ptr())));
    types.push_back(type);
    shown.push_back(c.ops.getStringAttr(llvm::StringRef(text(parameters[i].name))));
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
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ArgSpec &spec = arguments[i];
    nb::object value = spec.kind == ArgSpec::Kind::Static ? unwrapped(spec.value) : nb::object();
    if (spec.kind != ArgSpec::Kind::Static) {
      mlir::Value argument =
          entry.addArgument(types[entry.getNumArguments()], make_location(c.context, c.span(), text(parameters[i].name)));
      value = spec.kind == ArgSpec::Kind::Address  ? c.make<GlobalAddress>(argument, spec.dtype)
              : spec.kind == ArgSpec::Kind::Struct ? make_structure(c, argument, spec.value)
                                                   : c.make_scalar(argument, spec.dtype);
    }
    frame->variables[frame->slots.lookup(parameters[i].name.ptr())] = {std::move(value), nullptr};
  }
  enter_function(tree);
  Rest end{nullptr, 0, nullptr};
  try {
    block(field(tree, Child::body), &end);
  } catch (const DiagnosticError &error) {
    if (!c.options.all_errors) throw;
    c.record(error);
  }
  if (!c.found.empty()) throw DiagnosticError(c.found);
  c.node = tree;
  leave_function(nb::none());
  c.ops.create<ReturnOp>(c.loc());
  frame = nullptr;
}

} // namespace asc
