// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in kernels: f-strings with run-time values, print, printf, and the messages of assertions.
#pragma once

#include "apis/format.h"
#include "frontend/functions.h"

namespace asc {

/// An f-string with run-time values: a Python object that print, printf and assert take.
struct RunTimeText {
  struct Piece {
    FormatPiece format;    // without a conversion: text as it is
    nb::object value = {}; // of a conversion
  };
  std::vector<Piece> pieces;
  /// The text with types in the place of run-time values.
  std::string shown() const;
};

/// f"{value:spec}" of a run-time number or address.
nb::object formatted_value(Compilation &c, nb::handle value, nb::handle spec);
/// str(value) of what holds run-time values.
nb::object shown_value(Compilation &c, nb::handle value, PyObject *node);
/// The pieces of an f-string, of which at least one is a RunTimeText.
nb::object joined_text(Compilation &c, const nb::list &parts);

/// The text of a str that can be printed.
std::string_view printable(const Compilation &c, nb::handle string);

/// A format that is put together, with its values.
class PrintedText {
public:
  explicit PrintedText(Compilation &compilation) : c(compilation) {}

  void add_text(std::string_view text); // as it is
  void add_text(nb::handle string);
  /// A value as print() shows it.
  void add(nb::handle value, PyObject *node);
  /// A value by a conversion of printf.
  void add_conversion(const FormatPiece &piece, const Argument &argument);
  /// A number for the report of an assertion; the format does not show it.
  void add_named(std::string_view name, nb::handle value);

  void create_printf();
  void create_assert(mlir::Value condition, std::string_view test);

private:
  void add_pieces(const RunTimeText &text, PyObject *node);
  void add_value(const FormatPiece &piece, mlir::Value value, DType dtype);
  void check_length() const;

  Compilation &c;
  std::string format_;
  llvm::SmallVector<mlir::Value> values_;
  llvm::SmallVector<int32_t> dtypes_;
  llvm::SmallVector<mlir::Attribute> names_;
};

/// asc.printf(desc, *params).
nb::object printf_function(Compilation &c, nb::handle, Bound arguments);
/// Python's print(*values, sep=" ", end="\n").
void print_function(Compilation &c, const Arguments &arguments);

} // namespace asc
