// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overload resolution and conversion for API rows.
#include "frontend/api_call.h"
#include "dialect/constants.h"
#include "frontend/shape.h"

namespace asc {

static std::string default_text(const Arg &arg) {
  int64_t value = *arg.default_value;
  if (arg.kind == ArgKind::Flag || (arg.kind == ArgKind::Int && arg.dtypes.has(DType::Bool))) return value ? "True" : "False";
  if (arg.kind == ArgKind::Type) return std::string(name(DType(value)));
  if (arg.kind == ArgKind::Enum)
    for (const Member &member : find_enum(arg.type)->members)
      if (member.value == value) return std::string(arg.type) + "." + std::string(member.name);
  if (arg.kind == ArgKind::Struct) return std::string(arg.type) + "()";
  return std::to_string(value);
}

std::string signature_of(const Row &row, unsigned form) {
  std::vector<std::string> parameters;
  for (unsigned i : form_args(row, form)) {
    const Arg &arg = row.args[i];
    std::string parameter(arg.parameter());
    const bool is_list = !arg.list.empty() || arg.kind == ArgKind::Mask || arg.kind == ArgKind::List || arg.kind == ArgKind::Structs;
    const bool of_struct = arg.kind == ArgKind::Struct || arg.is_tensor();
    const std::string type(is_list ? "list" : of_struct ? arg.type : "");
    if (!type.empty()) parameter += ": " + type;
    if (arg.default_value) parameter += (type.empty() ? "=" : " = ") + default_text(arg);
    parameters.push_back(parameter);
  }
  return std::string(row.name) + "(" + join(parameters, ", ") + ")";
}

// ---------------------------------------------------------------- matching

/// What an argument must be, in words.
static std::string expected(const Arg &arg) {
  if (arg.is_tensor() && !arg.type.empty()) return "an instance of " + std::string(arg.type);
  switch (arg.kind) {
  case ArgKind::Local: return "a LocalTensor";
  case ArgKind::Global: return "a GlobalTensor";
  case ArgKind::Tensor: return "a LocalTensor or GlobalTensor";
  case ArgKind::Int:
  case ArgKind::Constant: return "an int";
  case ArgKind::Number: return "a number";
  case ArgKind::Mask: return "a list of two ints";
  case ArgKind::Struct: return "an instance of " + std::string(arg.type);
  case ArgKind::Shape: return "a ShapeInfo";
  case ArgKind::List: return "a list of " + std::to_string(arg.length) + " ints";
  case ArgKind::Structs: return "a list of 1 to " + std::to_string(arg.length) + " instances of " + std::string(arg.type);
  case ArgKind::Flag: return "True or False";
  case ArgKind::Enum: return "a member of " + std::string(arg.type);
  case ArgKind::Type: return "a dtype";
  }
  return {};
}

static bool is_number(nb::handle value) { return as<PlainValue>(value) || number_of(value); }

static bool is_int(nb::handle value) {
  if (auto *plain = as<PlainValue>(value)) return !info(plain->dtype).is_float;
  std::optional<Number> number = number_of(value);
  return number && number->kind != Number::Kind::Float;
}

static nb::object field_of(nb::handle structure, std::string_view name) {
  nb::object value = nb::steal(PyObject_GetAttr(structure.ptr(), nb::str(name.data(), name.size()).ptr()));
  if (!value) throw nb::python_error();
  return value;
}

/// Whether the value is the structure that has the tensor `first` and those that follow it in the form, and no others.
static bool has_tensors(const Row &row, unsigned form, unsigned first, nb::handle value) {
  const StructRow *type = struct_of(value);
  if (!type || type->name != row.args[first].type) return false;
  for (const Field &field : type->fields) {
    if (field.kind != FieldKind::Tensor) continue;
    bool wanted = false;
    for (unsigned i = first; i < row.args.size() && (i == first || row.args[i].follows); ++i)
      wanted |= row.args[i].name == field.name && layout(row, form).slot[i] != Layout::kAbsent;
    const nb::object tensor = field_of(value, field.name);
    if (wanted ? !as<LocalTensor>(tensor) : !tensor.is_none()) return false;
  }
  return true;
}

/// A Python list or tuple of so many ints.
static bool is_list_of_ints(nb::handle value, unsigned length) {
  if (!(PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) || PySequence_Fast_GET_SIZE(value.ptr()) != Py_ssize_t(length))
    return false;
  for (unsigned i = 0; i < length; ++i)
    if (!is_int(PySequence_Fast_GET_ITEM(value.ptr(), i))) return false;
  return true;
}

/// A Python list or tuple of such structures, not more than fit.
static bool is_list_of_structs(nb::handle value, const Arg &arg) {
  if (!(PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()))) return false;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(value.ptr());
  for (Py_ssize_t i = 0; i < size; ++i)
    if (const StructRow *row = struct_of(PySequence_Fast_GET_ITEM(value.ptr(), i)); !row || row->name != arg.type) return false;
  return size >= 1 && size <= arg.length;
}

/// The argument of which `index` is an element, or it itself.
static unsigned first_of_list(const Row &row, unsigned index) {
  while (index > 0 && !row.args[index].list.empty() && row.args[index - 1].list == row.args[index].list) --index;
  return index;
}

/// Why the value cannot be the list that begins with the argument `first`; empty when it can.
static std::string list_mismatch(const Row &row, unsigned first, nb::handle value) {
  const Arg &arg = row.args[first];
  Py_ssize_t length = 0;
  for (unsigned i = first; i < row.args.size() && row.args[i].list == arg.list; ++i) ++length;
  const bool is_list = PyList_Check(value.ptr()) || PyTuple_Check(value.ptr());
  std::string got;
  if (!is_list)
    got = describe(value);
  else if (PySequence_Fast_GET_SIZE(value.ptr()) != length)
    got = "a list of " + std::to_string(PySequence_Fast_GET_SIZE(value.ptr()));
  for (Py_ssize_t i = 0; got.empty() && i < length; ++i)
    if (nb::handle item = PySequence_Fast_GET_ITEM(value.ptr(), i); !as<LocalTensor>(item))
      got = "a list with " + describe(item) + " at " + std::to_string(i);
  if (got.empty()) return {};
  return "'" + std::string(arg.list) + "' is " + got + ", expected a list of " + std::to_string(length) + " LocalTensors";
}

/// Why the value cannot be the argument; empty when it can.
static std::string mismatch(const Arg &arg, nb::handle value) {
  bool fits = false;
  if (arg.is_tensor() && !arg.type.empty()) {
    const StructRow *row = struct_of(value);
    if (row && row->name == arg.type) return {};
    return "'" + std::string(arg.keyword()) + "' is " + describe(value) + ", expected " + expected(arg);
  }
  switch (arg.kind) {
  case ArgKind::Local: fits = as<LocalTensor>(value); break;
  case ArgKind::Global: fits = as<GlobalTensor>(value); break;
  case ArgKind::Tensor: fits = as<LocalTensor>(value) || as<GlobalTensor>(value); break;
  case ArgKind::Int: fits = is_int(value); break;
  case ArgKind::Number: fits = is_number(value); break;
  case ArgKind::Mask: fits = is_list_of_ints(value, 2); break;
  case ArgKind::Struct: {
    const StructRow *row = struct_of(value);
    fits = row && row->name == arg.type;
    break;
  }
  case ArgKind::Shape: fits = as<ShapeInfo>(value); break;
  case ArgKind::List: fits = is_list_of_ints(value, arg.length); break;
  case ArgKind::Structs: fits = is_list_of_structs(value, arg); break;
  case ArgKind::Flag: fits = PyBool_Check(value.ptr()); break;
  case ArgKind::Constant: {
    std::optional<Number> number = number_of(value);
    fits = number && asc::fits(*number, DType::Int64);
    break;
  }
  case ArgKind::Enum: {
    // A member of another enum is a mistake even when its number would do.
    if (!PyLong_Check(value.ptr()) || PyBool_Check(value.ptr())) break;
    if (!PyLong_CheckExact(value.ptr()) && std::string_view(Py_TYPE(value.ptr())->tp_name) != arg.type) break;
    std::optional<Number> number = number_of(value);
    for (const Member &member : find_enum(arg.type)->members) fits |= number->fits && number->integer == member.value;
    break;
  }
  case ArgKind::Type: fits = as_dtype(value).has_value(); break;
  }
  if (fits) return {};
  std::string why = "'" + std::string(arg.keyword()) + "' is " + describe(value) + ", expected " + expected(arg);
  if (arg.is_attribute() && as<PlainValue>(value)) why += " known while compiling";
  return why;
}

/// The arguments of a call in the places of one form's parameters (indices into row.args); null values where defaults apply.
struct Fit {
  std::array<const Argument *, kMaxArgs> at = {};
  std::string reason; // the first thing that rules the form out; empty when it fits
  PyObject *node = nullptr;
  int agreement = 0; // arguments in their places, less what is wrong: the form with most of it is the one that was meant
};

static Fit match(const Row &row, unsigned form, const Arguments &arguments) {
  Fit fit;
  auto refuse = [&](std::string reason, PyObject *node) {
    --fit.agreement;
    if (fit.reason.empty()) fit.reason = std::move(reason), fit.node = node;
  };
  const std::span<const unsigned> parameters = form_args(row, form);
  size_t next = 0;
  for (const Argument &argument : arguments) {
    const unsigned *found = nullptr;
    if (argument.keyword) {
      std::string_view keyword = text(argument.keyword);
      for (const unsigned &i : parameters)
        if (row.args[i].parameter() == keyword || row.args[i].alias == keyword) found = &i;
      if (!found) refuse("it has no parameter '" + std::string(keyword) + "'", argument.node);
      if (found && fit.at[*found]) refuse("'" + std::string(keyword) + "' is given twice", argument.node);
    } else {
      if (next < parameters.size()) found = &parameters[next++];
      if (!found) refuse("it takes " + std::to_string(next) + " positional arguments, got more", argument.node);
    }
    if (found) fit.at[*found] = &argument;
  }
  for (unsigned i : parameters) {
    const Arg &arg = row.args[i];
    if (!fit.at[i]) {
      if (!arg.default_value) refuse("'" + std::string(arg.parameter()) + "' is missing", nullptr);
      continue;
    }
    const Argument &argument = *fit.at[i];
    const std::optional<Number> number = number_of(argument.value);
    const bool fixed = layout(row, form).slot[i] == Layout::kAbsent;
    if (std::string why = arg.list.empty() ? mismatch(arg, argument.value) : list_mismatch(row, i, argument.value); !why.empty())
      refuse(std::move(why), argument.node);
    else if (arg.is_tensor() && !arg.type.empty() && !has_tensors(row, form, i, argument.value))
      refuse("this form takes another number of tensors in the " + std::string(arg.type), argument.node);
    else if (fixed && arg.kind == ArgKind::List)
      ++fit.agreement; // its values are of no interest
    else if (fixed && !arg.ignored && (!number || number->integer != *arg.default_value))
      refuse("'" + std::string(arg.keyword()) + "' can only be " + default_text(arg) + " in this form", argument.node);
    else
      ++fit.agreement;
  }
  return fit;
}

/// An argument as the source has it, and what it is: "tile: a LocalTensor of float32 in VECIN".
static std::string passed(const Argument &argument) {
  std::string source;
  if (argument.node && syntax_of(argument.node) != Syntax::Constant) source = unparsed(argument.node);
  constexpr size_t kLongest = 40;
  if (source.size() > kLongest || source.find('\n') != source.npos) source.clear();
  if (argument.keyword) source = std::string(text(argument.keyword)) + (source.empty() ? "" : "=" + source);
  return (source.empty() ? "" : source + ": ") + describe(argument.value);
}

/// The first keyword that no form has, with the parameter that it resembles.
static std::string misspelt_keyword(const Row &row, const Arguments &arguments) {
  std::vector<std::string_view> parameters;
  for (const Arg &arg : row.args) parameters.push_back(arg.parameter());
  for (const Argument &argument : arguments) {
    if (!argument.keyword) continue;
    const std::string_view keyword = text(argument.keyword);
    const auto same = [&](const Arg &arg) { return arg.parameter() == keyword || arg.alias == keyword; };
    if (std::any_of(row.args.begin(), row.args.end(), same)) continue;
    if (std::string near = nearest(keyword, parameters); !near.empty()) return "did you mean '" + near + "'?";
  }
  return {};
}

/// The API that takes a number where this one takes a tensor: adds for add.
static std::string scalar_sibling(const Row &row, const Fit &fit) {
  const std::string name = std::string(row.name) + "s";
  for (unsigned i = 0; i < row.args.size(); ++i)
    if (row.args[i].kind == ArgKind::Local && fit.at[i] && is_number(fit.at[i]->value) && find_row(name))
      return "asc." + name + " takes a tensor and a number";
  return {};
}

/// What to do where a GlobalTensor is passed to an API that works on LocalTensors only.
static std::string copy_first(const Row &row, const Arguments &arguments) {
  const auto takes_global = [](const Arg &arg) { return arg.kind == ArgKind::Global || arg.kind == ArgKind::Tensor; };
  const auto is_global = [](const Argument &argument) { return as<GlobalTensor>(argument.value) != nullptr; };
  if (std::any_of(row.args.begin(), row.args.end(), takes_global) || std::none_of(arguments.begin(), arguments.end(), is_global)) return {};
  return "it works on LocalTensors: asc.data_copy(local, global, count) copies into one before it, and asc.data_copy(global, local, count) "
         "its result back";
}

/// "form 2", "forms 1 and 3", "forms 1, 2 and 3".
static std::string forms_text(const std::vector<unsigned> &forms) {
  std::string words = forms.size() == 1 ? "form " : "forms ";
  for (size_t i = 0; i < forms.size(); ++i) words += (i == 0 ? "" : i + 1 == forms.size() ? " and " : ", ") + std::to_string(forms[i] + 1);
  return words;
}

/// The forms, what was passed, and why each form does not fit: once for the forms that have the same reason.
static DiagnosticError no_form(Compilation &c, const Row &row, const Arguments &arguments, std::vector<Fit> fits) {
  while (row.forms[fits.size() - 1].of_cube) fits.pop_back(); // nobody means these
  const std::string callee = std::string(row.name) + "()";
  std::string help = misspelt_keyword(row, arguments);
  if (help.empty()) help = copy_first(row, arguments);
  if (fits.size() == 1)
    return c.error("T401", callee + ": " + fits[0].reason, help.empty() ? "call it as " + signature_of(row, 0) : help, fits[0].node);
  std::string forms = "its forms are:", given = "passed are:";
  for (unsigned form = 0; form < fits.size(); ++form) forms += "\n  " + std::to_string(form + 1) + ". " + signature_of(row, form);
  for (const Argument &argument : arguments) given += "\n  " + passed(argument);
  std::vector<Note> notes = {{std::move(forms), {}}, {arguments.empty() ? "no arguments are passed" : std::move(given), {}}};
  std::vector<bool> told(fits.size());
  bool one_reason = false;
  for (unsigned form = 0; form < fits.size(); ++form) {
    if (told[form]) continue;
    std::vector<unsigned> same;
    for (unsigned other = form; other < fits.size(); ++other)
      if (fits[other].reason == fits[form].reason && fits[other].node == fits[form].node) same.push_back(other), told[other] = true;
    one_reason = same.size() == fits.size();
    const std::string which = one_reason ? "no form fits: " : forms_text(same) + (same.size() == 1 ? " does not fit: " : " do not fit: ");
    notes.push_back({which + fits[form].reason, c.span(fits[form].node)});
  }
  const auto meant = std::max_element(fits.begin(), fits.end(), [](const Fit &a, const Fit &b) { return a.agreement < b.agreement; });
  if (help.empty()) help = scalar_sibling(row, *meant);
  if (help.empty()) {
    help = "the nearest form is number " + std::to_string(meant - fits.begin() + 1);
    if (!one_reason) help += "; there " + meant->reason;
  }
  return c.error("T401", callee + ": no form fits the arguments", std::move(help), meant->node, std::move(notes));
}

// ---------------------------------------------------------------- emission

/// The call as it is built: SSA operands and attributes in row order, and ints as they were before they were narrowed.
struct Emission {
  Compilation &c;
  const Row &row;
  unsigned form;
  const Fit &fit;
  DType element = DType::Void; // of Numbers: that of the tensor in front of them, or of a call without tensors
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  struct Wide {
    unsigned slot;
    __int128 value;
    DType dtype;
    std::string name;
    PyObject *node;
  };
  std::vector<Wide> wide; // ints that do not fit the type of their slot

  /// An int for slot `slot`. One that does not fit is built with wrapped bits, so that a rule with its better words can complain first.
  void int_operand(nb::handle value, DType dtype, unsigned slot, const std::string &what, PyObject *node) {
    std::optional<Number> number = number_of(value);
    const bool bits = dtype == DType::UInt64 && number && fits(*number, DType::Int64); // as run-time values: -1 has them all
    if (number && !bits && !fits(*number, dtype)) {
      wide.push_back({slot,
                      number->fits          ? number->integer
                      : number->integer > 0 ? __int128(INT64_MAX)
                                            : __int128(INT64_MIN),
                      dtype, what, node});
      operands.push_back(int_constant(c, int64_t(number->integer), dtype));
      return;
    }
    operands.push_back(number && (bits || number->kind == Number::Kind::Bool) ? int_constant(c, int64_t(number->integer), dtype)
                                                                              : convert_argument(c, value, dtype, what));
  }

  /// The operands of a field of a structure, from slot `slot` on; returns how many there are.
  unsigned add_field(const Field &field, nb::handle value, unsigned slot, const std::string &what, PyObject *node) {
    switch (field.kind) {
    case FieldKind::Value: number_operand(value, field.dtype, slot, what, node); break;
    case FieldKind::Element: operands.push_back(convert_argument(c, value, element, what)); break;
    case FieldKind::List:
      if (!PyList_Check(value.ptr()) || PyList_GET_SIZE(value.ptr()) != Py_ssize_t(field.length))
        throw c.error("T103", what + " is " + describe(value) + ", expected a list of " + std::to_string(field.length) + " numbers",
                      "write [a, b, ...] with that many numbers");
      for (unsigned index = 0; index < field.slots(); ++index)
        number_operand(PyList_GET_ITEM(value.ptr(), index), field.dtype, slot + index, what + "[" + std::to_string(index) + "]", node);
      break;
    case FieldKind::Member: {
      const Arg arg = {.name = field.name, .kind = ArgKind::Enum, .type = field.type};
      if (!mismatch(arg, value).empty())
        throw c.error("T103", what + " is " + describe(value) + ", expected " + expected(arg),
                      "take a member of asc." + std::string(field.type));
      operands.push_back(int_constant(c, int64_t(number_of(value)->integer), field.dtype));
      break;
    }
    case FieldKind::Type:
      if (std::optional<DType> dtype = as_dtype(value); dtype != element)
        throw c.error("R102",
                      what + " is " + (dtype ? std::string(name(*dtype)) : describe(value)) + ", expected " + std::string(name(element)) +
                          " as the tensors",
                      "give the structure the element type of the tensors");
      break;
    case FieldKind::Tensor: break; // an argument of its own
    }
    return field.slots();
  }
  void number_operand(nb::handle value, DType dtype, unsigned slot, const std::string &what, PyObject *node) {
    if (info(dtype).is_float) {
      operands.push_back(convert_argument(c, value, dtype, what));
      return;
    }
    if (!is_int(value))
      throw c.error("T103", what + " is " + describe(value) + ", expected an int",
                    as<PlainValue>(value) || number_of(value) ? "convert it: int(x), or use // instead of /" : help_for(value));
    int_operand(value, dtype, slot, what, node);
  }

  /// The slices of an argument. Where those of the source have no shape_value, dimensions are those of the ShapeInfo of the tensor: the
  /// first list belongs to the first tensor, the second one to the second.
  nb::object with_extents(unsigned index, nb::handle slices) {
    std::vector<unsigned> lists, tensors;
    for (unsigned i = 0; i < row.args.size(); ++i)
      if (row.args[i].kind == ArgKind::Structs)
        lists.push_back(i);
      else if (row.args[i].is_tensor())
        tensors.push_back(i);
    const nb::object first = field_of(PySequence_Fast_GET_ITEM(fit.at[lists.back()]->value.ptr(), 0), "shape_value");
    const std::optional<Number> known = number_of(first);
    nb::handle tensor = fit.at[tensors[std::find(lists.begin(), lists.end(), index) - lists.begin()]]->value;
    const nb::object own = as<LocalTensor>(tensor) ? as<LocalTensor>(tensor)->shape_info : as<GlobalTensor>(tensor)->shape_info;
    if (!own || !known || known->integer != 0) return nb::borrow(slices);
    mlir::Value info = c.use(*as<ShapeInfo>(own));
    nb::list completed;
    for (Py_ssize_t d = 0; d < PySequence_Fast_GET_SIZE(slices.ptr()); ++d) {
      nb::handle slice = PySequence_Fast_GET_ITEM(slices.ptr(), d);
      nb::object copy = slice.type().attr("__new__")(slice.type());
      for (const Field &field : find_struct(row.args[index].type)->fields) {
        const nb::str name(field.name.data(), field.name.size());
        const bool extent = field.name == "shape_value" && d < Py_ssize_t(llvm::cast<ShapeInfoType>(info.getType()).getRank());
        nb::setattr(copy, name, extent ? dimension_of(c, info, unsigned(d)) : slice.attr(name));
      }
      completed.append(copy);
    }
    return completed;
  }

  void add(unsigned index) {
    const Arg &arg = row.args[index];
    unsigned first = first_of_list(row, index);
    while (row.args[first].follows) --first;
    const Argument *argument = fit.at[first];
    unsigned slot = layout(row, form).slot[index];
    PyObject *node = argument && argument->node ? argument->node : c.node;
    std::string what = "'" + std::string(arg.keyword()) + "' of " + std::string(row.name) + "()";
    At at(c, node);
    auto name = [&] { return c.ops.getStringAttr(llvm::StringRef(arg.name.data(), arg.name.size())); };
    switch (arg.kind) {
    case ArgKind::Local:
    case ArgKind::Global:
    case ArgKind::Tensor: {
      nb::object value = !arg.type.empty()   ? field_of(argument->value, arg.name)
                         : !arg.list.empty() ? nb::borrow(PySequence_Fast_GET_ITEM(argument->value.ptr(), index - first))
                                             : argument->value;
      const IRValue &tensor = *as_run_time(value);
      if (!tensor.ir)
        throw c.error("T301", what + " is a GlobalTensor without a buffer", "call set_global_buffer(address, size) on it first");
      operands.push_back(c.use(tensor));
      element = tensor.dtype;
      if (first == index && !arg.type.empty())
        for (const Field &field : find_struct(arg.type)->fields)
          if (field.kind == FieldKind::Type)
            add_field(field, field_of(argument->value, field.name), slot, std::string(arg.type) + "." + std::string(field.name), node);
      break;
    }
    case ArgKind::List:
      for (unsigned part = 0; part < arg.length; ++part)
        int_operand(PySequence_Fast_GET_ITEM(argument->value.ptr(), part), arg.dtypes.only(), slot + part, what, node);
      break;
    case ArgKind::Int: {
      nb::object value = argument ? argument->value : nb::object(nb::int_(*arg.default_value));
      int_operand(value, arg.dtypes.only(), slot, what, node);
      break;
    }
    case ArgKind::Number: {
      nb::object value = argument ? argument->value : nb::object(nb::int_(*arg.default_value));
      operands.push_back(convert_argument(c, value, arg.dtypes.bits ? arg.dtypes.only() : element, what));
      break;
    }
    case ArgKind::Mask:
      for (unsigned part = 0; part < slots_of(arg); ++part)
        int_operand(PySequence_Fast_GET_ITEM(argument->value.ptr(), part), DType::UInt64, slot + part, what, node);
      break;
    case ArgKind::Struct: {
      for (const Field &field : find_struct(arg.type)->fields) {
        nb::object value;
        if (argument) {
          value = field_of(argument->value, field.name);
        } else {
          value = nb::int_(*field.default_value);
        }
        slot += add_field(field, value, slot, std::string(arg.type) + "." + std::string(field.name), node);
      }
      break;
    }
    case ArgKind::Structs: {
      const StructRow &type = *find_struct(arg.type);
      const nb::object items = with_extents(index, argument->value);
      const unsigned size = unsigned(PySequence_Fast_GET_SIZE(items.ptr()));
      operands.push_back(int_constant(c, size, DType::UInt32));
      ++slot;
      for (unsigned item = 0; item < size; ++item)
        for (const Field &field : type.fields) {
          const std::string place = std::string(arg.keyword()) + "[" + std::to_string(item) + "]." + std::string(field.name);
          slot += add_field(field, field_of(PySequence_Fast_GET_ITEM(items.ptr(), item), field.name), slot, place, node);
        }
      for (unsigned item = size; item < arg.length; ++item)
        for (const Field &field : type.fields) operands.push_back(int_constant(c, 0, field.dtype));
      break;
    }
    case ArgKind::Shape: operands.push_back(c.use(*as_run_time(argument->value))); break;
    case ArgKind::Flag: {
      bool flag = argument ? argument->value.ptr() == Py_True : *arg.default_value != 0;
      attributes.push_back({name(), c.ops.getBoolAttr(flag)});
      break;
    }
    case ArgKind::Constant:
    case ArgKind::Enum: {
      int64_t value = argument ? int64_t(number_of(argument->value)->integer) : *arg.default_value;
      attributes.push_back({name(), c.ops.getI64IntegerAttr(value)});
      break;
    }
    case ArgKind::Type: {
      DType dtype = argument ? *as_dtype(argument->value) : DType(*arg.default_value);
      attributes.push_back({name(), mlir::TypeAttr::get(element_type(c.context, dtype))});
      break;
    }
    }
  }
};

/// Rows whose op is defined in ODS.
static void emit_structure(Emission &e, llvm::StringRef name) {
  Compilation &c = e.c;
  auto number = [&](unsigned i) { return uint32_t(llvm::cast<mlir::IntegerAttr>(e.attributes[i].getValue()).getInt()); };
  if (name == "set_flag")
    c.ops.create<SetFlagOp>(c.loc(), number(0), e.operands[0]);
  else if (name == "wait_flag")
    c.ops.create<WaitFlagOp>(c.loc(), number(0), e.operands[0]);
  else if (name == "pipe_barrier")
    c.ops.create<PipeBarrierOp>(c.loc(), number(0));
  else if (name == "data_sync_barrier")
    c.ops.create<DataSyncBarrierOp>(c.loc(), number(0));
  else if (name == "cross_core_set_flag")
    c.ops.create<CrossCoreSetFlagOp>(c.loc(), e.operands[0], number(0), number(1));
  else if (name == "cross_core_wait_flag")
    c.ops.create<CrossCoreWaitFlagOp>(c.loc(), e.operands[0], number(0), number(1));
  else if (name == "trap")
    c.ops.create<TrapOp>(c.loc());
  else
    throw InternalError("no op for the structural row " + name.str());
}

/// The call of a structural row for its rules: constants are known, all else is not.
static Call call_of(const Emission &e) {
  Call call;
  call.row = &e.row, call.lay = &layout(e.row, e.form), call.form = uint8_t(e.form);
  unsigned operand = 0, attribute = 0;
  for (unsigned i = 0; i < e.row.args.size(); ++i) {
    uint8_t slot = call.lay->slot[i];
    if (slot == Layout::kAbsent) continue;
    if (e.row.args[i].kind == ArgKind::Int) {
      const std::optional<int64_t> constant = constant_of(e.operands[operand++]);
      call.slots[slot] = {uint64_t(constant.value_or(0)), e.row.args[i].dtypes.only(), constant.has_value()};
    } else {
      call.slots[slot] = {uint64_t(llvm::cast<mlir::IntegerAttr>(e.attributes[attribute++].getValue()).getInt()), DType::Int64, true};
    }
  }
  return call;
}

/// The arguments of a call that ends in a ShapeInfo: that of the tensor where the call gives none, or None.
static Arguments with_shape(const Row &row, const Arguments &arguments) {
  const size_t shape = row.args.size() - 1;
  static PyObject *const keyword = PyUnicode_InternFromString("shape_info");
  Arguments all;
  nb::object own;
  bool given = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    const bool is_shape = argument.keyword ? text(argument.keyword) == text(keyword) : i == shape;
    if (is_shape && argument.value.is_none()) continue;
    given |= is_shape;
    if (auto *local = as<LocalTensor>(argument.value)) own = local->shape_info;
    if (auto *global = as<GlobalTensor>(argument.value)) own = global->shape_info;
    all.push_back(argument);
  }
  if (own && !given) all.push_back({own, nullptr, keyword});
  return all;
}

/// Whether an option of the kernel takes out what a call tells the host.
static bool is_left_out(const FrontendOptions &options, Tells tells) {
  return (tells == Tells::Dump && !options.dump) || (tells == Tells::TimeStamp && !options.time_stamps);
}

/// Row::aliases. Which tensor a name stands for is known while compiling.
static void make_alias(Compilation &c, nb::handle name, nb::handle tensor) {
  auto *alias = as<LocalTensor>(name);
  if (alias->ir.getParentRegion() != c.regions.back())
    throw c.error("L316", "this tensor was made outside of the branch or loop that makes it another name of a tensor",
                  "which tensor a name stands for is known while compiling: make it where it is used");
  const LocalTensor &other = *as<LocalTensor>(tensor);
  alias->ir = c.use(other), alias->position = other.position, alias->user_tag = other.user_tag;
}

nb::object call_api(Compilation &c, const Row &row, const Arguments &given) {
  if (!row.instead.empty())
    throw c.error("T402", std::string(row.name) + "(): the cores of Atlas A2 and A3 have no such instruction", std::string(row.instead));
  Arguments shaped;
  const bool takes_shape = !row.args.empty() && row.args.back().kind == ArgKind::Shape;
  if (takes_shape) shaped = with_shape(row, given);
  const Arguments &arguments = takes_shape ? shaped : given;
  std::vector<Fit> fits;
  fits.reserve(row.forms.size());
  for (unsigned form = 0; form < row.forms.size(); ++form) {
    fits.push_back(match(row, form, arguments));
    if (!fits.back().reason.empty()) continue;
    if (row.forms[form].of_cube)
      throw c.error("T403", std::string(row.name) + "(): this form belongs to the cube core, which is not supported yet",
                    "copy between global memory and VECIN, VECOUT or VECCALC");
    Emission e{c, row, form, fits.back()};
    for (unsigned i : form_args(row, form))
      if (const Argument *type = fits.back().at[i]; row.args[i].kind == ArgKind::Type)
        e.element = type ? *as_dtype(type->value) : DType(*row.args[i].default_value);
    for (unsigned i = 0; i < row.args.size(); ++i)
      if (layout(row, form).slot[i] != Layout::kAbsent) e.add(i);

    mlir::Operation *op = nullptr;
    Call call;
    if (row.structure.empty()) {
      op = ApiOp::create(c.ops, c.loc(), row, form, e.operands, e.attributes);
      call = ApiOp(op).call();
    } else {
      call = call_of(e);
    }
    for (const Emission::Wide &wide : e.wide) call.slots[wide.slot].bits = uint64_t(int64_t(wide.value));
    if (auto broken = first_violation(call)) {
      const auto &[rule, violation] = *broken;
      const Argument *argument = fits.back().at[first_of_list(row, violation.arg)];
      throw c.error(rule->code, std::string(row.name) + "(): " + violation.got + ", expected " + violation.expected, violation.help,
                    argument ? argument->node : nullptr);
    }
    if (!e.wide.empty()) {
      const Emission::Wide &wide = e.wide.front();
      throw c.error("T101", wide.name + " does not fit " + std::string(name(wide.dtype)), "use a smaller number", wide.node);
    }
    if (!row.structure.empty()) emit_structure(e, llvm::StringRef(row.structure.data(), row.structure.size()));
    if (is_left_out(c.options, row.tells)) op->erase();
    if (row.aliases) make_alias(c, fits.back().at[0]->value, fits.back().at[1]->value);
    if (!row.results(form)) return nb::none();
    if (row.results(form) == 1) return c.make_scalar(op->getResult(0), ApiOp(op).result_type());
    nb::list results;
    for (mlir::Value result : op->getResults()) results.append(c.make_scalar(result, ApiOp(op).result_type()));
    return nb::tuple(results);
  }
  throw no_form(c, row, arguments, std::move(fits));
}

} // namespace asc
