// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognising run-time values and dtypes among Python objects.
#include "frontend/values.h"

namespace asc {

IRValue *as_run_time(nb::handle object) {
  if (IRValue *value = as<PlainValue>(object)) return value;
  if (IRValue *value = as<LocalTensor>(object)) return value;
  if (IRValue *value = as<GlobalTensor>(object)) return value;
  return as<GlobalAddress>(object);
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
