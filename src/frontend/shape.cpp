// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of values: joining, taking apart, putting together.
#include "frontend/shape.h"
#include "frontend/functions.h"
#include "frontend/structures.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

namespace asc {

/// Same value for the compiler: the same object, or equal numbers, strings and the like of the same type.
static bool same_static(nb::handle a, nb::handle b) {
  if (a.is(b)) return true;
  if (Py_TYPE(a.ptr()) != Py_TYPE(b.ptr())) return false;
  PyObject *p = a.ptr();
  if (PyFloat_Check(p)) { // -0.0 is not 0.0, and NaN is itself
    double x = PyFloat_AS_DOUBLE(p), y = PyFloat_AS_DOUBLE(b.ptr());
    return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y);
  }
  if (!PyLong_Check(p) && !PyUnicode_Check(p) && !PyBytes_Check(p) && !as<DataType>(a)) return false;
  int equal = PyObject_RichCompareBool(p, b.ptr(), Py_EQ);
  if (equal < 0) throw nb::python_error();
  return equal != 0;
}

bool Shape::operator==(const Shape &other) const {
  if (kind != other.kind || dtype != other.dtype || position != other.position || parts != other.parts) return false;
  if (kind == Kind::Struct || kind == Kind::Object) return object.is(other.object);
  if (kind == Kind::Parameter) return type == other.type && object.is(other.object);
  return kind != Kind::Static || same_static(object, other.object);
}

bool Shape::is_static() const {
  if (kind == Kind::Static || kind == Kind::Object) return true;
  if (kind != Kind::Tuple && kind != Kind::List && kind != Kind::Struct) return false;
  return std::all_of(parts.begin(), parts.end(), [](const Shape &part) { return part.is_static(); });
}

const StructRow *struct_of(nb::handle object) {
  static PyObject *const attribute = PyUnicode_InternFromString("__asc_struct__");
  PyTypeObject *type = Py_TYPE(object.ptr());
  if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) return nullptr;
  PyObject *found = _PyType_Lookup(type, attribute);
  return found ? find_struct(text(found)) : nullptr;
}

static nb::object attribute(nb::handle object, std::string_view name) {
  nb::object value = nb::steal(PyObject_GetAttr(object.ptr(), nb::str(name.data(), name.size()).ptr()));
  if (!value) throw nb::python_error();
  return value;
}

static constexpr unsigned kMaxLevels = 200;

static Shape shape_of(Compilation &c, nb::handle value, unsigned level) {
  if (auto *plain = as<PlainValue>(value)) return {Shape::Kind::Plain, plain->dtype};
  if (auto *address = as<GlobalAddress>(value)) return {Shape::Kind::Address, address->dtype};
  if (auto *local = as<LocalTensor>(value)) {
    Shape shape{Shape::Kind::Local, local->dtype, local->position};
    if (local->user_tag) shape.parts.push_back({Shape::Kind::Plain, DType::Int32});
    return shape;
  }
  if (auto *global = as<GlobalTensor>(value); global && global->ir) return {Shape::Kind::Global, global->dtype};
  if (as_object(value)) return {Shape::Kind::Object, DType::Void, Position::MAX, nb::borrow(value)};
  if (level > kMaxLevels)
    throw c.error("L204", "a list or tuple contains itself, or is nested more than " + std::to_string(kMaxLevels) + " levels deep",
                  "use a flat one: what goes through a run-time branch or loop, or into a device function, is taken apart into its values");
  Shape shape;
  auto add = [&](nb::handle part) { shape.parts.push_back(shape_of(c, part, level + 1)); };
  if (PyTuple_CheckExact(value.ptr())) {
    shape.kind = Shape::Kind::Tuple;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value.ptr()); ++i) add(PyTuple_GET_ITEM(value.ptr(), i));
  } else if (PyList_CheckExact(value.ptr())) {
    shape.kind = Shape::Kind::List;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value.ptr()); ++i) add(PyList_GET_ITEM(value.ptr(), i));
  } else if (const StructRow *row = struct_of(value)) {
    shape.kind = Shape::Kind::Struct;
    shape.object = nb::borrow(reinterpret_cast<PyObject *>(Py_TYPE(value.ptr())));
    for (const Field &field : row->fields) add(attribute(value, field.name));
  } else {
    shape.object = nb::borrow(value);
  }
  return shape;
}

Shape shape_of(Compilation &c, nb::handle value) { return shape_of(c, value, 0); }

Shape as_parameter(Shape shape) {
  if (shape.kind == Shape::Kind::Object) {
    auto *structure = as<Structure>(shape.object);
    nb::object cls = structure ? structure->cls : nb::borrow(shape.object.type());
    return {Shape::Kind::Parameter, DType::Void, Position::MAX, std::move(cls), {}, as_object(shape.object)->ir.getType()};
  }
  for (Shape &part : shape.parts) part = as_parameter(std::move(part));
  return shape;
}

Shape as_result(Shape shape) {
  if (shape.kind == Shape::Kind::Object && as<Structure>(shape.object)) return as_parameter(std::move(shape));
  for (Shape &part : shape.parts) part = as_result(std::move(part));
  return shape;
}

nb::handle object_in(const Shape &shape) {
  if (shape.kind == Shape::Kind::Object) return shape.object;
  for (const Shape &part : shape.parts)
    if (nb::handle object = object_in(part)) return object;
  return {};
}

Shape generalised(Compilation &c, Shape shape) {
  if (shape.kind != Shape::Kind::Static) return shape;
  std::optional<Number> number = number_of(shape.object);
  return number && number->fits ? Shape{Shape::Kind::Plain, default_dtype(c, *number)} : shape;
}

static std::string class_name(nb::handle object) {
  if (auto *structure = as<Structure>(object)) return std::string(text(structure->cls.attr("__name__")));
  return std::string(find_class(object.type())->name);
}

static std::string describe(const Shape &shape) {
  switch (shape.kind) {
  case Shape::Kind::Static: return describe(shape.object);
  case Shape::Kind::Plain: return "a run-time " + std::string(name(shape.dtype));
  case Shape::Kind::Address: return "a GlobalAddress of " + std::string(name(shape.dtype));
  case Shape::Kind::Global: return "a GlobalTensor of " + std::string(name(shape.dtype));
  case Shape::Kind::Local: return "a LocalTensor of " + std::string(name(shape.dtype)) + " in " + std::string(name(shape.position));
  case Shape::Kind::Object: return "one " + class_name(shape.object);
  case Shape::Kind::Parameter: break; // of functions only, which are not joined
  case Shape::Kind::Tuple: return "a tuple of " + std::to_string(shape.parts.size());
  case Shape::Kind::List: return "a list of " + std::to_string(shape.parts.size());
  case Shape::Kind::Struct: return "a " + std::string(reinterpret_cast<PyTypeObject *>(shape.object.ptr())->tp_name);
  }
  return {};
}

/// The dtype of a number, static or not, in a join; nothing for other shapes.
static std::optional<DType> join_numbers(Compilation &c, const Shape &a, const Shape &b) {
  auto literal = [](const Shape &s) { return s.kind == Shape::Kind::Static ? number_of(s.object) : std::nullopt; };
  std::optional<Number> x = literal(a), y = literal(b);
  bool plain_a = a.kind == Shape::Kind::Plain, plain_b = b.kind == Shape::Kind::Plain;
  if (!(plain_a || x) || !(plain_b || y)) return std::nullopt;
  auto with_literal = [&](DType dtype, const Number &number) {
    DType common = promote(c, dtype, number);
    return fits(number, common) || info(common).is_float ? common : promote(c, common, default_dtype(c, number));
  };
  if (plain_a && plain_b) return promote(c, a.dtype, b.dtype);
  if (plain_a) return with_literal(a.dtype, *y);
  if (plain_b) return with_literal(b.dtype, *x);
  return promote(c, default_dtype(c, *x), default_dtype(c, *y));
}

std::optional<Shape> join(Compilation &c, const Shape &a, const Shape &b, Mismatch &mismatch) {
  if (a == b) return a;
  try {
    if (std::optional<DType> dtype = join_numbers(c, a, b)) return Shape{Shape::Kind::Plain, *dtype};
  } catch (const DiagnosticError &error) {
    mismatch.why = error.diagnostics.front().message;
    return std::nullopt;
  }
  if (a.kind == Shape::Kind::Local && b.kind == Shape::Kind::Local && a.dtype == b.dtype && a.position == b.position)
    return a.parts.empty() ? b : a; // with a tag
  bool same_class = a.kind == b.kind && (a.kind == Shape::Kind::Tuple || (a.kind == Shape::Kind::Struct && a.object.is(b.object)));
  if (same_class && a.parts.size() == b.parts.size()) {
    Shape joined{a.kind, DType::Void, Position::MAX, a.object};
    for (size_t i = 0; i < a.parts.size(); ++i) {
      std::optional<Shape> part = join(c, a.parts[i], b.parts[i], mismatch);
      if (!part) return std::nullopt;
      joined.parts.push_back(std::move(*part));
    }
    return joined;
  }
  if (a.kind == Shape::Kind::Object && b.kind == Shape::Kind::Object)
    mismatch = {"it is one or another " + class_name(a.object) + ", and which one must be known while compiling",
                as<Structure>(a.object) || as<Array>(a.object)
                    ? "make it before, and set its values on each path"
                    : "call its methods on each path, or choose it by a value known while compiling"};
  else
    mismatch.why = "it is " + describe(a) + " or " + describe(b);
  return std::nullopt;
}

void types_of(Compilation &c, const Shape &shape, llvm::SmallVectorImpl<mlir::Type> &types) {
  auto element = [&] { return element_type(c.context, shape.dtype); };
  switch (shape.kind) {
  case Shape::Kind::Static:
  case Shape::Kind::Object: return;
  case Shape::Kind::Parameter: types.push_back(shape.type); return;
  case Shape::Kind::Plain: types.push_back(scalar_type(c.context, shape.dtype)); return;
  case Shape::Kind::Address: types.push_back(AddressType::get(&c.context, element())); return;
  case Shape::Kind::Global: types.push_back(GlobalTensorType::get(&c.context, element())); return;
  case Shape::Kind::Local:
    types.push_back(LocalTensorType::get(&c.context, element(), unsigned(shape.position)));
    for (const Shape &tag : shape.parts) types_of(c, tag, types);
    return;
  default:
    for (const Shape &part : shape.parts) types_of(c, part, types);
  }
}

void take_apart(Compilation &c, const Shape &shape, nb::handle value, llvm::SmallVectorImpl<mlir::Value> &parts) {
  switch (shape.kind) {
  case Shape::Kind::Static:
  case Shape::Kind::Object: return;
  case Shape::Kind::Plain: parts.push_back(convert(c, value, shape.dtype, "the value")); return;
  case Shape::Kind::Tuple:
    for (size_t i = 0; i < shape.parts.size(); ++i) take_apart(c, shape.parts[i], PyTuple_GET_ITEM(value.ptr(), i), parts);
    return;
  case Shape::Kind::List:
    for (size_t i = 0; i < shape.parts.size(); ++i) take_apart(c, shape.parts[i], PyList_GET_ITEM(value.ptr(), i), parts);
    return;
  case Shape::Kind::Struct: {
    const StructRow *row = struct_of(value);
    for (size_t i = 0; i < shape.parts.size(); ++i) take_apart(c, shape.parts[i], attribute(value, row->fields[i].name), parts);
    return;
  }
  case Shape::Kind::Local:
    parts.push_back(c.use(*as_run_time(value)));
    for (const Shape &tag : shape.parts) take_apart(c, tag, user_tag_of(c, value), parts);
    return;
  default: parts.push_back(c.use(*as_run_time(value)));
  }
}

nb::object put_together(Compilation &c, const Shape &shape, mlir::ValueRange &parts) {
  auto next = [&] {
    mlir::Value value = parts.front();
    parts = parts.drop_front();
    return value;
  };
  switch (shape.kind) {
  case Shape::Kind::Static:
  case Shape::Kind::Object: return shape.object;
  case Shape::Kind::Parameter:
    if (llvm::isa<StructType>(shape.type)) return make_structure(c, next(), shape.object);
    return make_object(c, next());
  case Shape::Kind::Plain: return c.make_scalar(next(), shape.dtype);
  case Shape::Kind::Address: return c.make<GlobalAddress>(next(), shape.dtype);
  case Shape::Kind::Global: return c.make_global(next(), shape.dtype, /*fixed=*/true);
  case Shape::Kind::Local: {
    nb::object tensor = c.make_local(next(), shape.dtype, shape.position);
    for (const Shape &tag : shape.parts) as<LocalTensor>(tensor)->user_tag = put_together(c, tag, parts);
    return tensor;
  }
  case Shape::Kind::Tuple: {
    nb::object tuple = nb::steal(PyTuple_New(Py_ssize_t(shape.parts.size())));
    for (size_t i = 0; i < shape.parts.size(); ++i)
      PyTuple_SET_ITEM(tuple.ptr(), i, put_together(c, shape.parts[i], parts).release().ptr());
    return tuple;
  }
  case Shape::Kind::List: {
    nb::list list;
    for (const Shape &part : shape.parts) list.append(put_together(c, part, parts));
    return std::move(list);
  }
  case Shape::Kind::Struct: {
    nb::object made = shape.object.attr("__new__")(shape.object);
    const StructRow *row = struct_of(made);
    for (size_t i = 0; i < shape.parts.size(); ++i) {
      nb::object part = put_together(c, shape.parts[i], parts);
      nb::str field(row->fields[i].name.data(), row->fields[i].name.size());
      if (PyObject_SetAttr(made.ptr(), field.ptr(), part.ptr()) < 0) throw nb::python_error();
    }
    return made;
  }
  }
  return {};
}

nb::object key_of(const Shape &shape, nb::list &keep) {
  if (shape.kind == Shape::Kind::Static) {
    PyObject *p = shape.object.ptr();
    nb::object type = nb::borrow(reinterpret_cast<PyObject *>(Py_TYPE(p)));
    if (PyFloat_Check(p)) return nb::make_tuple(type, std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(p)));
    if (PyLong_Check(p) || PyUnicode_CheckExact(p) || PyBytes_CheckExact(p) || as<DataType>(shape.object))
      return nb::make_tuple(type, shape.object);
    keep.append(shape.object);
    return nb::make_tuple(type, reinterpret_cast<uintptr_t>(p));
  }
  nb::list parts;
  for (const Shape &part : shape.parts) parts.append(key_of(part, keep));
  nb::object cls = shape.object ? shape.object : nb::none();
  auto type = reinterpret_cast<uintptr_t>(shape.type.getAsOpaquePointer());
  return nb::make_tuple(int(shape.kind), int(shape.dtype), int(shape.position), cls, type, nb::tuple(parts));
}

} // namespace asc
