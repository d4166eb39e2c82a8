// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats of printf: what a format consists of, which values its conversions take, and how these look. No libc: the text is the same on
// every machine and in every locale.
#pragma once

#include "apis/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace asc {

inline constexpr size_t kMostPrinted = 32 * 1024; // bytes that the device prints in one call

/// Text, or the conversion of a value.
struct FormatPiece {
  std::string text;    // of a conversion: flags, width and precision
  char conversion = 0; // d, i, u, x, f, F, s or p; 0: text
};
struct Format {
  std::vector<FormatPiece> pieces;
  std::string error; // what is wrong with the format; empty: nothing
  size_t conversions() const;
};
Format parse_format(std::string_view format);

/// Text as a format that prints it.
std::string escape_format(std::string_view text);

/// Whether a conversion takes values of that type. %s takes none: its text is known while compiling and becomes part of the format.
bool takes(char conversion, DType dtype);
/// The conversion that shows a value of that type when the program does not say.
char usual_conversion(DType dtype);

/// A value, held as a register holds it, by a conversion that takes it.
std::string convert_value(const FormatPiece &piece, uint64_t bits, DType dtype);
/// A value as Python would show it: for reports.
std::string value_text(uint64_t bits, DType dtype);

/// Why values of these types cannot be printed by the format; empty when they can. With `exact`, there is no value without a conversion.
std::string format_mismatch(const Format &format, const std::vector<DType> &values, bool exact = true);

} // namespace asc
