// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of tensors that a kernel gets as one argument: ListTensorDesc and TensorDesc (01-memory section 9).
#include "frontend/functions.h"

namespace asc {

static mlir::Value list_ir(Compilation &c, nb::handle self) { return c.use(*as<ListTensorDesc>(self)); }
static mlir::Value desc_ir(Compilation &c, nb::handle self) { return c.use(*as<TensorDesc>(self)); }
static bool given(const Argument &argument) { return argument.value && !argument.value.is_none(); }

// ---------------------------------------------------------------- ListTensorDesc

/// An argument that Ascend C takes as uint32_t; 0xFFFFFFFF when it is not given.
static mlir::Value any_or(Compilation &c, const Argument &argument, std::string_view what) {
  At at(c, argument.node ? argument.node : c.node);
  return convert(c, argument.value ? argument.value : nb::object(nb::int_(UINT32_MAX)), DType::UInt32, what);
}

static void init(Compilation &c, mlir::Value list, const Argument &data, const Argument &length, const Argument &count) {
  auto *address = as<GlobalAddress>(data.value);
  if (!address)
    throw c.error("T103", "data is " + describe(data.value) + ", expected a GlobalAddress",
                  "pass the parameter of the kernel that stands for a list of tensors", data.node);
  c.ops.create<ListInitOp>(c.loc(), list, c.use(*address), any_or(c, length, "the length"), any_or(c, count, "the number of tensors"));
}

static nb::object new_list(Compilation &c, nb::handle, Bound a) {
  mlir::Value list = c.ops.create<TensorListOp>(c.loc(), TensorListType::get(&c.context));
  if (given(a[0])) init(c, list, a[0], a[1], a[2]);
  return c.make<ListTensorDesc>(list, DType::Void);
}
static nb::object init_method(Compilation &c, nb::handle self, Bound a) {
  init(c, list_ir(c, self), a[0], a[1], a[2]);
  return nb::none();
}
static nb::object list_size(Compilation &c, nb::handle self, Bound) {
  return c.make_scalar(c.ops.create<ListSizeOp>(c.loc(), c.ops.getI32Type(), list_ir(c, self)), DType::UInt32);
}

static mlir::Type address_of(Compilation &c, DType dtype) { return AddressType::get(&c.context, element_type(c.context, dtype)); }

static nb::object list_data(Compilation &c, nb::handle self, Bound a) {
  const DType dtype = dtype_argument(c, a[1], "the dtype of get_data_ptr");
  mlir::Value index = element_index(c, a[0], "the index").ir;
  return c.make<GlobalAddress>(c.ops.create<ListDataOp>(c.loc(), address_of(c, dtype), list_ir(c, self), index), dtype);
}

static nb::object get_desc(Compilation &c, nb::handle self, Bound a) {
  auto *desc = as<TensorDesc>(a[0].value);
  if (!desc)
    throw c.error("T103", "desc is " + describe(a[0].value) + ", expected a TensorDesc", "write desc = asc.TensorDesc(dtype)", a[0].node);
  if (!c.has_created(a[0].value))
    throw c.error("L306", "this TensorDesc came from a parameter, and where its shape goes is not known here",
                  "make it in the function that calls get_desc, or pass what it tells: get_data_ptr() and get_shape()", a[0].node);
  mlir::Value shape = desc->shape ? c.use(*as<Array>(desc->shape)) : mlir::Value();
  mlir::Value index = element_index(c, a[1], "the index").ir;
  c.ops.create<ListDescOp>(c.loc(), list_ir(c, self), c.use(*desc), index, shape);
  return nb::none();
}

// ---------------------------------------------------------------- TensorDesc

static nb::object new_desc(Compilation &c, nb::handle, Bound a) {
  const DType dtype = a[0].value ? dtype_argument(c, a[0], "the dtype") : DType::Float32;
  mlir::Type type = TensorDescType::get(&c.context, element_type(c.context, dtype));
  nb::object made = c.make<TensorDesc>(c.ops.create<TensorDescOp>(c.loc(), type), dtype);
  c.created(made);
  return made;
}

static nb::object set_shape_addr(Compilation &c, nb::handle self, Bound a) {
  mlir::Value desc = desc_ir(c, self), place;
  c.check_changeable(self);
  auto *array = as<Array>(a[0].value);
  if (array && array->dtype != DType::UInt64)
    throw c.error("T103", "the array has elements of " + std::string(name(array->dtype)) + ", expected uint64",
                  "write asc.array(asc.uint64, 8)", a[0].node);
  if (array) {
    place = c.use(*array);
  } else {
    At at(c, a[0].node ? a[0].node : c.node);
    place = convert(c, a[0].value, DType::UInt64, "the address");
  }
  as<TensorDesc>(self)->shape = array ? a[0].value : nb::object();
  c.ops.create<SetShapeAddressOp>(c.loc(), desc, place);
  return nb::none();
}

template <class Query> static nb::object query(Compilation &c, nb::handle self, Bound) {
  return c.make_scalar(c.ops.create<Query>(c.loc(), c.ops.getI64Type(), desc_ir(c, self)), DType::UInt64);
}
static nb::object get_shape(Compilation &c, nb::handle self, Bound a) {
  mlir::Value index = element_index(c, a[0], "the dimension").ir;
  return c.make_scalar(c.ops.create<DescShapeOp>(c.loc(), c.ops.getI64Type(), desc_ir(c, self), index), DType::Int64);
}
static nb::object desc_data(Compilation &c, nb::handle self, Bound) {
  const DType dtype = as<TensorDesc>(self)->dtype;
  return c.make<GlobalAddress>(c.ops.create<DescDataOp>(c.loc(), address_of(c, dtype), desc_ir(c, self)), dtype);
}
static nb::object desc_tensor(Compilation &c, nb::handle self, Bound) {
  const DType dtype = as<TensorDesc>(self)->dtype;
  mlir::Type type = GlobalTensorType::get(&c.context, element_type(c.context, dtype));
  return c.make_global(c.ops.create<DescTensorOp>(c.loc(), type, desc_ir(c, self)), dtype, /*fixed=*/false);
}

// ---------------------------------------------------------------- classes

static constexpr std::string_view kData = "data, length=4294967295, shape_size=4294967295";
static constexpr Function kListMethods[] = {
    {"init", kData, "Takes the list of tensors that a parameter of the kernel stands for, as the constructor does.", init_method, "Init"},
    {"get_size", "", "How many tensors there are (uint32).", list_size, "GetSize"},
    {"get_data_ptr", "index, dtype", "Address of tensor `index`, as one of elements of dtype.", list_data, "GetDataPtr"},
    {"get_desc", "desc, index", "Lets a TensorDesc describe tensor `index`; its shape goes to the array of set_shape_addr.", get_desc,
     "GetDesc"},
};
static constexpr Function kDescMethods[] = {
    {"set_shape_addr", "shape_ptr",
     "The asc.array of uint64 that get_desc writes the shape to. An address as an int is accepted, and nothing is written.", set_shape_addr,
     "SetShapeAddr"},
    {"get_dim", "", "Number of dimensions (uint64).", query<DescDimOp>, "GetDim"},
    {"get_index", "", "Number of the tensor in its list (uint64).", query<DescIndexOp>, "GetIndex"},
    {"get_shape", "offset", "Size of dimension `offset` (int64).", get_shape, "GetShape"},
    {"get_data_ptr", "", "Address of the tensor.", desc_data, "GetDataPtr"},
    {"get_data_obj", "", "The tensor as a GlobalTensor, whose size is its number of bytes.", desc_tensor, "GetDataObj"},
};
static constexpr Function kList = {
    "ListTensorDesc", "data=None, length=4294967295, shape_size=4294967295",
    "The tensors of an argument that is a Python list of arrays; `data` is the parameter. `length`, the bytes of the descriptor, and `shape_size`, "
    "the number of tensors, are checked when they are given. All tensors have the same number of dimensions, or none has a shape.",
    new_list};
static constexpr Function kDesc = {"TensorDesc", "dtype=float32", "One tensor of a ListTensorDesc, of elements of dtype.", new_desc};

std::span<const Class> tensor_list_classes() {
  static constexpr Class kClasses[] = {
      {class_of<ListTensorDesc>, "ListTensorDesc", kListMethods, &kList},
      {class_of<TensorDesc>, "TensorDesc", kDescMethods, &kDesc},
  };
  return kClasses;
}

} // namespace asc
