// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Methods of run-time values, constructors of tensors, and the functions of the language that are no APIs.
#include "frontend/functions.h"
#include "frontend/api_call.h"
#include "frontend/cube.h"
#include "frontend/loop_classes.h"
#include "frontend/matmul.h"
#include "frontend/printing.h"
#include "frontend/structures.h"

#include "dialect/constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace asc {

// ---------------------------------------------------------------- binding

std::vector<Argument> bind_arguments(const Compilation &c, std::string_view name, std::string_view signature, const Arguments &arguments) {
  std::string full = std::string(name) + "(" + std::string(signature) + ")";
  struct Parameter {
    std::string_view name, other;
    bool optional;
  };
  std::vector<Parameter> parameters;
  bool open = false;
  for (std::string_view rest = signature; !rest.empty();) {
    size_t comma = rest.find(", ");
    std::string_view parameter = rest.substr(0, comma);
    std::string_view names = parameter.substr(0, parameter.find('='));
    const size_t bar = names.find('|');
    if (names.starts_with("*"))
      open = true;
    else
      parameters.push_back({names.substr(0, bar), bar == names.npos ? std::string_view() : names.substr(bar + 1), names != parameter});
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
  }
  std::vector<Argument> bound(parameters.size());
  size_t next = 0;
  for (const Argument &argument : arguments) {
    size_t place = next;
    if (argument.keyword) {
      std::string_view keyword = text(argument.keyword);
      auto named = [&](const Parameter &p) { return p.name == keyword || p.other == keyword; };
      place = size_t(std::find_if(parameters.begin(), parameters.end(), named) - parameters.begin());
      if (place == parameters.size()) {
        std::vector<std::string_view> names;
        for (const Parameter &parameter : parameters) names.push_back(parameter.name);
        const std::string near = nearest(keyword, names), meant = near.empty() ? "" : "did you mean '" + near + "'? ";
        throw c.error("L401", std::string(name) + "() has no parameter '" + std::string(keyword) + "'", meant + "call it as " + full,
                      argument.node);
      }
      if (bound[place].value)
        throw c.error("L401", std::string(name) + "() gets '" + std::string(keyword) + "' twice", "call it as " + full, argument.node);
    } else if (place >= parameters.size() && open) {
      bound.push_back(argument);
      continue;
    } else if (place >= parameters.size()) {
      throw c.error("L401", std::string(name) + "() takes " + std::to_string(parameters.size()) + " arguments, got more",
                    "call it as " + full, argument.node);
    } else {
      ++next;
    }
    bound[place] = argument;
  }
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!bound[i].value && !parameters[i].optional)
      throw c.error("L401", std::string(name) + "() needs '" + std::string(parameters[i].name) + "'", "call it as " + full);
  return bound;
}

DType dtype_argument(Compilation &c, const Argument &argument, std::string_view what) {
  std::optional<DType> dtype = as_dtype(argument.value);
  if (!dtype)
    throw c.error("T103", std::string(what) + " is " + describe(argument.value) + ", expected a dtype such as asc.float16",
                  "the dtypes are those of asc, and x.dtype of a tensor or number", argument.node);
  if (*dtype == DType::Void)
    throw c.error("T103", std::string(what) + " is void, expected the dtype of a value", "write asc.float16, asc.int32 ...", argument.node);
  return *dtype;
}

int64_t static_int(Compilation &c, const Argument &argument, std::string_view what) {
  std::optional<Number> number = number_of(argument.value);
  if (as_run_time(argument.value)) throw c.not_known(what, argument.value, "pass it as an asc.ConstExpr parameter", argument.node);
  if (!number || number->kind == Number::Kind::Float || !fits(*number, DType::Int64))
    throw c.error("T103", std::string(what) + " is " + describe(argument.value) + ", expected an int",
                  number ? "write int(...)" : help_for(argument.value), argument.node);
  return int64_t(number->integer);
}

int64_t member_argument(Compilation &c, const Argument &argument, std::string_view enumeration, std::string_view what) {
  PyObject *p = argument.value.ptr();
  if (!PyLong_Check(p) || PyLong_CheckExact(p) || std::string_view(Py_TYPE(p)->tp_name) != enumeration)
    throw c.error("T103", std::string(what) + " is " + describe(argument.value) + ", expected a member of asc." + std::string(enumeration),
                  "dir(asc." + std::string(enumeration) + ") lists them", argument.node);
  return static_int(c, argument, what);
}

// ---------------------------------------------------------------- numbers

static PlainValue &plain(nb::handle self) { return *as<PlainValue>(self); }

static nb::object cast_method(Compilation &c, nb::handle self, Bound a) {
  DType dtype = dtype_argument(c, a[0], "the dtype of cast");
  return c.make_scalar(cast(c, c.use(plain(self)), plain(self).dtype, dtype), dtype);
}
static nb::object ceildiv_method(Compilation &c, nb::handle self, Bound a) { return ceildiv(c, self, a[0].value); }

template <bool kAnd> static nb::object logical_method(Compilation &c, nb::handle self, Bound a) {
  mlir::Value lhs = truth(c, self).ir;
  Truth other = truth(c, a[0].value);
  mlir::Value rhs = other.known ? int_constant(c, *other.known, DType::Bool) : other.ir, result;
  if (kAnd)
    result = c.ops.create<mlir::arith::AndIOp>(c.loc(), lhs, rhs);
  else
    result = c.ops.create<mlir::arith::OrIOp>(c.loc(), lhs, rhs);
  return c.make_scalar(result, DType::Bool);
}

static constexpr Function kPlainMethods[] = {
    {"cast", "dtype", "Converts to another dtype. Float to int truncates toward zero and saturates; NaN gives 0.", cast_method},
    {"ceildiv", "other", "Division of ints, rounded up.", ceildiv_method},
    {"logical_and", "other", "True when both are non-zero; both are evaluated.", logical_method<true>},
    {"logical_or", "other", "True when one is non-zero; both are evaluated.", logical_method<false>},
};

// ---------------------------------------------------------------- tensors

mlir::Value tensor_ir(Compilation &c, nb::handle self) {
  if (auto *global = as<GlobalTensor>(self); global && !global->ir)
    throw c.error("T301", "this GlobalTensor has no buffer", "call set_global_buffer(address, size) on it first");
  return c.use(*as_run_time(self));
}

Index element_index(Compilation &c, const Argument &argument, std::string_view what) {
  At at(c, argument.node ? argument.node : c.node);
  Index i = index(c, argument.value, what);
  if (i.known && *i.known < 0)
    throw c.error("T302", std::string(what) + " is " + std::to_string(*i.known) + ", expected 0 or more",
                  "elements are counted from the start of the tensor", argument.node);
  return i;
}

static nb::object get_value(Compilation &c, nb::handle self, Bound a) {
  DType dtype = as_run_time(self)->dtype;
  mlir::Value tensor = tensor_ir(c, self);
  Index i = element_index(c, a[0], "the index");
  return c.make_scalar(c.ops.create<GetValueOp>(c.loc(), scalar_type(c.context, dtype), tensor, i.ir), dtype);
}

static nb::object set_value(Compilation &c, nb::handle self, Bound a) {
  DType dtype = as_run_time(self)->dtype;
  mlir::Value tensor = tensor_ir(c, self);
  Index i = element_index(c, a[0], "the index");
  mlir::Value value;
  {
    At at(c, a[1].node ? a[1].node : c.node);
    value = convert(c, a[1].value, dtype, "the value");
  }
  c.ops.create<SetValueOp>(c.loc(), tensor, i.ir, value);
  return nb::none();
}

/// Elements of a tensor: int32 of a local, uint64 of a global one.
static mlir::Value size_ir(Compilation &c, nb::handle self) {
  DType dtype = as<LocalTensor>(self) ? DType::Int32 : DType::UInt64;
  return c.ops.create<SizeOp>(c.loc(), scalar_type(c.context, dtype), tensor_ir(c, self));
}
static nb::object local_size(Compilation &c, nb::handle self, Bound) { return c.make_scalar(size_ir(c, self), DType::Int32); }
static nb::object global_size(Compilation &c, nb::handle self, Bound) { return c.make_scalar(size_ir(c, self), DType::UInt64); }

static nb::object get_length(Compilation &c, nb::handle self, Bound) {
  nb::object size = c.make_scalar(cast(c, size_ir(c, self), DType::Int32, DType::UInt32), DType::UInt32);
  return binary(c, Syntax::Mult, size, nb::int_(size_of(as<LocalTensor>(self)->dtype)));
}
static nb::object get_position(Compilation &c, nb::handle self, Bound) {
  return c.make_scalar(int_constant(c, int64_t(as<LocalTensor>(self)->position), DType::Int32), DType::Int32);
}

static nb::object get_phy_addr(Compilation &c, nb::handle self, Bound a) {
  DType dtype = as_run_time(self)->dtype;
  mlir::Value tensor = tensor_ir(c, self);
  mlir::Value address = c.ops.create<AddressOfOp>(c.loc(), AddressType::get(&c.context, element_type(c.context, dtype)), tensor);
  if (a[0].value) {
    At at(c, a[0].node ? a[0].node : c.node);
    address = c.ops.create<OffsetOp>(c.loc(), address.getType(), address, index(c, a[0].value, "the offset").ir);
  }
  return c.make<GlobalAddress>(address, dtype);
}

static nb::object local_address(Compilation &c, nb::handle self, Bound a) {
  mlir::Value tensor = tensor_ir(c, self);
  if (a[0].value) {
    At at(c, a[0].node ? a[0].node : c.node);
    tensor = c.ops.create<ViewOp>(c.loc(), tensor.getType(), tensor, index(c, a[0].value, "the offset").ir);
  }
  return c.make_scalar(c.ops.create<LocalAddressOp>(c.loc(), c.ops.getI64Type(), tensor), DType::UInt64);
}

static nb::object set_global_buffer(Compilation &c, nb::handle self, Bound a) {
  GlobalTensor &tensor = *as<GlobalTensor>(self);
  auto *address = as<GlobalAddress>(a[0].value);
  if (!address)
    throw c.error("T103", "the buffer is " + describe(a[0].value) + ", expected a GlobalAddress",
                  "pass an array parameter of the kernel, or one plus an offset", a[0].node);
  if (tensor.fixed)
    throw c.error("L306", "this GlobalTensor came from a parameter, a function or two branches and cannot be given another buffer here",
                  "make a new one: t = asc.GlobalTensor(); t.set_global_buffer(address, size)");
  mlir::Value size;
  bool given = a.size() > 1 && a[1].value && !a[1].value.is_none();
  if (given) {
    std::optional<Number> known = number_of(a[1].value);
    if (!known || known->integer != 0 || known->kind == Number::Kind::Float) {
      At at(c, a[1].node ? a[1].node : c.node);
      Index count = element_index(c, a[1], "the size of the buffer");
      size = count.ir;
    }
  }
  mlir::Type type = GlobalTensorType::get(&c.context, element_type(c.context, address->dtype));
  mlir::Value ir = c.ops.create<GlobalTensorOp>(c.loc(), type, c.use(*address), size);
  c.journal.push_back({nb::borrow(self), tensor.ir, tensor.dtype});
  tensor.ir = ir, tensor.dtype = address->dtype;
  return nb::none();
}

static nb::object set_l2_cache_hint(Compilation &c, nb::handle self, Bound a) {
  const auto member = [&](const Argument &argument, std::string_view type, std::string_view usual) {
    if (argument.value) return uint32_t(member_argument(c, argument, type, "the hint"));
    for (const Member &m : find_enum(type)->members)
      if (m.name == usual) return uint32_t(m.value);
    throw InternalError("no default");
  };
  const uint32_t mode = member(a[0], "CacheMode", "CACHE_MODE_NORMAL"), rw = member(a[1], "CacheRwMode", "RW");
  c.ops.create<SetL2CacheHintOp>(c.loc(), tensor_ir(c, self), mode, rw);
  return nb::none();
}

static nb::object reinterpret_cast_method(Compilation &c, nb::handle self, Bound a) {
  LocalTensor &tensor = *as<LocalTensor>(self);
  DType dtype = dtype_argument(c, a[0], "the dtype of reinterpret_cast");
  if (dtype == tensor.dtype) return nb::borrow(self);
  mlir::Type type = LocalTensorType::get(&c.context, element_type(c.context, dtype), unsigned(tensor.position));
  nb::object made = c.make_local(c.ops.create<ReinterpretCastOp>(c.loc(), type, tensor_ir(c, self)), dtype, tensor.position);
  as<LocalTensor>(made)->user_tag = tensor.user_tag;
  return made;
}

// ---- methods that change a tensor: its Python object stands for another value of the IR from then on

static LocalTensor &changeable(Compilation &c, nb::handle self, std::string_view method) {
  LocalTensor &tensor = *as<LocalTensor>(self);
  mlir::Value value = c.use(tensor);
  const std::string what = std::string(method) + "() changes a tensor that ";
  if (value.getParentRegion() != c.regions.back())
    throw c.error(
        "L316", what + "was made outside of the branch or loop around it",
        "which tensor a name stands for is known while compiling: take t[0:], which is another tensor on the same bytes, and change that");
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (argument && argument.getOwner()->getParent() == c.regions.front())
    throw c.error("L316", what + "belongs to the caller of the function",
                  "take t[0:], which is another tensor on the same bytes, and change that");
  return tensor;
}

template <bool kBytes> static nb::object set_length(Compilation &c, nb::handle self, Bound a) {
  LocalTensor &tensor = changeable(c, self, kBytes ? "set_buffer_len" : "set_size");
  const Argument size = a[0].value ? a[0] : Argument{nb::int_(0), nullptr};
  mlir::Value elements = element_index(c, size, kBytes ? "the length" : "the size").ir;
  tensor.ir = c.ops.create<ResizeOp>(c.loc(), tensor.ir.getType(), tensor.ir, elements, kBytes);
  return nb::none();
}

static nb::object set_addr_with_offset(Compilation &c, nb::handle self, Bound a) {
  LocalTensor &tensor = changeable(c, self, "set_addr_with_offset");
  auto *src = as<LocalTensor>(a[0].value);
  if (!src)
    throw c.error("T103", "src is " + describe(a[0].value) + ", expected a LocalTensor", "pass the tensor whose bytes are to be taken",
                  a[0].node);
  mlir::Value from = c.use(*src), offset = element_index(c, a[1], "the offset").ir;
  mlir::Type type = LocalTensorType::get(&c.context, element_type(c.context, tensor.dtype), unsigned(src->position));
  tensor.ir = c.ops.create<ShiftOp>(c.loc(), type, from, offset);
  tensor.position = src->position, tensor.user_tag = src->user_tag;
  return nb::none();
}

static nb::object set_user_tag(Compilation &c, nb::handle self, Bound a) {
  LocalTensor &tensor = changeable(c, self, "set_user_tag");
  At at(c, a[0].node ? a[0].node : c.node);
  mlir::Value tag = convert(c, a[0].value ? a[0].value : nb::object(nb::int_(0)), DType::Int32, "the tag");
  c.ops.create<SetUserTagOp>(c.loc(), tensor.ir, tag);
  tensor.user_tag = c.make_scalar(tag, DType::Int32);
  return nb::none();
}

nb::object user_tag_of(Compilation &c, nb::handle tensor) {
  const LocalTensor &local = *as<LocalTensor>(tensor);
  if (local.user_tag) return local.user_tag;
  return c.make_scalar(c.ops.create<UserTagOp>(c.loc(), c.ops.getI32Type(), c.use(local)), DType::Int32);
}
static nb::object get_user_tag(Compilation &c, nb::handle self, Bound) { return user_tag_of(c, self); }

static nb::object print_method(Compilation &c, nb::handle self, Bound a) {
  return call_api(c, *find_row("print"), {{nb::borrow(self)}, a[0]});
}

static nb::object to_file(Compilation &c, nb::handle self, Bound a) {
  mlir::Value tensor = tensor_ir(c, self);
  if (!PyUnicode_Check(a[0].value.ptr()))
    throw c.error("T103", "the name of the file is " + describe(a[0].value) + ", expected a str known while compiling",
                  "write t.to_file(\"tensor.bin\")", a[0].node);
  const std::string_view file = printable(c, a[0].value);
  if (c.options.dump) c.ops.create<ToFileOp>(c.loc(), tensor, llvm::StringRef(file));
  return nb::none();
}

static constexpr std::string_view kSetShapeInfoDoc = "Ties a ShapeInfo to the tensor, for dump_tensor.";
static constexpr std::string_view kGetShapeInfoDoc = "The ShapeInfo that set_shape_info has set.";

static constexpr Function kGlobalMethods[] = {
    {"set_global_buffer", "buffer, buffer_size=None",
     "Places the tensor at an address; `buffer_size` is its number of elements, for get_size() and bounds checks.", set_global_buffer,
     "SetGlobalBuffer"},
    {"get_value", "offset", "Reads element `offset` (scalar unit).", get_value, "GetValue"},
    {"set_value", "offset, value", "Writes element `offset` (scalar unit); the value is converted to the tensor's dtype.", set_value,
     "SetValue"},
    {"get_size", "", "Number of elements (uint64); 0 when set_global_buffer was given none.", global_size, "GetSize"},
    {"get_phy_addr", "offset=0", "Address of element `offset`.", get_phy_addr, "GetPhyAddr"},
    {"set_l2_cache_hint", "mode=CacheMode.CACHE_MODE_NORMAL, rw_mode=CacheRwMode.RW",
     "How copies of this tensor use the L2 cache of the device; results and simulated times stay the same.", set_l2_cache_hint,
     "SetL2CacheHint"},
    {"set_shape_info", "shape_info", kSetShapeInfoDoc, set_shape_info, "SetShapeInfo"},
    {"get_shape_info", "", kGetShapeInfoDoc, get_shape_info, "GetShapeInfo"},
};
static constexpr Function kLocalMethods[] = {
    {"get_value", "index", "Reads element `index` (scalar unit).", get_value, "GetValue"},
    {"set_value", "index, value", "Writes element `index` (scalar unit); the value is converted to the tensor's dtype.", set_value,
     "SetValue"},
    {"get_size", "", "Number of elements (int32).", local_size, "GetSize"},
    {"get_length", "", "Length in bytes (uint32).", get_length, "GetLength"},
    {"get_position", "", "Logical position as in asc.TPosition (int32).", get_position, "GetPosition"},
    {"get_phy_addr", "offset=0", "Byte of its on-chip memory at which element `offset` is (uint64).", local_address, "GetPhyAddr"},
    {"reinterpret_cast", "dtype", "The same bytes seen as another dtype.", reinterpret_cast_method, "ReinterpretCast"},
    {"set_size", "size=0", "Gives the tensor another number of elements; it must fit its memory.", set_length<false>, "SetSize"},
    {"set_buffer_len", "data_len", "Gives the tensor another length, in bytes.", set_length<true>, "SetBufferLen"},
    {"set_addr_with_offset", "src, offset",
     "Lets the tensor begin at element `offset` of src, counted in elements of src; it has the position, the length and the tag of src then.",
     set_addr_with_offset, "SetAddrWithOffset"},
    {"set_user_tag", "tag=0", "Gives the tensor a number (int32), which goes with it through queues and functions.", set_user_tag,
     "SetUserTag"},
    {"get_user_tag", "", "The number that set_user_tag gave the tensor (int32); -1 before.", get_user_tag, "GetUserTag"},
    {"print", "data_len",
     "Prints the first `data_len` elements, a line for each block of 32 bytes; it does not wait for other pipes. On a device, nothing.",
     print_method, "Print"},
    {"to_file", "file_name",
     "Writes the bytes of the tensor to a file of the host when the launch is over; that of a later call or block replaces it. On a device, "
     "nothing.",
     to_file, "ToFile"},
    {"set_shape_info", "shape_info", kSetShapeInfoDoc, set_shape_info, "SetShapeInfo"},
    {"get_shape_info", "", kGetShapeInfoDoc, get_shape_info, "GetShapeInfo"},
};

nb::object subscript_of(Compilation &c, nb::handle tensor, nb::handle subscript) {
  DType dtype = as_run_time(tensor)->dtype;
  nb::object first = nb::borrow(subscript);
  if (PySlice_Check(subscript.ptr())) {
    auto *slice = reinterpret_cast<PySliceObject *>(subscript.ptr());
    if (slice->stop != Py_None || slice->step != Py_None)
      throw c.error("T303", "a slice of a tensor has a start only",
                    "write t[start:] and pass the number of elements to the API that uses it");
    first = nb::borrow(slice->start);
    if (first.is_none()) return nb::borrow(tensor);
  }
  if (PyTuple_Check(first.ptr())) throw c.error("T303", "a tensor has one index", "write t[i * columns + j]");
  mlir::Value parent = tensor_ir(c, tensor);
  Index i = element_index(c, {first, nullptr}, "the index");
  mlir::Value view = c.ops.create<ViewOp>(c.loc(), parent.getType(), parent, i.ir);
  auto *local = as<LocalTensor>(tensor);
  if (!local) return c.make_global(view, dtype, /*fixed=*/false);
  nb::object made = c.make_local(view, dtype, local->position);
  as<LocalTensor>(made)->user_tag = local->user_tag;
  return made;
}

nb::object one_element(Compilation &c, nb::handle tensor, const Argument &offset) {
  At at(c, offset.node ? offset.node : c.node);
  nb::object part = subscript_of(c, tensor, offset.value);
  mlir::Value one = int_constant(c, 1, DType::Int64);
  if (auto *local = as<LocalTensor>(part)) {
    local->ir = c.ops.create<ResizeOp>(c.loc(), local->ir.getType(), local->ir, one, /*bytes=*/false);
    return part;
  }
  auto *global = as<GlobalTensor>(part);
  mlir::Type address = AddressType::get(&c.context, element_type(c.context, global->dtype));
  mlir::Value place = c.ops.create<AddressOfOp>(c.loc(), address, global->ir);
  global->ir = c.ops.create<GlobalTensorOp>(c.loc(), global->ir.getType(), place, one);
  return part;
}

// ---------------------------------------------------------------- constructors

/// What fills the memory of a position so far, for the message when it overflows.
static std::vector<Note> table_of_memory(Compilation &c, Memory memory) {
  std::vector<Note> notes;
  auto list = [&](LocalTensorOp op) {
    auto type = op.getTensor().getType();
    std::optional<int64_t> start = constant_of(op.getAddress()), elements = constant_of(op.getSize());
    if (!start || !elements || memory_of(Position(type.getPosition())) != memory) return;
    int64_t bytes = *elements * size_of(dtype_of(type.getElement()));
    std::string variable(variable_of(op.getLoc()));
    notes.push_back({(variable.empty() ? "a tensor" : "'" + variable + "'") + ": bytes " + std::to_string(*start) + " to " +
                         std::to_string(*start + bytes - 1) + " (" + std::to_string(bytes) + " bytes of " +
                         std::string(name(Position(type.getPosition()))) + ")",
                     span_of(op.getLoc())});
  };
  for (mlir::Region *region : c.regions) region->walk(list);
  return notes;
}

/// Elements of a tensor of that shape: an int, or the product of several.
static nb::object elements_of_shape(Compilation &c, const Argument &shape, nb::object &known_shape) {
  PyObject *object = shape.value.ptr();
  const bool one = as_run_time(shape.value) || number_of(shape.value) || !PyObject_HasAttrString(object, "__iter__");
  nb::object dimensions = one ? nb::object(nb::make_tuple(shape.value)) : nb::steal(PySequence_Tuple(object));
  if (!dimensions) throw nb::python_error();
  nb::object product;
  bool all_known = true;
  for (nb::handle value : nb::borrow<nb::tuple>(dimensions)) {
    all_known &= element_index(c, {nb::borrow(value), shape.node}, "the size").known.has_value();
    product = product ? binary(c, Syntax::Mult, product, value) : nb::borrow(value);
  }
  if (!product)
    throw c.error("T103", "the shape has no dimensions, expected a number of elements or a tuple of them",
                  "write asc.LocalTensorAuto(dtype, 256)", shape.node);
  if (all_known) known_shape = dimensions;
  return product;
}

static nb::object local_tensor(Compilation &c, nb::handle, Bound a) {
  if (!a[0].value) {
    for (const Argument &other : {a[1], a[2], a[3]})
      if (other.value)
        throw c.error("T304", "the dtype of this LocalTensor cannot be decided", "write asc.LocalTensor(dtype, position, address, size)",
                      other.node);
    return nb::cast(UntypedTensor());
  }
  DType dtype = dtype_argument(c, a[0], "the dtype");
  // The short form LocalTensor(dtype, addr) leaves out the position, which is an enum member. LocalTensor(dtype, shape) is filled by a
  // queue.
  Argument pos = a[1], addr = a[2], size = a[3];
  nb::object shape;
  if (pos.value && (PyList_Check(pos.value.ptr()) || PyTuple_Check(pos.value.ptr()))) {
    if (addr.value || size.value)
      throw c.error("L401", "LocalTensor() gets a shape and a place", "write asc.LocalTensor(dtype, position, address, size)", pos.node);
    elements_of_shape(c, pos, shape);
    pos = {};
  }
  if (pos.value && !addr.value && PyLong_CheckExact(pos.value.ptr())) addr = pos, pos = {};
  if (pos.value && pos.value.is_none()) pos = {};
  Position position = Position::VECIN;
  if (pos.value) position = Position(member_argument(c, pos, "TPosition", "the position"));
  if (position == Position::MAX || memory_of(position) == Memory::GM)
    throw c.error("T305", "a LocalTensor cannot be at position " + std::string(name(position)),
                  "use VECIN, VECOUT or VECCALC for the unified buffer", pos.node);
  auto count = [&](const Argument &argument, std::string_view what) {
    if (argument.value) return element_index(c, argument, what);
    return Index{int_constant(c, 0, DType::Int32), DType::Int32, 0};
  };
  if (size.value && PyTuple_Check(size.value.ptr()))
    throw c.error("T103", "the size is " + describe(size.value) + ", expected an int",
                  "a LocalTensor has one dimension: write the number of its elements", size.node);
  Index address = count(addr, "the address"), elements = count(size, "the size");
  MemoryInfo memory = info(memory_of(position));
  if (address.known && *address.known % memory.alignment)
    throw c.error("T306",
                  "the address is " + std::to_string(*address.known) + ", expected a multiple of " + std::to_string(memory.alignment) +
                      " bytes",
                  "addresses count bytes; " + std::to_string(*address.known / memory.alignment * memory.alignment) + " and " +
                      std::to_string((*address.known / memory.alignment + 1) * memory.alignment) + " are the nearest",
                  addr.node);
  if (address.known && elements.known) {
    __int128 end = __int128(*address.known) + __int128(*elements.known) * size_of(dtype);
    if (end > memory.bytes) {
      std::string last = end > INT64_MAX ? "very far" : std::to_string(int64_t(end));
      const int64_t room = (int64_t(memory.bytes) - std::min(*address.known, int64_t(memory.bytes))) / int64_t(size_of(dtype));
      std::vector<Note> others = table_of_memory(c, memory_of(position));
      std::string help = "make it smaller (" + std::to_string(room) + " elements fit) or move it";
      if (!others.empty()) help += "; the notes list what is in " + std::string(memory.name);
      throw c.error("T307",
                    "the tensor ends at byte " + last + " of " + std::string(memory.name) + ", which has " + std::to_string(memory.bytes) +
                        " bytes (" + std::to_string(*elements.known) + " elements of " + std::to_string(size_of(dtype)) +
                        " bytes from byte " + std::to_string(*address.known) + ")",
                    std::move(help), size.node ? size.node : addr.node, std::move(others));
    }
  }
  mlir::Type type = LocalTensorType::get(&c.context, element_type(c.context, dtype), unsigned(position));
  nb::object made = c.make_local(c.ops.create<LocalTensorOp>(c.loc(), type, address.ir, elements.ir), dtype, position);
  as<LocalTensor>(made)->shape = std::move(shape);
  c.created(made); // a queue may fill it
  return made;
}

static nb::object global_tensor(Compilation &c, nb::handle, Bound) { return c.make_global({}, DType::Void, /*fixed=*/false); }

static nb::object local_tensor_auto(Compilation &c, nb::handle, Bound a) {
  DType dtype = dtype_argument(c, a[0], "the dtype");
  nb::object shape;
  nb::object product = elements_of_shape(c, a[1], shape);
  Index size = element_index(c, {product, a[1].node}, "the size");
  const MemoryInfo memory = info(Memory::UB);
  if (size.known && __int128(*size.known) * size_of(dtype) > memory.bytes)
    throw c.error("T321",
                  "the tensor has " + std::to_string(*size.known) + " elements of " + std::to_string(size_of(dtype)) + " bytes, and " +
                      std::string(memory.name) + " has " + std::to_string(memory.bytes) + " bytes",
                  "make it smaller (at most " + std::to_string(memory.bytes / size_of(dtype)) +
                      " elements) and go through the array in tiles",
                  a[1].node);
  mlir::Type type = LocalTensorType::get(&c.context, element_type(c.context, dtype), unsigned(Position::VECCALC));
  nb::object tensor = c.make_local(c.ops.create<AutoTensorOp>(c.loc(), type, size.ir), dtype, Position::VECCALC);
  as<LocalTensor>(tensor)->shape = std::move(shape);
  return tensor;
}

static constexpr Function kLocalTensor = {
    "LocalTensor", "dtype=, pos|shape=TPosition.VECIN, addr=0, tile_size=0",
    "A tensor in on-chip memory: `tile_size` elements from byte `addr` of the memory that `pos` is in. With a shape in the place of all that, a "
    "tensor for alloc_tensor and deque to fill; with nothing at all, a name that has to become another tensor before it is used.",
    local_tensor};
static constexpr Function kGlobalTensor = {"GlobalTensor", "", "A tensor in global memory; set_global_buffer() gives it its place.",
                                           global_tensor};
static constexpr Function kLocalTensorAuto = {
    "LocalTensorAuto", "dtype, shape",
    "A LocalTensor in the unified buffer whose place the compiler chooses. `shape` is a number of elements or a tuple of them, known while "
    "compiling or not. With it, the compiler inserts synchronisation too (option insert_sync).",
    local_tensor_auto};

// ---------------------------------------------------------------- intrinsics

static nb::object number(Compilation &c, nb::handle, Bound a) {
  DType dtype = dtype_argument(c, a[1], "the dtype of number");
  At at(c, a[0].node ? a[0].node : c.node);
  return c.make_scalar(convert(c, a[0].value, dtype, "the value"), dtype);
}
static nb::object ceildiv_function(Compilation &c, nb::handle, Bound a) { return ceildiv(c, a[0].value, a[1].value); }

static nb::object static_assert_function(Compilation &c, nb::handle, Bound a) {
  Truth value = truth(c, a[0].value);
  if (!value.known)
    throw c.not_known("the condition of static_assert", a[0].value, "write assert, which the kernel checks when it runs", a[0].node);
  if (!*value.known)
    throw c.error("L205", "assertion failed" + (a[1].value ? ": " + std::string(text(nb::str(a[1].value))) : std::string()));
  return nb::none();
}

/// One to three positional arguments, as Python's range.
static nb::object loop_range(Bound a, bool unrolled) {
  LoopRange range;
  range.start = a[1].value ? a[0].value : nb::int_(0);
  range.stop = a[1].value ? a[1].value : a[0].value;
  range.step = a[2].value ? a[2].value : nb::int_(1);
  range.unrolled = unrolled;
  return nb::cast(std::move(range));
}
static nb::object range_function(Compilation &, nb::handle, Bound a) { return loop_range(a, false); }
static nb::object static_range_function(Compilation &, nb::handle, Bound a) { return loop_range(a, true); }

// Addresses that the core keeps.

static nb::object pointer(Compilation &c, unsigned number) {
  mlir::Type type = AddressType::get(&c.context, element_type(c.context, DType::UInt8));
  return c.make<GlobalAddress>(c.ops.create<GetPointerOp>(c.loc(), type, number), DType::UInt8);
}
static mlir::Value address_argument(Compilation &c, const Argument &argument, std::string_view what) {
  auto *address = as<GlobalAddress>(argument.value);
  if (!address)
    throw c.error("T103", std::string(what) + " is " + describe(argument.value) + ", expected a GlobalAddress",
                  "pass an array parameter of the kernel, or one plus an offset", argument.node);
  return c.use(*address);
}
static unsigned context_argument(Compilation &c, const Argument &argument) {
  const int64_t index = static_int(c, argument, "the index of a context");
  if (index < 0 || index >= int64_t(kContexts))
    throw c.error("T318", "the index of a context is " + std::to_string(index) + ", expected 0 or 1", "the core keeps two contexts",
                  argument.node);
  return kFirstContextPointer + unsigned(index);
}

static nb::object get_sys_workspace(Compilation &c, nb::handle, Bound) { return pointer(c, kWorkspacePointer); }
static nb::object set_sys_workspace(Compilation &c, nb::handle, Bound a) {
  c.ops.create<SetPointerOp>(c.loc(), kWorkspacePointer, address_argument(c, a[0], "the workspace"));
  return nb::none();
}
static nb::object get_hccl_context(Compilation &c, nb::handle, Bound a) { return pointer(c, context_argument(c, a[0])); }
/// Ascend C takes the index as a template argument: a run-time one chooses between the two calls.
static nb::object set_hccl_context(Compilation &c, nb::handle, Bound a) {
  const bool is_known = !as<PlainValue>(a[0].value);
  const unsigned number = is_known ? context_argument(c, a[0]) : kFirstContextPointer;
  const mlir::Value address = address_argument(c, a[1], "the context");
  const auto set = [&](unsigned pointer) { c.ops.create<SetPointerOp>(c.loc(), pointer, address); };
  if (is_known) {
    set(number);
    return nb::none();
  }
  const Index i = index(c, a[0].value, "the index of a context");
  const auto is = [&](mlir::arith::CmpIPredicate predicate, int64_t other) -> mlir::Value {
    return c.ops.create<mlir::arith::CmpIOp>(c.loc(), predicate, i.ir, int_constant(c, other, i.dtype));
  };
  PrintedText message(c);
  message.add_text("the index of a context is ");
  message.add(a[0].value, a[0].node);
  message.add_text(", expected 0 or 1");
  message.create_assert(is(mlir::arith::CmpIPredicate::ult, kContexts), "0 <= index < 2");
  auto choice = c.ops.create<mlir::scf::IfOp>(c.loc(), is(mlir::arith::CmpIPredicate::eq, 0), /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(c.ops);
  c.ops.setInsertionPointToStart(choice.thenBlock()), set(kFirstContextPointer);
  c.ops.setInsertionPointToStart(choice.elseBlock()), set(kFirstContextPointer + 1);
  return nb::none();
}

static nb::object get_shape_size(Compilation &c, nb::handle, Bound a) {
  auto *shape = as<ShapeInfo>(a[0].value);
  if (!shape)
    throw c.error("T103", "the shape info is " + describe(a[0].value) + ", expected an asc.ShapeInfo",
                  "write asc.ShapeInfo(asc.array(asc.uint32, [rows, columns]))", a[0].node);
  mlir::Value info = c.use(*shape);
  nb::object product = nb::int_(1);
  for (unsigned i = 0; i < llvm::cast<ShapeInfoType>(info.getType()).getRank(); ++i) {
    nb::object size = dimension_of(c, info, i);
    product = i == 0 ? size : binary(c, Syntax::Mult, product, size);
  }
  return product;
}

/// A constant of Ascend C, of class Property: (name, dtype, value).
static nb::object property_function(Compilation &c, nb::handle, Bound a) {
  if (!PyTuple_Check(a[0].value.ptr()) || !nb::hasattr(a[0].value, "__asc_property__"))
    throw c.error("T103", "the property is " + describe(a[0].value) + ", expected a constant of asc",
                  "there are asc.ONE_BLK_SIZE, asc.DEFAULT_C0_SIZE, asc.TOTAL_L1_SIZE and asc.TOTAL_L0C_SIZE", a[0].node);
  const DType dtype = *as_dtype(a[0].value.attr("dtype"));
  return c.make_scalar(convert(c, a[0].value.attr("value"), dtype, "the property"), dtype);
}

static nb::object pop_stack_buffer(Compilation &c, nb::handle, Bound a) {
  DType dtype = dtype_argument(c, a[0], "the dtype");
  const Position position = a[1].value ? Position(member_argument(c, a[1], "TPosition", "the position")) : Position::VECCALC;
  if (position == Position::MAX || memory_of(position) != Memory::UB)
    throw c.error("T305", "pop_stack_buffer() at position " + std::string(name(position)),
                  "use VECIN, VECOUT or VECCALC, which are in the unified buffer", a[1].node);
  mlir::Type type = LocalTensorType::get(&c.context, element_type(c.context, dtype), unsigned(position));
  return c.make_local(c.ops.create<StackBufferOp>(c.loc(), type), dtype, position);
}

static nb::object inline_function(Compilation &c, nb::handle, Bound) {
  throw c.error("T404", "inline(): text of C++ is not supported: neither can it be simulated, nor checked",
                "write what it does in Python, with the functions of asc");
}

static const Function kFunctions[] = {
    kArrayFunction,
    {"number", "value, dtype", "A run-time value of that dtype.", number},
    {"ceildiv", "x, y", "x / y rounded up, on ints known while compiling or run-time ints.", ceildiv_function},
    {"static_assert", "test, message=None", "Stops the compilation when the test, which is known while compiling, is false.",
     static_assert_function},
    {"printf", "desc, *params",
     "Prints when the kernel runs: a format of C with the conversions %d %i %u %x %f %s %p, and a value for each.", printf_function},
    {"get_tpipe_ptr", "", "The TPipe of the kernel.", get_tpipe_ptr},
    {"register_matmul", "pipe, workspace, matmul, tiling=None",
     "Lets the cube core serve a Matmul from now on, and gives it a TCubeTiling; without one, its init(tiling) does. `workspace` is the memory "
     "of the library, 16 MiB. It comes before pipe.init_buffer.",
     register_matmul, "REGIST_MATMUL_OBJ"},
    {"get_shape_size", "shape_info", "The product of all dimensions of a ShapeInfo (int32).", get_shape_size},
    {"pop_stack_buffer", "dtype, position=TPosition.VECCALC",
     "A LocalTensor of all that the TPipe has not given out of the unified buffer, but for its last 64 bytes. It is not taken: a second call "
     "gives the same memory.",
     pop_stack_buffer, "PopStackBuffer"},
    {"property", "prop", "A constant of Ascend C as a run-time value: asc.property(asc.ONE_BLK_SIZE).", property_function},
    {"inline", "code, args=None, before_function=False",
     "Text of C++ within the kernel, in Ascend C. Refused: text can be neither simulated nor checked.", inline_function},
    {"get_sys_workspace", "",
     "The address (uint8) that set_sys_workspace has set: the workspace of the system, and behind its first 16 MiB that of the kernel. In "
     "the simulator nothing is there before.",
     get_sys_workspace},
    {"set_sys_workspace", "workspace", "Sets the address of the workspace, on this core.", set_sys_workspace},
    {"get_hccl_context", "index",
     "The address (uint8) of context 0 or 1 of collective communication that set_hccl_context has set. In the simulator nothing is there "
     "before.",
     get_hccl_context},
    {"set_hccl_context", "index, context",
     "Sets the address of context 0 or 1 of collective communication, on this core. The index may be a run-time value.", set_hccl_context},
};

std::span<const Function> intrinsics() {
  static const std::vector<Function> all = [] {
    std::vector<Function> list(std::begin(kFunctions), std::end(kFunctions));
    list.insert(list.end(), cube_functions().begin(), cube_functions().end());
    return list;
  }();
  return all;
}

// ---------------------------------------------------------------- classes and attributes

static constexpr Function kRange = {"range", "start, stop=, step=1",
                                    "A loop that runs on the device; bounds and step may be run-time values.", range_function};
static constexpr Function kStaticRange = {"static_range", "start, stop=, step=1",
                                          "A loop that is unrolled while compiling; bounds and step are known then.",
                                          static_range_function};

std::span<const Class> classes() {
  static const std::vector<Class> all = [] {
    std::vector<Class> list = {
        {class_of<PlainValue>, "PlainValue", kPlainMethods, nullptr, "numbers are made with asc.number(value, dtype)"},
        {class_of<GlobalAddress>, "GlobalAddress", {}, nullptr, "addresses are the array parameters of the kernel"},
        {class_of<GlobalTensor>, "GlobalTensor", kGlobalMethods, &kGlobalTensor},
        {class_of<LocalTensor>, "LocalTensor", kLocalMethods, &kLocalTensor},
        {class_of<LocalTensorAuto>, "LocalTensorAuto", {}, &kLocalTensorAuto},
        {class_of<Range>, "range", {}, &kRange},
        {class_of<StaticRange>, "static_range", {}, &kStaticRange}};
    list.insert(list.end(), framework_classes().begin(), framework_classes().end());
    list.insert(list.end(), aggregate_classes().begin(), aggregate_classes().end());
    list.insert(list.end(), matmul_classes().begin(), matmul_classes().end());
    list.insert(list.end(), tensor_list_classes().begin(), tensor_list_classes().end());
    return list;
  }();
  return all;
}

const Class *find_class(nb::handle type) {
  for (const Class &c : classes())
    if (type.is(c.type())) return &c;
  return nullptr;
}

/// Ascend C's name of a method is accepted with a small first letter too.
static bool is_spelling(std::string_view ascendc, std::string_view attribute) {
  return !ascendc.empty() && !attribute.empty() && attribute.substr(1) == ascendc.substr(1) && (attribute[0] | 0x20) == (ascendc[0] | 0x20);
}

/// A structure's own method of Struct.
static nb::object create_local(Compilation &c, nb::handle self, Bound) {
  auto *structure = as<Structure>(self);
  return make_structure(c, copy_of(c, c.use(*structure)), structure->cls);
}
static constexpr Function kCreateLocal = {"create_local", "", "A copy.", create_local};

nb::object attribute_of(Compilation &c, nb::handle value, std::string_view attribute) {
  if (auto *structure = as<Structure>(value)) {
    static PyObject *const jit = PyUnicode_InternFromString("__asc_jit__");
    if (attribute == kCreateLocal.name && nb::hasattr(structure->cls, "__asc_fields__"))
      return nb::cast(BoundMethod{nb::borrow(value), &kCreateLocal});
    // A method that is compiled takes the structure by reference.
    nb::str name(attribute.data(), attribute.size());
    PyObject *found = _PyType_Lookup(reinterpret_cast<PyTypeObject *>(structure->cls.ptr()), name.ptr());
    const auto is_compiled = [](nb::handle function) { return _PyType_Lookup(Py_TYPE(function.ptr()), jit) != nullptr; };
    if (found && is_compiled(found)) return nb::steal(PyMethod_New(found, value.ptr()));
    if (found && PyObject_TypeCheck(found, &PyProperty_Type))
      if (nb::object getter = nb::borrow(found).attr("fget"); is_compiled(getter))
        return call_while_compiling(getter, {Argument{nb::borrow(value), c.node}});
    if (found && (PyObject_TypeCheck(found, &PyStaticMethod_Type) || PyObject_TypeCheck(found, &PyClassMethod_Type)))
      if (nb::object function = structure->cls.attr(name); is_compiled(function) || nb::hasattr(function, "__asc_method__"))
        return function;
    return field_of(c, *structure, attribute);
  }
  const Class &type = *find_class(value.type());
  for (const Function &method : type.methods)
    if (method.name == attribute || is_spelling(method.ascendc, attribute)) return nb::cast(BoundMethod{nb::borrow(value), &method});
  if (auto *array = as<Array>(value)) {
    if (attribute == "dtype") return dtype_object(array->dtype);
    if (attribute == "length") return nb::int_(length_of(*array));
    throw c.error("L402", "an Array has no '" + std::string(attribute) + "'", "it has dtype and length, and elements: a[i]");
  }
  bool tensor = as<GlobalTensor>(value) || as<LocalTensor>(value);
  if (attribute == "dtype" && !as_object(value)) {
    if (auto *global = as<GlobalTensor>(value); global && !global->ir)
      throw c.error("T304", "the dtype of this GlobalTensor is not decided yet", "call set_global_buffer(address, size) on it first");
    return dtype_object(as_run_time(value)->dtype);
  }
  if (tensor && attribute == "shape") {
    auto *local = as<LocalTensor>(value);
    return local && local->shape ? local->shape : nb::object(nb::none());
  }
  std::vector<std::string_view> names;
  if (!as_object(value)) names.push_back("dtype");
  for (const Function &method : type.methods) names.push_back(method.name);
  std::string owner = as<PlainValue>(value) ? "a number" : std::string(type.name);
  const std::string near = nearest(attribute, names);
  std::vector<std::string> shown;
  for (const std::string_view name : names) shown.push_back(std::string(name) + (name == "dtype" ? "" : "()"));
  throw c.error("L402", owner + " has no '" + std::string(attribute) + "' in a kernel",
                near.empty() ? "it has " + join(shown, ", ") : "did you mean '" + near + "'?");
}

} // namespace asc
