// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognising run-time values and dtypes among Python objects.
#include "frontend/values.h"

namespace asc {

FrameworkObject *as_queue(nb::handle object) {
  if (FrameworkObject *queue = as<TQue>(object)) return queue;
  return as<TQueBind>(object);
}
FrameworkObject *as_object(nb::handle object) {
  if (FrameworkObject *queue = as_queue(object)) return queue;
  if (FrameworkObject *pipe = as<TPipe>(object)) return pipe;
  if (FrameworkObject *buf = as<TBuf>(object)) return buf;
  if (FrameworkObject *pool = as<TBufPool>(object)) return pool;
  if (FrameworkObject *array = as<Array>(object)) return array;
  if (FrameworkObject *structure = as<Structure>(object)) return structure;
  if (FrameworkObject *info = as<ShapeInfo>(object)) return info;
  if (FrameworkObject *matmul = as<Matmul>(object)) return matmul;
  if (FrameworkObject *list = as<ListTensorDesc>(object)) return list;
  if (FrameworkObject *desc = as<TensorDesc>(object)) return desc;
  return as<LocalMemAllocator>(object);
}

IRValue *as_run_time(nb::handle object) {
  if (IRValue *value = as<PlainValue>(object)) return value;
  if (IRValue *value = as<LocalTensor>(object)) return value;
  if (IRValue *value = as<GlobalTensor>(object)) return value;
  if (IRValue *value = as<GlobalAddress>(object)) return value;
  return as_object(object);
}

nb::object dtype_object(DType dtype) {
  static PyObject *const *const table = [] {
    static PyObject *objects[kDTypes];
    for (unsigned i = 0; i < kDTypes; ++i) objects[i] = nb::cast(DataType{DType(i)}).release().ptr();
    return objects;
  }();
  return nb::borrow(table[unsigned(dtype)]);
}

std::optional<DType> as_dtype(nb::handle object) {
  if (auto *type = as<DataType>(object)) return type->dtype;
  return std::nullopt;
}

} // namespace asc
