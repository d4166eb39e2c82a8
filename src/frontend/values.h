// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run-time values of a kernel as Python objects: instances of these classes stand next to ordinary Python objects in the environment.
#pragma once

#include "apis/types.h"

#include "mlir/IR/Value.h"

#include <nanobind/nanobind.h>

namespace asc {

namespace nb = nanobind;

/// What all run-time values have: the IR value, its element type, and the number of the compilation that made it.
struct IRValue {
  mlir::Value ir;
  DType dtype = DType::Void;
  uint64_t compilation = 0;
};

/// A scalar.
struct PlainValue : IRValue {};

/// A pointer into global memory.
struct GlobalAddress : IRValue {};

/// A view of global memory. The Python object is mutable: set_global_buffer() gives it its IR value. `region` is where it was made; a
/// `fixed` one may be another name of an object elsewhere (a parameter, a result, a merged value) and cannot be given another buffer.
struct GlobalTensor : IRValue {
  mlir::Region *region = nullptr;
  bool fixed = false;
  nb::object shape_info = {}; // a ShapeInfo; null: none was set
};

/// A view of on-chip memory. `shape` is what a LocalTensorAuto was made with, a tuple of ints; nothing for other tensors.
struct LocalTensor : IRValue {
  Position position = Position::MAX;
  nb::object shape = {};
  nb::object shape_info = {}; // a ShapeInfo; null: none was set
  nb::object user_tag = {};   // an int32 PlainValue; null: none was set since it was made
};

/// What LocalTensor() makes. Nothing can give it a dtype, so all it is good for is to stand there until another tensor takes its name.
struct UntypedTensor {};

/// The Python class of the constructor; what it makes is a LocalTensor.
struct LocalTensorAuto : LocalTensor {};

/// An object of the framework, or one in the memory of the scalar unit: known while compiling, except for what it does and holds. All else
/// about it is in the type of its IR value.
struct FrameworkObject : IRValue {};
struct TPipe : FrameworkObject {};
struct TQueBind : FrameworkObject {};
struct TQue : TQueBind {};
struct TBuf : TQueBind {};
struct TBufPool : FrameworkObject {};
struct TBufHandle : FrameworkObject {};
struct LocalMemAllocator : FrameworkObject {};
struct Array : FrameworkObject {};
/// An instance of a structure class (structures.h).
struct Structure : FrameworkObject {
  nb::object cls = {};
};
struct ShapeInfo : FrameworkObject {};
struct Matmul : FrameworkObject {};
struct ListTensorDesc : FrameworkObject {};
/// `shape` is the Array that set_shape_addr has named; null: none.
struct TensorDesc : FrameworkObject {
  nb::object shape = {};
};

/// The element type as users see it: asc.float16.
struct DataType {
  DType dtype;
};

/// The instance of `T` in `object`; null when it is something else.
template <class T> T *as(nb::handle object) {
  static PyTypeObject *const type = reinterpret_cast<PyTypeObject *>(nb::type<T>().ptr());
  return Py_TYPE(object.ptr()) == type ? nb::inst_ptr<T>(object) : nullptr;
}

/// The object of the framework in `object`; null when it is something else.
FrameworkObject *as_object(nb::handle object);
/// The same for a TQue or TQueBind.
FrameworkObject *as_queue(nb::handle object);

/// Any run-time value; null for everything that is known while compiling.
IRValue *as_run_time(nb::handle object);

/// The one Python object of a dtype.
nb::object dtype_object(DType dtype);

/// The dtype that a Python object names: a DataType; nothing for others.
std::optional<DType> as_dtype(nb::handle object);

} // namespace asc
