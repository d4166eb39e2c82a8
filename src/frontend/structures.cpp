// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures: their classes, and what kernels do with their objects.
#include "frontend/structures.h"

#include "frontend/functions.h"
#include "frontend/shape.h"

#include <algorithm>

namespace asc {

// ---------------------------------------------------------------- classes

static std::unique_ptr<StructLayout> make_layout(PyTypeObject *type, nb::handle description) {
  static uint64_t next = 0;
  auto layout = std::make_unique<StructLayout>();
  layout->cls = type, layout->number = next++;
  layout->name = std::string(text(description.attr("name")));
  layout->problem = std::string(text(description.attr("problem")));
  layout->no_constructor = std::string(text(description.attr("no_constructor")));
  layout->no_equality = std::string(text(description.attr("no_equality")));
  layout->pack = nb::cast<unsigned>(description.attr("pack"));
  layout->header = std::string(text(description.attr("header")));
  layout->frozen = nb::cast<bool>(description.attr("frozen"));
  for (nb::handle f : description.attr("fields")) {
    StructLayout::Field field;
    PyObject *name = nb::object(f.attr("name")).release().ptr();
    PyUnicode_InternInPlace(&name);
    field.name = nb::steal(name);
    field.text = text(field.name), field.ascendc = text(f.attr("ascendc"));
    field.type = f.attr("type");
    if (std::optional<DType> dtype = as_dtype(field.type)) field.dtype = *dtype, field.type = {};
    field.keyword_only = nb::cast<bool>(f.attr("keyword_only")), field.in_constructor = nb::cast<bool>(f.attr("in_constructor"));
    field.compared = nb::cast<bool>(f.attr("compared"));
    if (nb::cast<bool>(f.attr("has_default"))) field.otherwise = f.attr("default");
    field.is_factory = nb::cast<bool>(f.attr("is_factory"));
    layout->fields.push_back(std::move(field));
  }
  for (nb::handle m : description.attr("meanings")) {
    nb::handle owner = m[0];
    auto *dict = PyType_Check(owner.ptr()) ? reinterpret_cast<PyTypeObject *>(owner.ptr())->tp_dict : owner.ptr();
    nb::object value = nb::borrow(PyDict_GetItemWithError(dict, nb::object(m[1]).ptr()));
    layout->meanings.push_back({nb::borrow(dict), m[1], std::move(value)});
  }
  return layout;
}

bool StructLayout::current() const {
  return std::all_of(meanings.begin(), meanings.end(),
                     [](const Meaning &m) { return PyDict_GetItemWithError(m.names.ptr(), m.name.ptr()) == m.value.ptr(); });
}

const StructLayout &StructLayout::inner(const Field &field) const {
  return *find_layout(reinterpret_cast<PyTypeObject *>(field.type.ptr()));
}
size_t StructLayout::leaves() const {
  size_t sum = 0;
  for (const Field &field : fields) sum += field.dtype != DType::Void ? 1 : inner(field).leaves();
  return sum;
}

const StructLayout *find_layout(PyTypeObject *type) {
  static PyObject *const kept = PyUnicode_InternFromString("__asc_layout__");
  static PyObject *const marks[] = {PyUnicode_InternFromString("__dataclass_fields__"), PyUnicode_InternFromString("__asc_fields__")};
  if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) return nullptr;
  StructLayout *former = nullptr;
  if (PyObject *found = _PyType_Lookup(type, kept)) {
    auto *layout = static_cast<StructLayout *>(PyCapsule_GetPointer(found, nullptr));
    if (layout->cls == type) former = layout; // else it belongs to a base
    if (former && former->current()) return former;
  }
  if (!_PyType_Lookup(type, marks[0]) && !_PyType_Lookup(type, marks[1])) return nullptr;
  nb::object cls = nb::borrow(reinterpret_cast<PyObject *>(type));
  nb::object description = nb::module_::import_("pyasc._structures").attr("describe_whole")(cls);
  std::unique_ptr<StructLayout> layout = make_layout(type, description);
  StructLayout *made = layout.get();
  if (former) {
    PyObject *capsule = _PyType_Lookup(type, kept);
    made->former = std::move(former->former);
    made->former.emplace_back(former);
    if (PyCapsule_SetPointer(capsule, layout.release()) < 0) throw nb::python_error();
    return made;
  }
  nb::capsule capsule(layout.release(), [](void *p) noexcept { delete static_cast<StructLayout *>(p); });
  // Not setattr: a metaclass may have something against it.
  if (PyDict_SetItem(type->tp_dict, kept, capsule.ptr()) < 0) throw nb::python_error();
  PyType_Modified(type);
  return made;
}
const StructLayout *layout_of(nb::handle object) {
  const StructLayout *layout = find_layout(Py_TYPE(object.ptr()));
  return layout && layout->problem.empty() ? layout : nullptr;
}

StructType struct_type(mlir::MLIRContext &context, const StructLayout &layout) {
  mlir::Builder builder(&context);
  llvm::SmallVector<mlir::Attribute> names, types;
  for (const StructLayout::Field &field : layout.fields) {
    names.push_back(builder.getStringAttr(field.ascendc));
    types.push_back(
        mlir::TypeAttr::get(field.dtype == DType::Void ? struct_type(context, layout.inner(field)) : element_type(context, field.dtype)));
  }
  return StructType::get(&context, builder.getStringAttr(layout.name), builder.getArrayAttr(names), builder.getArrayAttr(types),
                         layout.pack, layout.header.empty() ? mlir::StringAttr() : builder.getStringAttr(layout.header));
}

// ---------------------------------------------------------------- objects

nb::object make_structure(const Compilation &c, mlir::Value value, nb::handle cls) {
  nb::object made = c.make<Structure>(value, DType::Void);
  as<Structure>(made)->cls = nb::borrow(cls);
  return made;
}

static const StructLayout &layout_of(const Structure &structure) {
  return *find_layout(reinterpret_cast<PyTypeObject *>(structure.cls.ptr()));
}

static mlir::Value inner_ir(Compilation &c, mlir::Value structure, size_t index) {
  auto type = llvm::cast<StructType>(llvm::cast<StructType>(structure.getType()).field(unsigned(index)));
  return c.ops.create<MemberOp>(c.loc(), type, structure, uint32_t(index));
}
static mlir::Value field_ir(Compilation &c, mlir::Value structure, size_t index, DType dtype) {
  return c.ops.create<GetFieldOp>(c.loc(), scalar_type(c.context, dtype), structure, uint32_t(index));
}

/// The numbers in a structure, which is one of the kernel or one of the host.
static void flatten(Compilation &c, const StructLayout &layout, nb::handle value, std::string_view what,
                    llvm::SmallVectorImpl<mlir::Value> &numbers) {
  auto *structure = as<Structure>(value);
  nb::handle cls = structure ? nb::handle(structure->cls) : value.type();
  if (!cls.is(nb::handle(reinterpret_cast<PyObject *>(layout.cls))))
    throw c.error("T103", std::string(what) + " is " + describe(value) + ", expected a " + layout.name, "pass a " + layout.name);
  mlir::Value ir = structure ? c.use(*structure) : mlir::Value();
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    const StructLayout::Field &field = layout.fields[i];
    const std::string name = "field '" + field.text + "'";
    if (field.dtype == DType::Void) {
      const StructLayout &inner = layout.inner(field);
      nb::object part = structure ? make_structure(c, inner_ir(c, ir, i), field.type) : nb::object(value.attr(field.name));
      flatten(c, inner, part, name, numbers);
    } else if (structure) {
      numbers.push_back(field_ir(c, ir, i, field.dtype));
    } else {
      numbers.push_back(convert(c, value.attr(field.name), field.dtype, name));
    }
  }
}

/// The value of each field that the arguments of a constructor give.
static std::vector<Argument> bind_fields(Compilation &c, const StructLayout &layout, const Arguments &arguments) {
  std::vector<Argument> bound(layout.fields.size());
  std::string names;
  for (const StructLayout::Field &field : layout.fields)
    if (field.in_constructor) names += (names.empty() ? "" : ", ") + field.text + (field.otherwise ? "=..." : "");
  const std::string help = "call it as " + layout.name + "(" + names + ")";
  size_t next = 0;
  for (const Argument &argument : arguments) {
    size_t place = 0;
    if (argument.keyword) {
      const std::string_view keyword = text(argument.keyword);
      while (place < bound.size() && !(layout.fields[place].in_constructor && layout.fields[place].text == keyword)) ++place;
      if (place == bound.size()) throw c.error("L401", layout.name + " has no field '" + std::string(keyword) + "'", help, argument.node);
      if (bound[place].value) throw c.error("L401", layout.name + "() gets '" + std::string(keyword) + "' twice", help, argument.node);
    } else {
      auto positional = [&](const StructLayout::Field &field) { return field.in_constructor && !field.keyword_only; };
      while (next < bound.size() && !positional(layout.fields[next])) ++next;
      place = next++;
      if (place >= bound.size()) {
        const auto most = std::count_if(layout.fields.begin(), layout.fields.end(), positional);
        throw c.error("L401", layout.name + "() takes " + std::to_string(most) + " positional arguments, got more", help, argument.node);
      }
    }
    bound[place] = argument;
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    const StructLayout::Field &field = layout.fields[i];
    if (bound[i].value) continue;
    if (!field.otherwise) throw c.error("L401", layout.name + "() needs '" + field.text + "'", help);
    bound[i].value = field.is_factory ? field.otherwise() : field.otherwise;
  }
  return bound;
}

nb::object construct_structure(Compilation &c, const StructLayout &layout, const Arguments &arguments) {
  if (!layout.no_constructor.empty())
    throw c.error("L108", layout.name + " cannot be made in a kernel: " + layout.no_constructor,
                  "make it on the host and pass it as an argument");
  std::vector<Argument> bound = bind_fields(c, layout, arguments);
  llvm::SmallVector<mlir::Value> numbers;
  for (size_t i = 0; i < bound.size(); ++i) {
    const StructLayout::Field &field = layout.fields[i];
    At at(c, bound[i].node ? bound[i].node : c.node);
    const std::string name = "field '" + field.text + "'";
    if (field.dtype == DType::Void)
      flatten(c, layout.inner(field), bound[i].value, name, numbers);
    else
      numbers.push_back(convert(c, bound[i].value, field.dtype, name));
  }
  nb::handle cls(reinterpret_cast<PyObject *>(layout.cls));
  return make_structure(c, c.ops.create<StructOp>(c.loc(), struct_type(c.context, layout), numbers), cls);
}

/// The number of a field. Throws L402.
static size_t find_field(const Compilation &c, const StructLayout &layout, std::string_view name) {
  std::vector<std::string> names;
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    if (layout.fields[i].text == name) return i;
    names.push_back(layout.fields[i].text);
  }
  const std::string shown(name);
  PyObject *found = _PyType_Lookup(layout.cls, nb::str(shown.c_str()).ptr());
  const std::string near = nearest(name, {names.begin(), names.end()});
  std::string help = near.empty() ? "it has " + join(names, ", ") : "did you mean '" + near + "'?";
  if (found && PyObject_TypeCheck(found, &PyProperty_Type))
    help = "a kernel reads a property whose function is decorated with @asc.jit, and assigns to fields only";
  else if (found &&
           (PyFunction_Check(found) || PyObject_TypeCheck(found, &PyStaticMethod_Type) || PyObject_TypeCheck(found, &PyClassMethod_Type)))
    help = "it is a plain method: decorate it with @asc.jit to call it in kernels";
  else if (found)
    help = "write " + layout.name + "." + shown + " for a constant of the class";
  throw c.error("L402", "a " + layout.name + " in a kernel has no field '" + shown + "'", std::move(help));
}

nb::object field_of(Compilation &c, const Structure &structure, std::string_view name) {
  const StructLayout &layout = layout_of(structure);
  const size_t i = find_field(c, layout, name);
  const StructLayout::Field &field = layout.fields[i];
  mlir::Value ir = c.use(structure);
  if (field.dtype == DType::Void) return make_structure(c, inner_ir(c, ir, i), field.type);
  return c.make_scalar(field_ir(c, ir, i, field.dtype), field.dtype);
}

/// Stores the next numbers into the fields.
static void store(Compilation &c, const StructLayout &layout, mlir::Value structure, mlir::ValueRange &numbers) {
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    if (layout.fields[i].dtype == DType::Void) {
      store(c, layout.inner(layout.fields[i]), inner_ir(c, structure, i), numbers);
      continue;
    }
    c.ops.create<SetFieldOp>(c.loc(), structure, numbers.front(), uint32_t(i));
    numbers = numbers.drop_front();
  }
}

void set_field(Compilation &c, const Structure &structure, std::string_view name, nb::handle value) {
  const StructLayout &layout = layout_of(structure);
  const size_t i = find_field(c, layout, name);
  const StructLayout::Field &field = layout.fields[i];
  const std::string what = "field '" + field.text + "'";
  if (layout.frozen)
    throw c.error("L314", what + " of a " + layout.name + " cannot be changed: the dataclass is frozen", "make another " + layout.name);
  mlir::Value ir = c.use(structure);
  llvm::SmallVector<mlir::Value> numbers;
  if (field.dtype != DType::Void) {
    c.ops.create<SetFieldOp>(c.loc(), ir, convert(c, value, field.dtype, what), uint32_t(i));
    return;
  }
  flatten(c, layout.inner(field), value, what, numbers);
  mlir::ValueRange rest = numbers;
  store(c, layout.inner(field), inner_ir(c, ir, i), rest);
}

/// The class that decides what operators do with an object; null for those that are not there to be asked.
static PyTypeObject *deciding_class(nb::handle object) {
  if (auto *structure = as<Structure>(object)) return reinterpret_cast<PyTypeObject *>(structure->cls.ptr());
  PyTypeObject *type = Py_TYPE(object.ptr());
  return as_run_time(object) || !(type->tp_flags & Py_TPFLAGS_HEAPTYPE) ? nullptr : type;
}
static bool is_compiled(nb::handle function) {
  static PyObject *const jit = PyUnicode_InternFromString("__asc_jit__");
  return function.ptr() && _PyType_Lookup(Py_TYPE(function.ptr()), jit);
}

nb::object compiled_method(nb::handle object, const char *name) {
  PyTypeObject *cls = deciding_class(object);
  PyObject *found = cls ? _PyType_Lookup(cls, nb::str(name).ptr()) : nullptr;
  return is_compiled(found) ? nb::steal(PyMethod_New(found, object.ptr())) : nb::object();
}

namespace {
struct Operator {
  Syntax syntax;
  const char *method, *reflected; // the one of the right operand; null: there is none
};
constexpr Operator kOperators[] = {
    {Syntax::Add, "__add__", "__radd__"},
    {Syntax::Sub, "__sub__", "__rsub__"},
    {Syntax::Mult, "__mul__", "__rmul__"},
    {Syntax::MatMult, "__matmul__", "__rmatmul__"},
    {Syntax::Div, "__truediv__", "__rtruediv__"},
    {Syntax::FloorDiv, "__floordiv__", "__rfloordiv__"},
    {Syntax::Mod, "__mod__", "__rmod__"},
    {Syntax::Pow, "__pow__", "__rpow__"},
    {Syntax::LShift, "__lshift__", "__rlshift__"},
    {Syntax::RShift, "__rshift__", "__rrshift__"},
    {Syntax::BitAnd, "__and__", "__rand__"},
    {Syntax::BitOr, "__or__", "__ror__"},
    {Syntax::BitXor, "__xor__", "__rxor__"},
    {Syntax::Eq, "__eq__", "__eq__"},
    {Syntax::NotEq, "__ne__", "__ne__"},
    {Syntax::Lt, "__lt__", "__gt__"},
    {Syntax::LtE, "__le__", "__ge__"},
    {Syntax::Gt, "__gt__", "__lt__"},
    {Syntax::GtE, "__ge__", "__le__"},
    {Syntax::USub, "__neg__", nullptr},
    {Syntax::UAdd, "__pos__", nullptr},
    {Syntax::Invert, "__invert__", nullptr},
};
const Operator *find_operator(Syntax syntax) {
  for (const Operator &one : kOperators)
    if (one.syntax == syntax) return &one;
  return nullptr;
}
} // namespace

std::optional<nb::object> call_operator(Compilation &c, Syntax op, nb::handle lhs, nb::handle rhs) {
  const auto call = [&](nb::handle method, nb::handle argument) {
    return call_while_compiling(method, {Argument{nb::borrow(argument), c.node}});
  };
  if (op == Syntax::In || op == Syntax::NotIn) {
    nb::object method = compiled_method(rhs, "__contains__");
    if (!method) return std::nullopt;
    const Truth found = truth(c, call(method, lhs));
    nb::object result = found.known ? nb::object(nb::bool_(*found.known)) : c.make_scalar(found.ir, DType::Bool);
    return op == Syntax::In ? result : unary(c, Syntax::Not, result);
  }
  const Operator *known = find_operator(op);
  if (!known) return std::nullopt;
  if (nb::object method = compiled_method(lhs, known->method)) return call(method, rhs);
  if (nb::object method = compiled_method(rhs, known->reflected)) return call(method, lhs);
  if (op != Syntax::NotEq) return std::nullopt;
  std::optional<nb::object> same = call_operator(c, Syntax::Eq, lhs, rhs); // as Python does without a __ne__
  return same ? std::optional(unary(c, Syntax::Not, *same)) : std::nullopt;
}

bool has_in_place(const Structure &structure, Syntax op) {
  const Operator *known = find_operator(op);
  const std::string name = known ? "__i" + std::string(known->method).substr(2) : "";
  return known && _PyType_Lookup(reinterpret_cast<PyTypeObject *>(structure.cls.ptr()), nb::str(name.c_str()).ptr());
}

std::optional<nb::object> call_operator(Compilation &, Syntax op, nb::handle operand) {
  const Operator *known = find_operator(op);
  nb::object method = known ? compiled_method(operand, known->method) : nb::object();
  return method ? std::optional(call_while_compiling(method, {})) : std::nullopt;
}

nb::object equal(Compilation &c, nb::handle a, nb::handle b) {
  auto class_of = [](nb::handle value) { return as<Structure>(value) ? nb::handle(as<Structure>(value)->cls) : value.type(); };
  for (nb::handle value : {a, b}) {
    const StructLayout *layout = find_layout(reinterpret_cast<PyTypeObject *>(class_of(value).ptr()));
    if (layout && !layout->no_equality.empty())
      throw c.error("T106", "'==' and '!=' do not take a " + layout->name + " in a kernel: " + layout->no_equality,
                    "compare the fields that count, a.x == b.x, or decorate the __eq__ of the class with @asc.jit");
  }
  if (!class_of(a).is(class_of(b))) return nb::bool_(false);
  auto part_of = [&](nb::handle value, const StructLayout::Field &field) {
    auto *structure = as<Structure>(value);
    return structure ? field_of(c, *structure, field.text) : nb::object(value.attr(field.name));
  };
  nb::object all = nb::bool_(true);
  for (const StructLayout::Field &field : find_layout(reinterpret_cast<PyTypeObject *>(class_of(a).ptr()))->fields) {
    if (!field.compared) continue;
    nb::object same = compare(c, Syntax::Eq, part_of(a, field), part_of(b, field));
    all = all.is(nb::handle(Py_True)) ? same : binary(c, Syntax::BitAnd, all, same);
  }
  return all;
}

mlir::Value copy_of(Compilation &c, mlir::Value structure) { return c.ops.create<CopyStructOp>(c.loc(), structure.getType(), structure); }

nb::object by_value(Compilation &c, nb::object result) {
  if (auto *structure = as<Structure>(result)) return make_structure(c, copy_of(c, c.use(*structure)), structure->cls);
  if (!PyTuple_CheckExact(result.ptr())) return result;
  nb::list parts;
  for (nb::handle part : nb::borrow<nb::tuple>(result)) parts.append(by_value(c, nb::borrow(part)));
  return nb::tuple(parts);
}

std::vector<std::pair<std::string_view, nb::object>> fields_of(Compilation &c, const Structure &structure) {
  std::vector<std::pair<std::string_view, nb::object>> fields;
  for (const StructLayout::Field &field : layout_of(structure).fields) fields.emplace_back(field.text, field_of(c, structure, field.text));
  return fields;
}

} // namespace asc
