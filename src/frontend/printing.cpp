// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/printing.h"
#include "frontend/structures.h"

#include <algorithm>

namespace asc {

static const RunTimeText *as_text(nb::handle value) {
  return nb::isinstance<RunTimeText>(value) ? nb::inst_ptr<RunTimeText>(value) : nullptr;
}

std::string_view printable(const Compilation &c, nb::handle string) {
  std::string_view utf8 = text(string);
  if (utf8.empty() && PyUnicode_GetLength(string.ptr()) > 0) throw c.error("T501", "the text has characters that UTF-8 cannot encode");
  if (utf8.find('\0') != utf8.npos) throw c.error("T501", "the text contains a NUL character, which ends a text on the device");
  return utf8;
}

static std::string spelled(const FormatPiece &piece) { return "'%" + piece.text + piece.conversion + "'"; }
static std::string plural(size_t n, std::string_view what) { return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s"); }

// ---------------------------------------------------------------- f-strings

std::string RunTimeText::shown() const {
  std::string text;
  for (const Piece &piece : pieces) text += piece.value ? "<" + describe(piece.value) + ">" : piece.format.text;
  return text;
}

/// A format spec of Python, as far as printf can do the same.
static FormatPiece conversion_of(Compilation &c, std::string_view spec, DType dtype, bool address) {
  FormatPiece piece{"", address ? 'p' : usual_conversion(dtype)};
  const auto refuse = [&](std::string help) {
    return c.error("T501", "the format '" + std::string(spec) + "' is not there for " + std::string(name(dtype)) + " values of the run",
                   std::move(help));
  };
  size_t i = 0;
  const auto accept = [&](char letter) { return i < spec.size() && spec[i] == letter && ++i; };
  if (accept('<'))
    piece.text += '-';
  else
    accept('>');
  for (char flag : {'+', ' ', '#', '0'})
    if (accept(flag)) piece.text += flag;
  const size_t digits = std::min(spec.size(), spec.find_first_not_of("0123456789.", i));
  const bool precise = spec.substr(i, digits - i).find('.') != spec.npos;
  piece.text += spec.substr(i, digits - i);
  if (digits < spec.size()) piece.conversion = spec[digits];
  const bool whole = digits + 1 >= spec.size();
  if (!whole || !takes(piece.conversion, address ? DType::UInt64 : dtype) ||
      !parse_format("%" + piece.text + piece.conversion).error.empty())
    throw refuse(info(dtype).is_float ? "write a width, a precision and f, such as {x:8.3f}"
                                      : "write a width and d, u or x, such as {i:5d}");
  if (precise && digits == spec.size()) throw refuse("write " + std::string(spec) + "f for digits after the point");
  return piece;
}

nb::object formatted_value(Compilation &c, nb::handle value, nb::handle spec) {
  const bool address = as<GlobalAddress>(value);
  FormatPiece piece = conversion_of(c, text(spec), as_run_time(value)->dtype, address);
  return nb::cast(RunTimeText{{{std::move(piece), nb::borrow(value)}}});
}

nb::object joined_text(Compilation &c, const nb::list &parts) {
  RunTimeText joined;
  for (nb::handle part : parts) {
    if (const RunTimeText *inner = as_text(part))
      joined.pieces.insert(joined.pieces.end(), inner->pieces.begin(), inner->pieces.end());
    else
      joined.pieces.push_back({{std::string(printable(c, part))}});
  }
  return nb::cast(std::move(joined));
}

/// Adds a value as str() shows it, or, at greater depth, as repr() does.
static void add_shown(Compilation &c, RunTimeText &shown, nb::handle value, PyObject *node, unsigned depth) {
  static constexpr unsigned kDeepest = 20;
  PyObject *p = value.ptr();
  const auto add_text = [&](std::string_view text) { shown.pieces.push_back({{std::string(text)}}); };
  const auto add = [&](nb::handle part) { add_shown(c, shown, part, node, depth + 1); };
  if (const RunTimeText *text = as_text(value)) {
    if (depth > 0) add_text("'");
    shown.pieces.insert(shown.pieces.end(), text->pieces.begin(), text->pieces.end());
    if (depth > 0) add_text("'");
    return;
  }
  if (as<PlainValue>(value) || as<GlobalAddress>(value)) {
    const RunTimeText number = *as_text(formatted_value(c, value, nb::str("")));
    shown.pieces.insert(shown.pieces.end(), number.pieces.begin(), number.pieces.end());
    return;
  }
  if (auto *array = as<Array>(value)) return add_shown(c, shown, elements_of(c, *array), node, depth);
  if (auto *structure = as<Structure>(value)) {
    add_text(text(structure->cls.attr("__name__")));
    std::string_view separator = "(";
    for (const auto &[name, part] : fields_of(c, *structure)) {
      add_text(separator), add_text(name), add_text("=");
      add(part);
      separator = ", ";
    }
    return add_text(")");
  }
  if (as_run_time(value))
    throw c.error("T502", describe(value) + " cannot be printed",
                  as_object(value) ? "print what its methods answer" : "print its elements: t.get_value(i)", node);
  if (depth < kDeepest && (PyTuple_CheckExact(p) || PyList_CheckExact(p))) {
    const bool is_tuple = PyTuple_CheckExact(p);
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(p);
    add_text(is_tuple ? "(" : "[");
    for (Py_ssize_t i = 0; i < size; ++i) {
      if (i > 0) add_text(", ");
      add(PySequence_Fast_GET_ITEM(p, i));
    }
    return add_text(is_tuple ? (size == 1 ? ",)" : ")") : "]");
  }
  if (depth < kDeepest && PyDict_CheckExact(p)) {
    std::string_view separator = "{";
    for (auto [key, part] : nb::borrow<nb::dict>(value)) {
      add_text(separator);
      add(key), add_text(": "), add(part);
      separator = ", ";
    }
    return add_text(separator == "{" ? "{}" : "}");
  }
  nb::object text = nb::steal(depth > 0 ? PyObject_Repr(p) : PyObject_Str(p));
  if (!text.is_valid()) throw nb::python_error();
  add_text(printable(c, text));
}

nb::object shown_value(Compilation &c, nb::handle value, PyObject *node) {
  RunTimeText shown;
  add_shown(c, shown, value, node, 0);
  return nb::cast(std::move(shown));
}

// ---------------------------------------------------------------- putting a format together

void PrintedText::add_text(std::string_view text) { format_ += escape_format(text); }
void PrintedText::add_text(nb::handle string) { add_text(printable(c, string)); }

void PrintedText::add_value(const FormatPiece &piece, mlir::Value value, DType dtype) {
  format_ += "%" + piece.text + piece.conversion;
  values_.push_back(value);
  dtypes_.push_back(int32_t(dtype));
}

void PrintedText::add_pieces(const RunTimeText &text, PyObject *node) {
  At at(c, node);
  for (const RunTimeText::Piece &piece : text.pieces) {
    if (!piece.value) {
      add_text(piece.format.text);
      continue;
    }
    const IRValue &value = *as_run_time(piece.value);
    add_value(piece.format, c.use(value), as<GlobalAddress>(piece.value) ? DType::UInt64 : value.dtype);
  }
}

void PrintedText::add(nb::handle value, PyObject *node) {
  RunTimeText shown;
  add_shown(c, shown, value, node, 0);
  add_pieces(shown, node);
}

void PrintedText::add_conversion(const FormatPiece &piece, const Argument &argument) {
  const nb::handle value = argument.value;
  const auto refuse = [&](std::string help) {
    return c.error("T502", "printf(): " + spelled(piece) + " does not take " + describe(value), std::move(help), argument.node);
  };
  if (piece.conversion == 's') {
    if (const RunTimeText *text = as_text(value); text && piece.text.empty()) return add_pieces(*text, argument.node);
    auto *plain = as<PlainValue>(value);
    if (plain) throw refuse(std::string("write %") + usual_conversion(plain->dtype));
    if (!PyUnicode_Check(value.ptr())) throw refuse("%s takes a str; write %d for an int, %f for a float");
    nb::str format(("%" + piece.text + "s").c_str());
    nb::object shown = nb::steal(PyNumber_Remainder(format.ptr(), nb::make_tuple(value).ptr()));
    if (!shown.is_valid()) throw nb::python_error();
    return add_text(shown);
  }
  At at(c, argument.node);
  if (auto *address = as<GlobalAddress>(value)) {
    if (piece.conversion != 'p') throw refuse("write %p for an address");
    return add_value(piece, c.use(*address), DType::UInt64);
  }
  std::optional<Number> number = number_of(value);
  auto *plain = as<PlainValue>(value);
  if (!plain && !number) throw refuse(PyUnicode_Check(value.ptr()) || as_text(value) ? "write %s for a str" : "print numbers and texts");
  const DType dtype = plain ? plain->dtype : default_dtype(c, *number);
  if (!takes(piece.conversion, dtype))
    throw refuse(dtype == DType::Float64   ? "print x.cast(asc.float32)"
                 : piece.conversion == 'p' ? "%p is for addresses; write %x"
                                           : std::string("write %") + usual_conversion(dtype) + ", or convert the value");
  add_value(piece, plain ? c.use(*plain) : constant(c, *number, dtype), dtype);
}

void PrintedText::add_named(std::string_view name, nb::handle value) {
  auto *plain = as<PlainValue>(value);
  std::optional<Number> number = number_of(value);
  if (!plain && !(number && number->fits)) return;
  const DType dtype = plain ? plain->dtype : default_dtype(c, *number);
  values_.push_back(plain ? c.use(*plain) : constant(c, *number, dtype));
  dtypes_.push_back(int32_t(dtype));
  names_.push_back(c.ops.getStringAttr(llvm::StringRef(name)));
}

void PrintedText::check_length() const {
  if (format_.size() > kMostPrinted)
    throw c.error("T501",
                  "the text has " + std::to_string(format_.size()) + " bytes; a call prints at most " + std::to_string(kMostPrinted),
                  "print it in parts");
}

void PrintedText::create_printf() {
  check_length();
  if (!format_.empty() && c.options.dump) c.ops.create<PrintfOp>(c.loc(), format_, dtypes_, values_);
}

void PrintedText::create_assert(mlir::Value condition, std::string_view test) {
  check_length();
  c.ops.create<AssertOp>(c.loc(), condition, llvm::StringRef(test), format_, dtypes_, c.ops.getArrayAttr(names_), values_);
}

// ---------------------------------------------------------------- printf and print

nb::object printf_function(Compilation &c, nb::handle, Bound arguments) {
  // An f-string may be a format too: its text has conversions, its values bring their own.
  RunTimeText desc;
  if (PyUnicode_Check(arguments[0].value.ptr()))
    desc.pieces.push_back({{std::string(printable(c, arguments[0].value))}});
  else if (const RunTimeText *text = as_text(arguments[0].value))
    desc = *text;
  else
    throw c.error("T103", "the format of printf() is " + describe(arguments[0].value) + ", expected a str",
                  "write printf(\"%d\", x), or print(x)", arguments[0].node);

  std::vector<RunTimeText::Piece> pieces;
  size_t conversions = 0;
  for (RunTimeText::Piece &piece : desc.pieces) {
    if (piece.value) {
      pieces.push_back(std::move(piece));
      continue;
    }
    std::string text = std::move(piece.format.text);
    for (size_t at = 0; (at = text.find("\\n", at)) != text.npos; ++at) text.replace(at, 2, "\n"); // as formats for C++ have it
    Format format = parse_format(text);
    if (!format.error.empty())
      throw c.error("T501", "printf(): " + format.error, "the conversions are %d %i %u %x %f %s %p; write %% for a percent sign",
                    arguments[0].node);
    conversions += format.conversions();
    for (FormatPiece &part : format.pieces) pieces.push_back({std::move(part)});
  }
  if (conversions != arguments.size() - 1)
    throw c.error("T502",
                  "printf(): the format has " + plural(conversions, "conversion") + " and there " +
                      (arguments.size() == 2 ? "is " : "are ") + plural(arguments.size() - 1, "value"),
                  "give one value for each conversion");
  PrintedText out(c);
  size_t next = 1;
  for (RunTimeText::Piece &piece : pieces) {
    if (piece.value)
      out.add(nb::cast(RunTimeText{{piece}}), arguments[0].node);
    else if (piece.format.conversion)
      out.add_conversion(piece.format, arguments[next++]);
    else
      out.add_text(piece.format.text);
  }
  out.create_printf();
  return nb::none();
}

void print_function(Compilation &c, const Arguments &arguments) {
  Argument sep{nb::str(" ")}, end{nb::str("\n")};
  for (const Argument &argument : arguments) {
    if (!argument.keyword) continue;
    std::string_view keyword = text(argument.keyword);
    if (keyword != "sep" && keyword != "end")
      throw c.error("L401", "print() has no parameter '" + std::string(keyword) + "' in a kernel", "it has sep and end", argument.node);
    if (argument.value.is_none()) continue;
    if (!PyUnicode_Check(argument.value.ptr()) && !as_text(argument.value))
      throw c.error("T103", "'" + std::string(keyword) + "' of print() is " + describe(argument.value) + ", expected a str",
                    "write " + std::string(keyword) + "=\"...\"", argument.node);
    (keyword == "sep" ? sep : end) = argument;
  }
  PrintedText out(c);
  bool first = true;
  for (const Argument &argument : arguments) {
    if (argument.keyword) continue;
    if (!std::exchange(first, false)) out.add(sep.value, sep.node);
    out.add(argument.value, argument.node);
  }
  out.add(end.value, end.node);
  out.create_printf();
}

} // namespace asc
