// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and ShapeInfo: objects in the memory of the scalar unit. The objects are known while compiling; their elements are read and
// written when the kernel runs.
#include "frontend/functions.h"

namespace asc {

static bool given(const Argument &argument) { return argument.value && !argument.value.is_none(); }

// ---------------------------------------------------------------- arrays

static ArrayType type_of(const Array &array) { return llvm::cast<ArrayType>(array.ir.getType()); }
int64_t length_of(const Array &array) { return type_of(array).getLength(); }

/// An index, inside of the array where it is known.
static Index array_index(Compilation &c, const Array &array, nb::handle subscript) {
  if (PySlice_Check(subscript.ptr()) || PyTuple_Check(subscript.ptr()))
    throw c.error("T330", "an array has one index, and no slices", "read its elements one by one: [a[i] for i in range(n)]");
  Index i = index(c, subscript, "the index");
  const int64_t length = length_of(array);
  if (i.known && *i.known < 0)
    throw c.error("T302", "the index is " + std::to_string(*i.known) + ", expected 0 or more",
                  "elements are counted from the start of the array");
  if (i.known && *i.known >= length)
    throw c.error("T330", "the index is " + std::to_string(*i.known) + ", expected 0 to " + std::to_string(length - 1),
                  "the array has " + std::to_string(length) + " elements");
  return i;
}

nb::object element_of(Compilation &c, const Array &array, nb::handle subscript) {
  mlir::Value object = c.use(array), i = array_index(c, array, subscript).ir;
  return c.make_scalar(c.ops.create<ElementOp>(c.loc(), scalar_type(c.context, array.dtype), object, i), array.dtype);
}

void set_element(Compilation &c, const Array &array, nb::handle subscript, nb::handle value) {
  mlir::Value object = c.use(array), i = array_index(c, array, subscript).ir;
  c.ops.create<SetElementOp>(c.loc(), object, i, convert(c, value, array.dtype, "the value"));
}

nb::list elements_of(Compilation &c, const Array &array) {
  nb::list elements;
  for (int64_t i = 0; i < length_of(array); ++i) elements.append(element_of(c, array, nb::int_(i)));
  return elements;
}

static mlir::Value element_value(Compilation &c, nb::handle value, DType dtype, PyObject *node) {
  At at(c, node ? node : c.node);
  return convert(c, value, dtype, "the value");
}

/// The initial values of an array: those of a sequence or of another array.
static nb::object sequence_of(Compilation &c, const Argument &values) {
  if (auto *array = as<Array>(values.value)) return elements_of(c, *array);
  PyObject *p = values.value.ptr();
  if (PyUnicode_Check(p) || PyBytes_Check(p) || as_run_time(values.value) || !PySequence_Check(p))
    throw c.error("T103", "the array is made of " + describe(values.value) + ", expected its length or a list of values",
                  "write asc.array(dtype, 8) or asc.array(dtype, [1, 2, 3])", values.node);
  Py_ssize_t length = PySequence_Size(p);
  if (length < 0) throw nb::python_error();
  if (size_t(length) > assume::scalar_memory) // before a very long range becomes a list
    throw c.error("T331", "the array has more than " + std::to_string(assume::scalar_memory) + " elements",
                  "keep the data in a LocalTensor", values.node);
  nb::object list = nb::steal(PySequence_List(p));
  if (!list) throw nb::python_error();
  return list;
}

static nb::object array(Compilation &c, nb::handle, Bound a) {
  DType dtype = dtype_argument(c, a[0], "the dtype");
  if (as<PlainValue>(a[1].value))
    throw c.error("T109", "the length is " + describe(a[1].value) + ", which is not known while compiling",
                  "an array has the same length in every run; use a LocalTensor for data of run-time size", a[1].node);
  llvm::SmallVector<mlir::Value> values;
  int64_t length;
  if (number_of(a[1].value)) {
    length = static_int(c, a[1], "the length");
    if (given(a[2])) values.push_back(element_value(c, a[2].value, dtype, a[2].node));
  } else {
    if (given(a[2])) throw c.error("L401", "array() gets values and a fill_value", "leave the fill_value out", a[2].node);
    nb::object sequence = sequence_of(c, a[1]);
    length = int64_t(nb::len(sequence));
    for (nb::handle value : sequence) values.push_back(element_value(c, value, dtype, a[1].node));
  }
  const int64_t most = assume::scalar_memory / size_of(dtype);
  if (length < 1 || length > most)
    throw c.error("T331",
                  "an array of " + std::to_string(length) + " elements of " + std::string(name(dtype)) + ", expected 1 to " +
                      std::to_string(most),
                  length < 1 ? "an array has at least one element" : "keep the data in a LocalTensor", a[1].node);
  mlir::Type type = ArrayType::get(&c.context, element_type(c.context, dtype), unsigned(length));
  return c.make<Array>(c.ops.create<ArrayOp>(c.loc(), type, values), dtype);
}

const Function kArrayFunction = {
    "array", "dtype, length|values, fill_value=None",
    "An array in the memory of the scalar unit: `length` elements of dtype, known while compiling, all `fill_value` or without a value at "
    "first; or the elements of the list `values`, which can be run-time numbers. a[i] reads and writes an element; len(a), a.dtype, and "
    "loops over an array are known while compiling.",
    array};

// ---------------------------------------------------------------- ShapeInfo

static const Array &dimensions(Compilation &c, const Argument &argument, std::string_view what) {
  auto *array = as<Array>(argument.value);
  if (!array || (array->dtype != DType::Int32 && array->dtype != DType::UInt32))
    throw c.error("T103", std::string(what) + " is " + describe(argument.value) + ", expected an asc.array of int32 or uint32",
                  "write asc.array(asc.uint32, [rows, columns])", argument.node);
  if (length_of(*array) > assume::most_dimensions)
    throw c.error("T332",
                  std::string(what) + " has " + std::to_string(length_of(*array)) + " dimensions, expected 1 to " +
                      std::to_string(assume::most_dimensions),
                  "a ShapeInfo has no room for more", argument.node);
  return *array;
}

static nb::object shape_info(Compilation &c, nb::handle, Bound a) {
  if (!given(a[0]) && given(a[1])) throw c.error("L401", "ShapeInfo() gets an original shape and no shape", "give both", a[1].node);
  llvm::SmallVector<mlir::Value, 2> shapes;
  unsigned rank = 0, original = 0;
  if (given(a[0])) {
    const Array &shape = dimensions(c, a[0], "the shape");
    const Array &before = given(a[1]) ? dimensions(c, a[1], "the original shape") : shape;
    shapes = {c.use(shape), c.use(before)};
    rank = unsigned(length_of(shape)), original = unsigned(length_of(before));
  }
  const int64_t format = given(a[2]) ? member_argument(c, a[2], "DataFormat", "the format") : 0;
  mlir::Type type = ShapeInfoType::get(&c.context, rank, original);
  return c.make<ShapeInfo>(c.ops.create<ShapeInfoOp>(c.loc(), type, shapes, uint32_t(format)), DType::Void);
}

template <bool kOriginal> static nb::object dimension(Compilation &c, nb::handle self, Bound a) {
  mlir::Value info = c.use(*as<ShapeInfo>(self));
  auto type = llvm::cast<ShapeInfoType>(info.getType());
  const int64_t rank = kOriginal ? type.getOriginal() : type.getRank();
  if (rank == 0) throw c.error("T332", "this ShapeInfo has no dimensions", "write asc.ShapeInfo(asc.array(asc.uint32, [rows, columns]))");
  Index i = element_index(c, a[0], "the dimension");
  if (i.known && *i.known >= rank)
    throw c.error("T332", "the dimension is " + std::to_string(*i.known) + ", expected 0 to " + std::to_string(rank - 1),
                  "dimensions are counted from 0", a[0].node);
  mlir::Type result = scalar_type(c.context, DType::Int32);
  return c.make_scalar(c.ops.create<DimensionOp>(c.loc(), result, info, i.ir, kOriginal), DType::Int32);
}

nb::object dimension_of(Compilation &c, mlir::Value info, unsigned index) {
  mlir::Value number = int_constant(c, index, DType::Int32);
  return c.make_scalar(c.ops.create<DimensionOp>(c.loc(), scalar_type(c.context, DType::Int32), info, number, /*original=*/false),
                       DType::Int32);
}

static nb::object &info_of(nb::handle tensor) {
  if (auto *local = as<LocalTensor>(tensor)) return local->shape_info;
  return as<GlobalTensor>(tensor)->shape_info;
}

nb::object set_shape_info(Compilation &c, nb::handle self, Bound a) {
  mlir::Value tensor = tensor_ir(c, self);
  auto *info = as<ShapeInfo>(a[0].value);
  if (!info)
    throw c.error("T103", "the shape info is " + describe(a[0].value) + ", expected an asc.ShapeInfo",
                  "write asc.ShapeInfo(asc.array(asc.uint32, [rows, columns]))", a[0].node);
  if (tensor.getParentRegion() != c.regions.back())
    throw c.error("L315", "this tensor was made outside of the branch or loop that sets its ShapeInfo",
                  "which ShapeInfo a tensor has is known while compiling: set it where the tensor is made");
  c.ops.create<SetShapeInfoOp>(c.loc(), tensor, c.use(*info));
  info_of(self) = a[0].value;
  return nb::none();
}

nb::object get_shape_info(Compilation &c, nb::handle self, Bound) {
  mlir::Value tensor = tensor_ir(c, self);
  const nb::object &known = info_of(self);
  if (!known)
    throw c.error("L315", "this tensor has no ShapeInfo here", "call set_shape_info on this very tensor first, or pass the ShapeInfo on");
  mlir::Value info = c.use(*as<ShapeInfo>(known));
  return c.make<ShapeInfo>(c.ops.create<GetShapeInfoOp>(c.loc(), info.getType(), tensor, info), DType::Void);
}

static constexpr Function kShapeInfoMethods[] = {
    {"shape", "dim", "Size of dimension `dim` (int32).", dimension<false>},
    {"original_shape", "dim", "Size of dimension `dim` of the original shape (int32).", dimension<true>},
};
static constexpr Function kShapeInfo = {
    "ShapeInfo", "shape=None, original_shape=None, data_format=DataFormat.ND",
    "The shape of a tensor: an asc.array of its dimensions (int32 or uint32), which are copied, and an array of those it had before it was "
    "padded.",
    shape_info};

// ---------------------------------------------------------------- classes

nb::object make_aggregate(const Compilation &c, mlir::Value value) {
  if (auto array = llvm::dyn_cast<ArrayType>(value.getType())) return c.make<Array>(value, dtype_of(array.getElement()));
  if (llvm::isa<ShapeInfoType>(value.getType())) return c.make<ShapeInfo>(value, DType::Void);
  return {};
}

std::span<const Class> aggregate_classes() {
  static const Class classes[] = {
      {class_of<Array>, "Array", {}, &kArrayFunction},
      {class_of<ShapeInfo>, "ShapeInfo", kShapeInfoMethods, &kShapeInfo},
  };
  return classes;
}

} // namespace asc
