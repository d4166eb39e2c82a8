// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python classes of the values in kernels, the element types, the API functions and the functions of the language.
#include "frontend/api_call.h"
#include "frontend/arithmetic.h"
#include "frontend/loop_classes.h"
#include "frontend/matmul.h"
#include "frontend/printing.h"

#include <algorithm>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace asc {

// ---------------------------------------------------------------- DataType

static DataType parse_dtype(std::string_view wanted) {
  static constexpr std::pair<std::string_view, DType> kAliases[] = {
      {"half", DType::Float16}, {"float", DType::Float32}, {"double", DType::Float64}, {"int", DType::Int32}, {"int1", DType::Bool}};
  for (unsigned i = 0; i < kDTypes; ++i)
    if (name(DType(i)) == wanted) return {DType(i)};
  for (auto [alias, dtype] : kAliases)
    if (alias == wanted) return {dtype};
  std::string all;
  for (unsigned i = 0; i < kDTypes; ++i) all += (i ? ", " : "") + std::string(name(DType(i)));
  throw nb::value_error(("no dtype '" + std::string(wanted) + "'; there are " + all).c_str());
}

static void bind_data_type(nb::module_ &m) {
  auto type = nb::class_<DataType>(m, "DataType", nb::is_final(), "An element type, equal by name.");
  auto kind = [](const DataType &t) {
    DTypeInfo i = info(t.dtype);
    if (t.dtype == DType::Void || t.dtype == DType::Bool) return "";
    return i.is_float ? "float" : i.is_signed ? "int" : "uint";
  };
  auto is = [kind](const DataType &t, std::string_view a, std::string_view b = "-") { return kind(t) == a || kind(t) == b; };
  type.def(
          "__init__", [](DataType *self, std::string_view name) { new (self) DataType(parse_dtype(name)); }, "name"_a)
      .def_prop_ro(
          "name", [](const DataType &t) { return name(t.dtype); }, "its name, such as \"float16\"")
      .def_prop_ro("kind", kind, "\"int\", \"uint\", \"float\", or \"\" for bool and void")
      .def_prop_ro(
          "bitwidth",
          [](const DataType &t) -> std::optional<unsigned> {
            if (t.dtype == DType::Void) return std::nullopt;
            return t.dtype == DType::Bool ? 1 : 8 * size_of(t.dtype);
          },
          "number of bits; None for void")
      .def(
          "is_int", [is](const DataType &t) { return is(t, "int", "uint"); }, "signed or unsigned integer")
      .def(
          "is_float", [is](const DataType &t) { return is(t, "float"); }, "floating point")
      .def(
          "is_numeric", [kind](const DataType &t) { return *kind(t) != '\0'; }, "integer or floating point")
      .def(
          "is_signed", [is](const DataType &t) { return is(t, "int"); }, "signed integer")
      .def(
          "is_unsigned", [is](const DataType &t) { return is(t, "uint"); }, "unsigned integer")
      .def("is_void", [](const DataType &t) { return t.dtype == DType::Void; })
      .def(
          "sizeof",
          [](const DataType &t) {
            if (t.dtype == DType::Void) throw nb::value_error("void has no size");
            return size_of(t.dtype);
          },
          "size in bytes")
      .def(
          "__eq__",
          [](const DataType &a, nb::handle b) {
            auto *other = as<DataType>(b);
            return other && other->dtype == a.dtype;
          },
          "other"_a.none())
      .def(
          "__ne__",
          [](const DataType &a, nb::handle b) {
            auto *other = as<DataType>(b);
            return !other || other->dtype != a.dtype;
          },
          "other"_a.none())
      .def("__hash__", [](const DataType &t) { return nb::hash(nb::str(name(t.dtype).data())); })
      .def("__str__", [](const DataType &t) { return name(t.dtype); })
      .def("__repr__", [](const DataType &t) { return "asc." + std::string(name(t.dtype)); })
      .def("__reduce__", [](const DataType &t) { return nb::make_tuple(nb::type<DataType>(), nb::make_tuple(name(t.dtype))); });
  nb::list all;
  for (unsigned i = 0; i < kDTypes; ++i) all.append(dtype_object(DType(i)));
  m.attr("dtypes") = nb::tuple(all);
}

// ---------------------------------------------------------------- run-time values

template <Syntax kOp> static nb::object operate(nb::handle a, nb::handle b) { return binary(Compilation::current(), kOp, a, b); }
template <Syntax kOp> static nb::object operate_reversed(nb::handle b, nb::handle a) { return binary(Compilation::current(), kOp, a, b); }
template <Syntax kOp> static nb::object order(nb::handle a, nb::handle b) { return compare(Compilation::current(), kOp, a, b); }
template <Syntax kOp> static nb::object operate_alone(nb::handle a) { return unary(Compilation::current(), kOp, a); }

template <Syntax kOp> static void bind_operator(nb::class_<PlainValue, IRValue> &type, const char *name, const char *reversed) {
  type.def(name, &operate<kOp>, nb::arg().none()).def(reversed, &operate_reversed<kOp>, nb::arg().none());
}

/// Python code that is evaluated while compiling must not decide anything by a value that exists on the device only.
[[noreturn]] static void not_known(nb::handle self, const char *what) {
  throw Compilation::current().error("T109", std::string(what) + " of " + describe(self) + " is not known while compiling",
                                     "use it in statements and expressions of the kernel, or pass it as an asc.ConstExpr parameter");
}

template <class T> static std::string representation(nb::handle self) { return "<" + describe(self) + ">"; }

template <class T> static void refuse_construction(T *, nb::args, nb::kwargs) {
  throw Compilation::current().error("L108", "the class of a run-time value cannot be called",
                                     "asc.number(value, dtype) makes a run-time number, x.cast(dtype) converts one");
}

static void bind_methods(nb::handle type) {
  for (const Function &method : find_class(type)->methods)
    type.attr(nb::str(method.name.data(), method.name.size())) = nb::cast(&method, nb::rv_policy::reference);
}

static const Class &class_called(std::string_view name) {
  return *std::find_if(classes().begin(), classes().end(), [&](const Class &c) { return c.name == name; });
}
static const char *constructor_doc(std::string_view name) { return class_called(name).constructor->doc.data(); }

/// A class that kernels call; on the host there is nothing to make.
template <class T, class Base> static nb::class_<T, Base> bind_class(nb::module_ &m, const char *name, bool is_base = false) {
  auto type =
      is_base ? nb::class_<T, Base>(m, name, constructor_doc(name)) : nb::class_<T, Base>(m, name, nb::is_final(), constructor_doc(name));
  type.def("__init__", &refuse_construction<T>).def("__repr__", &representation<T>);
  return type;
}

static void bind_run_time_values(nb::module_ &m) {
  nb::class_<IRValue>(m, "IRValue", "A value that exists on the device: what kernels compute with.")
      .def_prop_ro("dtype", [](const IRValue &v) { return dtype_object(v.dtype); }, "element type");

  auto plain = nb::class_<PlainValue, IRValue>(m, "PlainValue", nb::is_final(), "A number on the device.");
  plain.def("__init__", &refuse_construction<PlainValue>).def("__repr__", &representation<PlainValue>);
  bind_operator<Syntax::Add>(plain, "__add__", "__radd__");
  bind_operator<Syntax::Sub>(plain, "__sub__", "__rsub__");
  bind_operator<Syntax::Mult>(plain, "__mul__", "__rmul__");
  bind_operator<Syntax::Div>(plain, "__truediv__", "__rtruediv__");
  bind_operator<Syntax::FloorDiv>(plain, "__floordiv__", "__rfloordiv__");
  bind_operator<Syntax::Mod>(plain, "__mod__", "__rmod__");
  bind_operator<Syntax::LShift>(plain, "__lshift__", "__rlshift__");
  bind_operator<Syntax::RShift>(plain, "__rshift__", "__rrshift__");
  bind_operator<Syntax::BitAnd>(plain, "__and__", "__rand__");
  bind_operator<Syntax::BitOr>(plain, "__or__", "__ror__");
  bind_operator<Syntax::BitXor>(plain, "__xor__", "__rxor__");
  plain.def("__eq__", &order<Syntax::Eq>, nb::arg().none())
      .def("__ne__", &order<Syntax::NotEq>, nb::arg().none())
      .def("__lt__", &order<Syntax::Lt>, nb::arg().none())
      .def("__le__", &order<Syntax::LtE>, nb::arg().none())
      .def("__gt__", &order<Syntax::Gt>, nb::arg().none())
      .def("__ge__", &order<Syntax::GtE>, nb::arg().none())
      .def("__neg__", &operate_alone<Syntax::USub>)
      .def("__pos__", &operate_alone<Syntax::UAdd>)
      .def("__invert__", &operate_alone<Syntax::Invert>)
      .def("__bool__", [](nb::handle self) -> bool { not_known(self, "the truth"); })
      .def("__int__", [](nb::handle self) -> int { not_known(self, "the number"); })
      .def("__index__", [](nb::handle self) -> int { not_known(self, "the number"); })
      .def("__float__", [](nb::handle self) -> double { not_known(self, "the number"); })
      .def("__hash__", [](nb::handle self) -> int { not_known(self, "the hash"); });
  bind_methods(plain);

  auto address = nb::class_<GlobalAddress, IRValue>(m, "GlobalAddress", nb::is_final(),
                                                    "A pointer into global memory: an array parameter of a kernel.");
  address.def("__init__", &refuse_construction<GlobalAddress>).def("__repr__", &representation<GlobalAddress>);
  address.def("__add__", &operate<Syntax::Add>, "offset"_a.none());

  bind_methods(bind_class<GlobalTensor, IRValue>(m, "GlobalTensor"));
  bind_methods(bind_class<LocalTensor, IRValue>(m, "LocalTensor", /*is_base=*/true));
  bind_class<LocalTensorAuto, LocalTensor>(m, "LocalTensorAuto");

  nb::class_<FrameworkObject, IRValue>(m, "FrameworkObject", "What owns and hands out on-chip memory.");
  bind_methods(bind_class<TPipe, FrameworkObject>(m, "TPipe"));
  bind_methods(bind_class<TQueBind, FrameworkObject>(m, "TQueBind", /*is_base=*/true));
  bind_class<TQue, TQueBind>(m, "TQue");
  bind_methods(bind_class<TBuf, TQueBind>(m, "TBuf"));
  bind_methods(bind_class<TBufPool, FrameworkObject>(m, "TBufPool"));
  bind_methods(bind_class<LocalMemAllocator, FrameworkObject>(m, "LocalMemAllocator"));
  bind_class<Array, IRValue>(m, "Array");
  nb::class_<Structure, IRValue>(m, "Structure", nb::is_final(), "An instance of a structure class in a kernel.")
      .def("__init__", &refuse_construction<Structure>)
      .def("__repr__", &representation<Structure>);
  bind_methods(bind_class<ShapeInfo, IRValue>(m, "ShapeInfo"));
  bind_methods(bind_class<Matmul, FrameworkObject>(m, "Matmul"));
  bind_methods(bind_class<ListTensorDesc, FrameworkObject>(m, "ListTensorDesc"));
  bind_methods(bind_class<TensorDesc, FrameworkObject>(m, "TensorDesc"));
  nb::class_<TBufHandle, FrameworkObject>(m, "TBufHandle", nb::is_final(), "A buffer of a custom pool in Ascend C; kernels have none.")
      .def("__init__", &refuse_construction<TBufHandle>);
}

// ---------------------------------------------------------------- functions

static std::string documentation(const Row &row) {
  std::string text(row.doc);
  text += "\n\n";
  for (unsigned form = 0; form < row.forms.size(); ++form) text += signature_of(row, form) + "\n";
  if (!row.args.empty()) text += "\n";
  for (const Arg &arg : row.args) {
    const std::string line = "\n" + std::string(arg.keyword()) + ": " + std::string(arg.doc);
    if (text.find(line + "\n") == text.npos) text += line.substr(1) + "\n"; // forms may share the words about an argument
  }
  return text;
}

/// On the host: ceildiv and static_assert work there too, all others are for kernels only.
static nb::object call_on_host(const Function &function, nb::args args, nb::kwargs kwargs) {
  auto argument = [&](size_t i, const char *keyword) -> nb::object {
    if (i < args.size()) return args[i];
    return kwargs.contains(keyword) ? nb::object(kwargs[keyword]) : nb::object();
  };
  if (function.name == "ceildiv") {
    nb::object x = argument(0, "x"), y = argument(1, "y");
    if (args.size() + kwargs.size() != 2 || !x || !y) throw nb::type_error("ceildiv() takes two ints, x and y");
    return -((-x).floor_div(y));
  }
  if (function.name == "static_assert") {
    nb::object test = argument(0, "test"), message = argument(1, "message");
    if (!test) throw nb::type_error("static_assert() takes a condition and a message");
    if (nb::cast<bool>(nb::bool_(test))) return nb::none();
    nb::object shown = message && !message.is_none() ? message : nb::object(nb::str("assertion failed"));
    PyErr_SetObject(PyExc_AssertionError, shown.ptr());
    throw nb::python_error();
  }
  Compilation::current(); // throws on the host
  throw nb::type_error((std::string(function.name) + " cannot be called by Python code that runs while a kernel is compiled").c_str());
}

static std::string name_of(const Api &api) { return std::string(api.row->name); }
static std::string name_of(const Function &function) { return std::string(function.name); }
static std::string text_signature(const Api &api) {
  std::string first = signature_of(*api.row, 0);
  return first.substr(first.find('('));
}
static std::string text_signature(const Function &function) { return "(" + std::string(function.signature) + ")"; }

/// An inspect.Signature from its text; a default that is no literal becomes an ellipsis.
static nb::object signature_from(std::string_view text) {
  nb::module_ inspect = nb::module_::import_("inspect");
  nb::object parameter = inspect.attr("Parameter"), literal = nb::module_::import_("ast").attr("literal_eval");
  nb::list parameters;
  for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
    const std::string_view piece = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(piece.size() + 2, rest.size()));
    const bool open = piece.starts_with("*");
    const std::string_view name = piece.substr(open, piece.find_first_of(":=|") - open);
    nb::object value = parameter.attr("empty");
    if (const size_t equals = piece.find('='); equals != piece.npos) try {
        value = literal(nb::str(piece.data() + equals + 1, piece.size() - equals - 1));
      } catch (nb::python_error &) {
        value = nb::ellipsis();
      }
    nb::object kind = parameter.attr(open ? "VAR_POSITIONAL" : "POSITIONAL_OR_KEYWORD");
    parameters.append(parameter(nb::str(name.data(), name.size()), kind, nb::arg("default") = value));
  }
  return inspect.attr("Signature")(parameters);
}

template <class T> static PyObject *get_signature(PyObject *self, void *) {
  try {
    return signature_from(text_signature(*nb::inst_ptr<T>(self))).release().ptr();
  } catch (nb::python_error &error) {
    error.restore();
    return nullptr;
  }
}

/// `__name__`, `__text_signature__` and `__signature__` of the objects of a class. Set in the usual way they would be taken for those of
/// the class itself.
template <class T, std::string (*text)(const T &)> static PyObject *get_text(PyObject *self, void *) {
  return nb::str(text(*nb::inst_ptr<T>(self)).c_str()).release().ptr();
}
template <class T> static PyType_Slot *text_slots() {
  static PyGetSetDef members[] = {{"__name__", get_text<T, name_of>, nullptr, nullptr, nullptr},
                                  {"__text_signature__", get_text<T, text_signature>, nullptr, nullptr, nullptr},
                                  {"__signature__", get_signature<T>, nullptr, nullptr, nullptr},
                                  {}};
  static PyType_Slot slots[] = {{Py_tp_getset, members}, {0, nullptr}};
  return slots;
}

static Arguments arguments_of(nb::handle positional, nb::handle keywords) {
  Arguments arguments;
  for (nb::handle value : positional) arguments.push_back({nb::borrow(value)});
  for (auto [key, value] : nb::borrow<nb::dict>(keywords)) arguments.push_back({nb::borrow(value), nullptr, key.ptr()});
  return arguments;
}

static void bind_functions(nb::module_ &m) {
  nb::class_<Api>(m, "Api", nb::is_final(), nb::type_slots(text_slots<Api>()), "A function of Ascend C, to be called in kernels.")
      .def_prop_ro("__doc__", [](const Api &api) { return documentation(*api.row); })
      .def_prop_ro(
          "signatures",
          [](const Api &api) {
            nb::list list;
            for (unsigned form = 0; form < api.row->forms.size(); ++form) list.append(signature_of(*api.row, form));
            return nb::tuple(list);
          },
          "one Python signature per documented form")
      .def("__call__",
           [](const Api &api, nb::args, nb::kwargs) {
             Compilation::current();
             throw nb::type_error(
                 ("asc." + std::string(api.row->name) + " cannot be called by Python code that runs while a kernel is compiled").c_str());
           })
      .def("__repr__", [](const Api &api) { return "<asc." + std::string(api.row->name) + ">"; });
  m.def(
      "apis",
      [] {
        nb::dict all;
        for (const Row *row : rows())
          if (row->receiver.empty()) all[nb::str(row->name.data(), row->name.size())] = nb::cast(Api{row});
        return all;
      },
      "the functions made from the rows, by name");

  nb::class_<Function>(m, "Function", nb::is_final(), nb::type_slots(text_slots<Function>()),
                       "A method or function of the kernel language.")
      .def_prop_ro("__doc__", [](const Function &f) { return f.doc; })
      .def("__call__", &call_on_host)
      .def("__repr__", [](const Function &f) { return "<kernel function " + std::string(f.name) + ">"; });
  nb::class_<BoundMethod>(m, "BoundMethod", nb::is_final())
      .def("__call__", [](const BoundMethod &method, nb::args positional, nb::kwargs keywords) {
        Compilation &c = Compilation::current();
        std::vector<Argument> bound =
            bind_arguments(c, method.function->name, method.function->signature, arguments_of(positional, keywords));
        return method.function->call(c, method.self, bound);
      });
  nb::class_<Closure>(m, "Closure", nb::is_final())
      .def("__call__", [](const Closure &closure, nb::args positional,
                          nb::kwargs keywords) { return closure.call(arguments_of(positional, keywords)); })
      .def("__repr__", &representation<Closure>);
  m.def("is_compiling", [] { return Compilation::running() != nullptr; }, "Whether this thread compiles a kernel just now.");
  m.def(
      "call_while_compiling",
      [](nb::handle function, nb::handle positional, nb::handle keywords) {
        return call_while_compiling(function, arguments_of(positional, keywords));
      },
      "Translates a call of a function made with @asc.jit into the kernel that is being compiled.");
  nb::class_<Range>(m, "range", nb::is_final(), constructor_doc("range")).def("__init__", &refuse_construction<Range>);
  nb::class_<StaticRange>(m, "static_range", nb::is_final(), constructor_doc("static_range"))
      .def("__init__", &refuse_construction<StaticRange>);
  nb::class_<LoopRange>(m, "LoopRange", nb::is_final()).def("__iter__", [](const LoopRange &) -> nb::object {
    throw nb::type_error("a range with run-time bounds can only be the iterable of a for statement");
  });
  nb::class_<MatmulLoop>(m, "MatmulLoop", nb::is_final(), "mm.iterate(): a loop over the blocks of a Matmul.")
      .def("__bool__", [](const MatmulLoop &) -> bool {
        throw Compilation::current().error("L317", "iterate() is a loop and has no truth", "write with mm.iterate() as i:");
      });
  nb::class_<UntypedTensor>(m, "UntypedTensor", nb::is_final(), "A LocalTensor without a dtype.");
  nb::class_<RunTimeText>(m, "RunTimeText", nb::is_final(), "An f-string with run-time values.").def("__repr__", &RunTimeText::shown);
  for (const Function &function : intrinsics())
    m.attr(nb::str(function.name.data(), function.name.size())) = nb::cast(&function, nb::rv_policy::reference);
}

void bind_values(nb::module_ &m) {
  nb::set_leak_warnings(false); // the objects of the dtypes live as long as the process
  bind_data_type(m);
  bind_functions(m);
  bind_run_time_values(m);
}

} // namespace asc
