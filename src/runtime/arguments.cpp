// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binding of launch arguments.
#include "runtime/arguments.h"
#include "apis/numeric.h"
#include "frontend/arithmetic.h"
#include "frontend/structures.h"
#include "runtime/raise.h"
#include "sim/tensor_list.h"

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace asc {

bool init_arguments() { return _import_array() == 0; }
bool is_numpy_array(PyObject *object) { return PyArray_Check(object); }
bool is_numpy_scalar(PyObject *object) { return PyArray_IsScalar(object, Generic); }
bool holds_objects(PyObject *array) { return PyDataType_REFCHK(PyArray_DESCR(reinterpret_cast<PyArrayObject *>(array))); }

static std::string type_name(PyObject *object) {
  auto *type = Py_TYPE(object);
  Ref name = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__qualname__"));
  const char *text = name ? PyUnicode_AsUTF8(name.get()) : nullptr;
  PyErr_Clear();
  return text ? text : type->tp_name;
}
static std::string shown(PyObject *object) {
  Ref repr = Ref::steal(PyObject_Repr(object));
  const char *text = repr ? PyUnicode_AsUTF8(repr.get()) : nullptr;
  PyErr_Clear();
  std::string result = text ? text : "?";
  if (result.size() > 60) result = result.substr(0, 57) + "...";
  return result;
}

namespace {

/// The parameter that an argument is bound to, for messages, or the field of a structure in it.
struct Where {
  const Parameter &parameter;
  const std::string &kernel;
  const Where *outer = nullptr; // of a field
  const std::string *field = nullptr;

  std::string text() const {
    if (field) return "field '" + *field + "' of " + outer->text();
    return "argument '" + parameter.text + "' of kernel '" + kernel + "'";
  }
  [[noreturn]] void refuse(std::string_view code, const std::string &got, std::string help) const {
    throw error(code, text() + ": " + got, std::move(help));
  }
};

// ---------------------------------------------------------------- element types

/// ml_dtypes registers bfloat16 with NumPy at run time, under a number of its own.
int bfloat16_number = NPY_NOTYPE;

bool is_bfloat16(PyArray_Descr *descr) {
  if (descr->type_num == bfloat16_number) return true;
  if (!PyTypeNum_ISUSERDEF(descr->type_num) || PyDataType_ELSIZE(descr) != 2) return false;
  const char *name = std::strrchr(descr->typeobj->tp_name, '.');
  name = name ? name + 1 : descr->typeobj->tp_name;
  if (std::string_view(name) != "bfloat16") return false;
  bfloat16_number = descr->type_num;
  return true;
}

std::string text_of_dtype(PyArray_Descr *descr) {
  Ref text = Ref::steal(PyObject_Str(reinterpret_cast<PyObject *>(descr)));
  const char *s = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  return s ? s : "?";
}

DType dtype_of(PyArray_Descr *descr, const Where &where) {
  if (descr->byteorder == NPY_OPPBYTE) {
    where.refuse("K122", "byte order of dtype " + text_of_dtype(descr) + " is not this machine's",
                 "convert it: x.astype(x.dtype.newbyteorder('='))");
  }
  switch (descr->type_num) {
  case NPY_BOOL: return DType::Bool;
  case NPY_BYTE: return DType::Int8;
  case NPY_UBYTE: return DType::UInt8;
  case NPY_SHORT: return DType::Int16;
  case NPY_USHORT: return DType::UInt16;
  case NPY_INT: return DType::Int32;
  case NPY_UINT: return DType::UInt32;
  case NPY_LONG:
  case NPY_LONGLONG: return DType::Int64;
  case NPY_ULONG:
  case NPY_ULONGLONG: return DType::UInt64;
  case NPY_HALF: return DType::Float16;
  case NPY_FLOAT: return DType::Float32;
  case NPY_DOUBLE: return DType::Float64;
  case NPY_VOID: // raw 16-bit words: x.view("V2")
    if (PyDataType_ELSIZE(descr) == 2 && !PyDataType_HASFIELDS(descr)) return DType::BFloat16;
    break;
  default:
    if (is_bfloat16(descr)) return DType::BFloat16;
  }
  where.refuse("K121", "dtype " + text_of_dtype(descr) + " is not an element type of the AI Core",
               "use bool, int8 to int64, uint8 to uint64, float16, bfloat16 (ml_dtypes, or 16-bit words as x.view('V2')), float32 or "
               "float64 (storage only)");
}

Bound scalar_of(PyObject *object, DType dtype, uint64_t bits) {
  Bound b{Bound::Kind::Scalar};
  b.object = object;
  b.dtype = dtype;
  b.bits = bits;
  return b;
}

// ---------------------------------------------------------------- NumPy

Bound bind_array(PyObject *object, const Where &where) {
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  if (!PyArray_CheckExact(object) && type_name(object) == "MaskedArray")
    where.refuse("K129", "a masked array, whose mask a kernel would not see", "pass x.filled(value), or data and mask as two arrays");
  Bound b{Bound::Kind::Array};
  b.object = object;
  b.dtype = dtype_of(PyArray_DESCR(array), where);
  b.data = static_cast<std::byte *>(PyArray_DATA(array));
  b.bytes = uint64_t(PyArray_NBYTES(array));
  b.read_only = !PyArray_ISWRITEABLE(array);
  b.needs_copy = !PyArray_IS_C_CONTIGUOUS(array) || !PyArray_ISALIGNED(array);
  return b;
}

Bound bind_numpy_scalar(PyObject *object, const Where &where) {
  Ref array = Ref::steal(PyArray_FromScalar(object, nullptr));
  if (!array) throw nanobind::python_error();
  auto *element = reinterpret_cast<PyArrayObject *>(array.get());
  DType dtype = dtype_of(PyArray_DESCR(element), where);
  const void *raw = PyArray_DATA(element);
  uint64_t bits = 0;
  std::memcpy(&bits, raw, size_of(dtype));
  if (info(dtype).is_signed && !info(dtype).is_float) { // extended by sign
    unsigned shift = 64 - 8 * size_of(dtype);
    bits = uint64_t(int64_t(bits << shift) >> shift);
  }
  return scalar_of(object, dtype, bits);
}

// ---------------------------------------------------------------- torch, without importing it

/// torch.Tensor once torch has been imported by somebody, else null.
PyTypeObject *known_tensor = nullptr;
PyTypeObject *torch_tensor() {
  if (known_tensor) return known_tensor;
  Ref name = Ref::steal(PyUnicode_InternFromString("torch"));
  Ref module = Ref::steal(PyImport_GetModule(name.get()));
  Ref tensor = module ? Ref::steal(PyObject_GetAttrString(module.get(), "Tensor")) : Ref();
  if (tensor && PyType_Check(tensor.get())) known_tensor = reinterpret_cast<PyTypeObject *>(Py_NewRef(tensor.get()));
  PyErr_Clear();
  return known_tensor;
}
bool is_torch(PyObject *object) {
  PyTypeObject *type = torch_tensor();
  return type && PyType_IsSubtype(Py_TYPE(object), type);
}

/// Attributes and methods of tensors, by interned names.
Ref attribute(PyObject *object, const char *name) {
  Ref result = Ref::steal(PyObject_GetAttrString(object, name));
  if (!result) throw nanobind::python_error();
  return result;
}
Ref call(PyObject *object, const char *name) {
  Ref key = Ref::steal(PyUnicode_InternFromString(name));
  Ref result = Ref::steal(PyObject_CallMethodNoArgs(object, key.get()));
  if (!result) throw nanobind::python_error();
  return result;
}
bool truth(const Ref &value) { return PyObject_IsTrue(value.get()) == 1; }
uint64_t unsigned_of(const Ref &value) {
  uint64_t n = PyLong_AsUnsignedLongLong(value.get());
  if (PyErr_Occurred()) throw nanobind::python_error();
  return n;
}

DType torch_dtype(PyObject *dtype, const Where &where) {
  static std::vector<std::pair<PyObject *, DType>> known; // torch's dtypes live for ever
  for (auto &[object, d] : known)
    if (object == dtype) return d;
  std::string text = shown(dtype); // "torch.float32"
  for (unsigned i = 1; i < kDTypes; ++i)
    if (text == "torch." + std::string(kDTypeInfo[i].name)) {
      known.emplace_back(Py_NewRef(dtype), DType(i));
      return DType(i);
    }
  where.refuse("K121", "dtype " + text + " is not an element type of the AI Core",
               "use bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32 or float64 (storage only)");
}

Bound bind_torch(PyObject *object, const Where &where) {
  Bound b{Bound::Kind::Array};
  b.object = object;
  b.dtype = torch_dtype(attribute(object, "dtype").get(), where);
  if (!truth(attribute(object, "is_cpu")))
    where.refuse("K127", "a tensor on device " + shown(attribute(attribute(object, "device").get(), "type").get()),
                 "the simulator works on host memory: pass x.cpu()");
  if (shown(attribute(object, "layout").get()) != "torch.strided")
    where.refuse("K127", "a tensor of layout " + shown(attribute(object, "layout").get()), "pass x.to_dense()");
  if (truth(call(object, "is_neg"))) where.refuse("K127", "a view that negates another tensor's data", "pass x.resolve_neg()");
  b.bytes = unsigned_of(call(object, "numel")) * size_of(b.dtype);
  b.data = reinterpret_cast<std::byte *>(unsigned_of(call(object, "data_ptr")));
  b.needs_copy = !truth(call(object, "is_contiguous")) || reinterpret_cast<uintptr_t>(b.data) % std::max(size_of(b.dtype), 1u) != 0;
  b.read_only = truth(attribute(object, "requires_grad"));
  return b;
}

// ---------------------------------------------------------------- tensors of pyasc

/// The NumPy array that a pyasc.Tensor keeps; null for other objects.
Ref array_of_tensor(PyObject *object) {
  static constexpr const char *kName = "__asc_array__";
  if (!Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(object)), kName))) return PyErr_Clear(), Ref();
  return attribute(object, kName); // waits for the streams that write it
}

// ---------------------------------------------------------------- bytes

Bound bind_bytes(PyObject *object) {
  const bool fixed = PyBytes_Check(object);
  Bound b{Bound::Kind::Array, DType::UInt8};
  b.object = object;
  b.data = reinterpret_cast<std::byte *>(fixed ? PyBytes_AS_STRING(object) : PyByteArray_AS_STRING(object));
  b.bytes = uint64_t(Py_SIZE(object));
  b.read_only = fixed;
  return b;
}

// ---------------------------------------------------------------- Python numbers

Bound bind_int(PyObject *object, const Where &where) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow)
    where.refuse("K123", shown(object) + " does not fit in 64 signed bits", "pass numpy.uint64(...) for values up to 2**64 - 1");
  return scalar_of(object, value >= INT32_MIN && value <= INT32_MAX ? DType::Int32 : DType::Int64, uint64_t(value));
}

Bound bind_float(PyObject *object, const Where &where) {
  double value = PyFloat_AS_DOUBLE(object);
  float narrow = float(value);
  if (std::isinf(narrow) && !std::isinf(value))
    where.refuse("K124", shown(object) + " is beyond float32, as which a Python float is passed",
                 "scale the value, or pass it in an array of another dtype");
  return scalar_of(object, DType::Float32, std::bit_cast<uint32_t>(narrow));
}

// ---------------------------------------------------------------- numbers for a parameter with a dtype

bool is_infinite(uint64_t bits, DType dtype) {
  switch (dtype) {
  case DType::Float16: return std::isinf(half_to_float(uint16_t(bits)));
  case DType::BFloat16: return std::isinf(bfloat16_to_float(uint16_t(bits)));
  case DType::Float32: return std::isinf(std::bit_cast<float>(uint32_t(bits)));
  default: return std::isinf(std::bit_cast<double>(bits));
  }
}

bool holds_bfloat16(PyObject *scalar) {
  Ref descr = Ref::steal(reinterpret_cast<PyObject *>(PyArray_DescrFromScalar(scalar)));
  return descr && is_bfloat16(reinterpret_cast<PyArray_Descr *>(descr.get()));
}

/// A number as the bits of a type that was declared for it.
template <class Place> uint64_t bits_of(PyObject *object, DType dtype, const Place &where) {
  const std::string_view type = name(dtype);
  std::optional<Number> number = number_of(object);
  if (!number && is_numpy_scalar(object) && holds_bfloat16(object)) {
    Ref real = Ref::steal(PyNumber_Float(object));
    if (!real) throw nanobind::python_error();
    number = number_of(real.get());
  }
  const bool is_float = info(dtype).is_float;
  if (!number || (number->kind == Number::Kind::Float && !is_float))
    where.refuse("K120", "got " + shown(object) + " of type " + type_name(object) + ", expected " + (is_float ? "a number" : "an int"),
                 "the annotation says that it is a number of type " + std::string(type));
  if (!is_float) {
    if (!fits(*number, dtype))
      where.refuse("K123", shown(object) + " does not fit in " + std::string(type) + ", which the annotation says",
                   "annotate it with a wider type");
    return uint64_t(number->integer);
  }
  const uint64_t bits = scalar_bits(*number, dtype);
  if (is_infinite(bits, dtype) && !(number->kind == Number::Kind::Float && std::isinf(number->real)))
    where.refuse("K124", shown(object) + " is beyond " + std::string(type) + ", which the annotation says",
                 "annotate it with a wider type");
  return bits;
}
Bound bind_typed(PyObject *object, DType dtype, const Where &where) { return scalar_of(object, dtype, bits_of(object, dtype, where)); }

// ---------------------------------------------------------------- structures

/// The numbers of a structure, in the order of its fields.
void add_numbers(PyObject *object, const StructLayout &layout, const Where &where, StructWords &words) {
  for (const StructLayout::Field &field : layout.fields) {
    const Where here{where.parameter, where.kernel, &where, &field.text};
    Ref value = Ref::steal(PyObject_GetAttr(object, field.name.ptr()));
    if (!value && !PyErr_ExceptionMatches(PyExc_AttributeError)) throw nanobind::python_error();
    if (!value) PyErr_Clear(), here.refuse("K120", "it has no value", "set it before the launch");
    if (field.dtype != DType::Void) {
      words.push_back(bits_of(value.get(), field.dtype, here));
      continue;
    }
    const StructLayout &inner = layout.inner(field);
    if (Py_TYPE(value.get()) != inner.cls)
      here.refuse("K120", "got " + shown(value.get()) + " of type " + type_name(value.get()) + ", expected a " + inner.name,
                  "set it to a " + inner.name);
    add_numbers(value.get(), inner, here, words);
  }
}

/// A structure, or its class as a stand-in for compile(); false for other objects.
bool bind_structure(PyObject *object, const Where &where, StructWords &words, Bound &b) {
  b.mock = PyType_Check(object);
  const StructLayout *layout = find_layout(b.mock ? reinterpret_cast<PyTypeObject *>(object) : Py_TYPE(object));
  if (!layout) return false;
  if (!layout->problem.empty())
    where.refuse("K120", "a " + layout->name + " cannot be passed by value: " + layout->problem,
                 "fields are annotated int, float, bool, an asc dtype, a NumPy scalar type, or such a class");
  b.kind = Bound::Kind::Struct, b.object = object, b.layout = layout, b.first = uint32_t(words.size());
  if (!b.mock) add_numbers(object, *layout, where, words);
  b.count = uint32_t(words.size()) - b.first;
  return true;
}

/// MockTensor and MockValue (`__asc_mock__` is "tensor" or "value"), and bare dtypes: types for compile().
bool bind_mock(PyObject *object, const Parameter &parameter, const Where &where, Bound &b) {
  std::optional<DType> dtype = as_dtype(object);
  bool value = parameter.prefers_scalar;
  if (!dtype) {
    Ref kind = Ref::steal(PyObject_GetAttrString(object, "__asc_mock__"));
    PyErr_Clear();
    if (!kind || !PyUnicode_Check(kind.get())) return false;
    value = PyUnicode_CompareWithASCIIString(kind.get(), "value") == 0;
    Ref inner = attribute(object, "dtype");
    dtype = as_dtype(inner.get());
    if (!dtype) where.refuse("K121", shown(inner.get()) + " is not an element type of the AI Core", "use a dtype such as asc.float32");
  }
  b.kind = value ? Bound::Kind::Scalar : Bound::Kind::Array;
  b.object = object;
  b.dtype = *dtype;
  b.mock = true;
  return true;
}

// ---------------------------------------------------------------- lists of tensors

std::vector<uint64_t> shape_of(PyObject *tensor) {
  std::vector<uint64_t> shape;
  if (is_numpy_array(tensor)) {
    auto *array = reinterpret_cast<PyArrayObject *>(tensor);
    for (int d = 0; d < PyArray_NDIM(array); ++d) shape.push_back(uint64_t(PyArray_DIM(array, d)));
    return shape;
  }
  Ref sizes = Ref::steal(PySequence_Tuple(attribute(tensor, "shape").get()));
  if (!sizes) throw nanobind::python_error();
  for (Py_ssize_t d = 0; d < PyTuple_GET_SIZE(sizes.get()); ++d)
    shape.push_back(unsigned_of(Ref::borrow(PyTuple_GET_ITEM(sizes.get(), d))));
  return shape;
}

/// Makes `b` the descriptor of these tensors, a NumPy array that nobody writes. Its last words are addresses, one for each tensor.
Ref bind_descriptor(std::span<const Bound> tensors, Bound &b) {
  std::vector<std::vector<uint64_t>> shapes;
  for (const Bound &tensor : tensors) shapes.push_back(shape_of(tensor.object));
  const std::vector<uint64_t> descriptor = sim::list_descriptor(shapes);
  npy_intp size = npy_intp(descriptor.size());
  Ref array = Ref::steal(PyArray_SimpleNew(1, &size, NPY_UINT64));
  if (!array) throw nanobind::python_error();
  b.object = array.get(), b.read_only = true;
  b.data = static_cast<std::byte *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(array.get())));
  b.bytes = descriptor.size() * sizeof(uint64_t);
  std::memcpy(b.data, descriptor.data(), b.bytes);
  return array;
}

/// A list of arrays; false for other objects, and lists that begin with something else.
bool bind_list(PyObject *object, const Parameter &parameter, const Where &where, ListedTensors &tensors, Bound &b) {
  constexpr Py_ssize_t kMost = 16384; // windows are looked up one by one
  if (!PyList_Check(object) && !PyTuple_Check(object)) return false;
  Ref tuple = Ref::steal(PySequence_Tuple(object));
  if (!tuple) throw nanobind::python_error();
  const Py_ssize_t size = PyTuple_GET_SIZE(tuple.get());
  b.first = uint32_t(tensors.bound.size());
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject *item = PyTuple_GET_ITEM(tuple.get(), i);
    Bound tensor;
    if (PyArray_Check(item))
      tensor = bind_array(item, where);
    else if (is_torch(item))
      tensor = bind_torch(item, where);
    else if (Ref array = array_of_tensor(item))
      tensor = bind_array(array.get(), where);
    else if (!bind_mock(item, parameter, where, tensor) || tensor.kind != Bound::Kind::Array) {
      if (i == 0) return false;
      where.refuse("K120",
                   "item " + std::to_string(i) + " is " + shown(item) + " of type " + type_name(item) + ", expected an array or a tensor",
                   "a list of tensors has nothing else in it");
    }
    b.mock |= tensor.mock;
    tensors.bound.push_back(tensor);
  }
  if (size > kMost)
    where.refuse("K120", "got a list of " + std::to_string(size) + " tensors, expected at most " + std::to_string(kMost),
                 "make them parts of one array");
  if (size == 0) return false;
  b.kind = Bound::Kind::Array, b.dtype = DType::UInt64, b.object = object, b.is_list = true, b.count = uint32_t(size);
  tensors.kept.push_back(std::move(tuple));
  if (!b.mock) tensors.kept.push_back(bind_descriptor(tensors.of(b), b));
  return true;
}

Bound bind_static(PyObject *object, const Parameter &parameter, const Where &where) {
  Bound b;
  b.object = object;
  if (!parameter.static_types || PyTuple_GET_SIZE(parameter.static_types.get()) == 0) return b;
  int fits = PyObject_IsInstance(object, parameter.static_types.get());
  if (fits < 0) throw nanobind::python_error();
  if (!fits) {
    std::string expected;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parameter.static_types.get()); ++i) {
      auto *type = reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(parameter.static_types.get(), i));
      expected += (i ? " or " : "") + std::string(type->tp_name);
    }
    where.refuse("K125", "got " + shown(object) + " (" + type_name(object) + "), expected " + expected,
                 "pass a value of that class, or change the annotation asc.ConstExpr[" + expected + "]");
  }
  return b;
}

} // namespace

bool torch_seen() {
  static PyObject *const modules = PyImport_GetModuleDict();
  static Py_ssize_t looked_among = 0;
  if (!known_tensor && PyDict_Check(modules) && PyDict_GET_SIZE(modules) != looked_among)
    looked_among = PyDict_GET_SIZE(modules), torch_tensor();
  return known_tensor;
}

uint64_t number_bits(PyObject *object, DType dtype, const std::string &what) {
  struct Place {
    const std::string &what;
    [[noreturn]] void refuse(std::string_view code, const std::string &got, std::string help) const {
      throw error(code, what + ": " + got, std::move(help));
    }
  };
  return bits_of(object, dtype, Place{what});
}

Bound bind_argument(PyObject *object, const Parameter &parameter, const std::string &kernel, StructWords &words, ListedTensors &tensors) {
  Where where{parameter, kernel};
  if (parameter.is_static()) return bind_static(object, parameter, where);
  if (parameter.structure) {
    PyObject *cls = parameter.structure.get();
    Bound b;
    const bool fits = object == cls || PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject *>(cls));
    if (fits && bind_structure(object, where, words, b)) return b;
    where.refuse("K120",
                 "got " + shown(object) + " of type " + type_name(object) + ", expected a " +
                     std::string(reinterpret_cast<PyTypeObject *>(cls)->tp_name),
                 "the annotation of the parameter says so");
  }
  if (parameter.scalar_type != DType::Void) {
    Bound b;
    if (!bind_mock(object, parameter, where, b)) return bind_typed(object, parameter.scalar_type, where);
    if (b.kind != Bound::Kind::Scalar || b.dtype != parameter.scalar_type)
      where.refuse("K120", "got " + shown(object) + ", which stands for another type than the annotation says",
                   "pass a number, or asc." + std::string(name(parameter.scalar_type)));
    return b;
  }
  if (PyArray_CheckExact(object)) return bind_array(object, where);
  if (PyLong_CheckExact(object)) return bind_int(object, where);
  if (PyFloat_CheckExact(object)) return bind_float(object, where);
  if (PyBool_Check(object)) return scalar_of(object, DType::Bool, object == Py_True);
  if (PyArray_Check(object)) return bind_array(object, where);
  if (is_numpy_scalar(object)) return bind_numpy_scalar(object, where);
  if (is_torch(object)) return bind_torch(object, where);
  if (PyBytes_Check(object) || PyByteArray_Check(object)) return bind_bytes(object);
  if (PyLong_Check(object)) return bind_int(object, where);
  if (PyFloat_Check(object)) return bind_float(object, where);
  if (Ref array = array_of_tensor(object)) return bind_array(array.get(), where);
  Bound b;
  if (bind_structure(object, where, words, b)) return b;
  if (bind_mock(object, parameter, where, b)) return b;
  if (bind_list(object, parameter, where, tensors, b)) return b;
  const bool is_sequence = PyList_Check(object) || PyTuple_Check(object);
  where.refuse("K120", "got " + shown(object) + " of type " + type_name(object) + ", expected an array, a tensor, a number or a structure",
               std::string(is_sequence ? "make it an array, np.array(" + parameter.text + ", np.float32); " : "") +
                   "for a value that is known when the kernel is compiled, annotate the parameter: " + parameter.text + ": asc.ConstExpr");
}

// ---------------------------------------------------------------- copies

PyObject *Copies::copy_in(Bound &bound) {
  Ref copy;
  for (const Pair &pair : pairs_)
    if (pair.original.get() == bound.object) copy = pair.copy;
  bool numpy = is_numpy_array(bound.object);
  if (!copy) {
    if (numpy) {
      copy = Ref::steal(PyArray_NewCopy(reinterpret_cast<PyArrayObject *>(bound.object), NPY_CORDER));
      if (!copy) throw nanobind::python_error();
    } else {
      copy = call(call(bound.object, "detach").get(), "contiguous");
      if (copy.get() == bound.object) copy = call(copy.get(), "clone");
    }
    pairs_.push_back({Ref::borrow(bound.object), copy});
  }
  bound.data = numpy ? static_cast<std::byte *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(copy.get())))
                     : reinterpret_cast<std::byte *>(unsigned_of(call(copy.get(), "data_ptr")));
  return copy.get();
}

void Copies::write_back(PyObject *object) const {
  for (const Pair &pair : pairs_) {
    if (pair.original.get() != object) continue;
    bool failed = is_numpy_array(object)
                      ? PyArray_CopyInto(reinterpret_cast<PyArrayObject *>(object), reinterpret_cast<PyArrayObject *>(pair.copy.get())) < 0
                      : !Ref::steal(PyObject_CallMethod(object, "copy_", "O", pair.copy.get()));
    if (failed) throw nanobind::python_error();
  }
}

bool share_memory(const Bound &a, const Bound &b) {
  if (a.object == b.object) return true;
  Ref numpy = Ref::steal(PyImport_ImportModule("numpy"));
  if (!numpy) throw nanobind::python_error();
  auto as_array = [&](PyObject *o) {
    if (is_numpy_array(o)) return Ref::borrow(o);
    if (is_torch(o)) return call(call(o, "detach").get(), "numpy");
    return Ref::steal(PyObject_CallMethod(numpy.get(), "frombuffer", "Os", o, "uint8"));
  };
  Ref x = as_array(a.object), y = as_array(b.object);
  Ref answer = Ref::steal(PyObject_CallMethod(numpy.get(), "shares_memory", "OO", x.get(), y.get()));
  if (!answer) throw nanobind::python_error();
  return truth(answer);
}

} // namespace asc
