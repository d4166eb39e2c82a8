// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apis/format.h"

#include "apis/numeric.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace asc {

static constexpr std::string_view kConversions = "diuxfFsp", kFlags = "-+ #0";
static constexpr unsigned kMostWidth = 255;

// ---------------------------------------------------------------- what a format consists of

size_t Format::conversions() const {
  return size_t(std::count_if(pieces.begin(), pieces.end(), [](const FormatPiece &p) { return p.conversion != 0; }));
}

Format parse_format(std::string_view s) {
  Format format;
  std::string text;
  const auto flush = [&] {
    if (!text.empty()) format.pieces.push_back({std::exchange(text, {})});
  };
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '%') {
      text += s[i];
      continue;
    }
    const size_t start = i++;
    const auto number = [&] {
      unsigned value = 0;
      for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i) value = std::min(value * 10 + unsigned(s[i] - '0'), 10 * kMostWidth);
      return value;
    };
    while (i < s.size() && kFlags.find(s[i]) != s.npos) ++i;
    unsigned largest = number();
    if (i < s.size() && s[i] == '.') ++i, largest = std::max(largest, number());
    const std::string flags(s.substr(start + 1, i - start - 1));
    while (i < s.size() && s[i] == 'l') ++i;
    const std::string shown(s.substr(start, i - start + 1));
    if (i < s.size() && s[i] == '%' && i == start + 1) {
      text += '%';
    } else if (i >= s.size()) {
      format.error = "'" + shown + "' at its end is no conversion";
      return format;
    } else if (kConversions.find(s[i]) == s.npos) {
      format.error = "'" + shown + "' is no conversion";
      return format;
    } else if (largest > kMostWidth) {
      format.error = "'" + shown + "' has a width or precision of more than " + std::to_string(kMostWidth);
      return format;
    } else {
      flush();
      format.pieces.push_back({flags, s[i]});
    }
  }
  flush();
  return format;
}

std::string escape_format(std::string_view text) {
  std::string format;
  for (const char c : text) format.append(c == '%' ? 2 : 1, c);
  return format;
}

bool takes(char conversion, DType dtype) {
  const DTypeInfo &type = info(dtype);
  switch (conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'x': return dtype != DType::Void && !type.is_float;
  case 'f':
  case 'F': return type.is_float && dtype != DType::Float64;
  case 'p': return dtype == DType::UInt64 || dtype == DType::Int64;
  default: return false;
  }
}

char usual_conversion(DType dtype) { return info(dtype).is_float ? 'f' : info(dtype).is_signed || dtype == DType::Bool ? 'd' : 'u'; }

std::string format_mismatch(const Format &format, const std::vector<DType> &values, bool exact) {
  if (!format.error.empty()) return format.error;
  const size_t wanted = format.conversions();
  if (exact ? wanted != values.size() : wanted > values.size())
    return "it has " + std::to_string(wanted) + " conversions for " + std::to_string(values.size()) + " values";
  size_t next = 0;
  for (const FormatPiece &piece : format.pieces) {
    if (piece.conversion == 0) continue;
    const DType dtype = values[next++];
    if (!takes(piece.conversion, dtype)) return "'%" + piece.text + piece.conversion + "' does not take " + std::string(name(dtype));
  }
  return {};
}

// ---------------------------------------------------------------- values

static double real_value(uint64_t bits, DType dtype) {
  if (dtype == DType::Float16) return half_to_float(uint16_t(bits));
  if (dtype == DType::BFloat16) return bfloat16_to_float(uint16_t(bits));
  if (dtype == DType::Float32) return std::bit_cast<float>(uint32_t(bits));
  return std::bit_cast<double>(bits);
}

namespace {
/// Flags, width and precision in parts.
struct FieldLayout {
  bool left = false, plus = false, space = false, alternate = false, zeros = false;
  unsigned width = 0;
  std::optional<unsigned> precision;

  explicit FieldLayout(std::string_view s) {
    size_t i = 0;
    for (; i < s.size() && kFlags.find(s[i]) != s.npos; ++i) {
      left |= s[i] == '-', plus |= s[i] == '+', space |= s[i] == ' ', alternate |= s[i] == '#', zeros |= s[i] == '0';
    }
    const auto number = [&] {
      unsigned value = 0;
      for (; i < s.size() && s[i] != '.'; ++i) value = value * 10 + unsigned(s[i] - '0');
      return value;
    };
    width = number();
    if (i < s.size()) ++i, precision = number();
  }

  std::string sign(bool negative) const { return negative ? "-" : plus ? "+" : space ? " " : ""; }
  /// `head` is a sign or 0x: zeros go behind it.
  std::string pad(const std::string &head, std::string body, bool fill_zeros) const {
    const size_t length = head.size() + body.size(), missing = width > length ? width - length : 0;
    if (left) return head + body + std::string(missing, ' ');
    return fill_zeros ? head + std::string(missing, '0') + body : std::string(missing, ' ') + head + body;
  }
  std::string integer(const std::string &head, std::string digits) const {
    if (precision == 0u && digits == "0") digits.clear();
    if (precision && digits.size() < *precision) digits.insert(0, *precision - digits.size(), '0');
    return pad(head, std::move(digits), zeros && !precision);
  }
};
} // namespace

static std::string digits_of(uint64_t value, int base = 10) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value, base).ptr);
}

static std::string convert_real(const FormatPiece &piece, double value) {
  const FieldLayout layout(piece.text);
  const std::string sign = layout.sign(std::signbit(value));
  const bool capital = piece.conversion == 'F';
  if (std::isnan(value)) return layout.pad(sign, capital ? "NAN" : "nan", false);
  if (std::isinf(value)) return layout.pad(sign, capital ? "INF" : "inf", false);
  const unsigned precision = layout.precision.value_or(6);
  char digits[400 + kMostWidth];
  std::string body(digits, std::to_chars(digits, digits + sizeof digits, std::fabs(value), std::chars_format::fixed, int(precision)).ptr);
  if (layout.alternate && precision == 0) body += '.';
  return layout.pad(sign, std::move(body), layout.zeros);
}

std::string convert_value(const FormatPiece &piece, uint64_t bits, DType dtype) {
  if (info(dtype).is_float) return convert_real(piece, real_value(bits, dtype));
  const FieldLayout layout(piece.text);
  // Whatever the conversion, the value has been widened to 64 bits by its own signedness.
  switch (piece.conversion) {
  case 'u': return layout.integer("", digits_of(bits));
  case 'x': return layout.integer(layout.alternate && bits != 0 ? "0x" : "", digits_of(bits, 16));
  case 'p': return bits == 0 ? layout.pad("", "nil", false) : layout.integer("0x", digits_of(bits, 16));
  default: {
    const bool negative = int64_t(bits) < 0;
    return layout.integer(layout.sign(negative), digits_of(negative ? 0 - bits : bits));
  }
  }
}

std::string value_text(uint64_t bits, DType dtype) {
  if (dtype == DType::Bool) return bits & 0xFF ? "True" : "False";
  if (!info(dtype).is_float) return info(dtype).is_signed ? std::to_string(int64_t(bits)) : std::to_string(bits);
  const double value = real_value(bits, dtype);
  char digits[64];
  char *end = dtype == DType::Float64 ? std::to_chars(digits, digits + sizeof digits, value).ptr
                                      : std::to_chars(digits, digits + sizeof digits, float(value)).ptr;
  std::string text(digits, end);
  return std::isfinite(value) && text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

} // namespace asc
