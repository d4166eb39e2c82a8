// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ascendc/expression.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallString.h"

#include <charconv>
#include <cmath>

namespace asc {

std::string at_least(Level level, const Expression &e) { return e.level < level ? "(" + e.text + ")" : e.text; }

static std::string cast_text(DType type, const Expression &e) {
  return "(" + std::string(info(type).cpp) + ")" + at_least(Level::Negative, e);
}

static bool is_narrow_float(DType type) { return type == DType::Float16 || type == DType::BFloat16; }

// ---------------------------------------------------------------- literals

/// The shortest text that reads back as `value`.
template <class Real> static std::string shortest(Real value) {
  char buffer[64];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

static Expression float_literal(double value, DType type) {
  bool is_double = type == DType::Float64;
  std::string suffix = is_double ? "" : "f";
  Level level = std::signbit(value) ? Level::Negative : Level::Primary;
  std::string magnitude = std::isnan(value)   ? "__builtin_nan" + suffix + "(\"\")"
                          : std::isinf(value) ? "__builtin_inf" + suffix + "()"
                                              : (is_double ? shortest(std::fabs(value)) : shortest(float(std::fabs(value)))) + suffix;
  Expression exact = {(std::signbit(value) ? "-" : "") + magnitude, level, is_double ? type : DType::Float32};
  return convert(exact, type);
}

static Expression int_literal(const llvm::APInt &bits, DType type, Literal style) {
  bool is_signed = info(type).is_signed, wide = size_of(type) == 8;
  llvm::SmallString<24> digits;
  bits.toString(digits, 10, is_signed);
  std::string text = digits.str().str();
  Level level = text[0] == '-' ? Level::Negative : Level::Primary;
  if (is_signed && bits.isMinSignedValue() && size_of(type) >= 4) { // no literal of its own: the minus is an operator
    digits.clear();
    (bits + 1).toString(digits, 10, true);
    return {digits.str().str() + (wide ? "LL" : "") + " - 1", Level::Sum, type};
  }
  bool fits_int = is_signed ? bits.isSignedIntN(32) : bits.isIntN(31);
  if (!fits_int) text += wide ? (is_signed ? "LL" : "ULL") : "u";
  if (style == Literal::Plain || type == DType::Int32) return {text, level, type};
  if (type == DType::UInt32) return {fits_int ? text + "u" : text, level, type};
  return {cast_text(type, {text, level}), Level::Unary, type};
}

Expression literal(mlir::Attribute value, DType type, Literal style) {
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(value)) {
    llvm::APFloat exact = real.getValue();
    bool inexact;
    exact.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return float_literal(exact.convertToDouble(), type);
  }
  llvm::APInt bits = llvm::cast<mlir::IntegerAttr>(value).getValue();
  if (type == DType::Bool) return {bits.isZero() ? "false" : "true", Level::Primary, type};
  return int_literal(bits, type, style);
}

// ---------------------------------------------------------------- operators

Expression convert(const Expression &e, DType type) {
  if (e.type == type || e.type == DType::Void) return e;
  if (e.type == DType::BFloat16) return convert({"AscendC::ToFloat(" + e.text + ")", Level::Primary, DType::Float32}, type);
  if (type == DType::BFloat16) return {"AscendC::ToBfloat16(" + convert(e, DType::Float32).text + ")", Level::Primary, type};
  return {cast_text(type, e), Level::Unary, type};
}

Expression binary(Level level, std::string_view op, const Expression &lhs, const Expression &rhs, DType result) {
  if (is_narrow_float(lhs.type)) {
    bool compares = result == DType::Bool;
    return convert(binary(level, op, convert(lhs, DType::Float32), convert(rhs, DType::Float32), compares ? result : DType::Float32),
                   result);
  }
  // Shifts and bit operations bind in a way that few remember: their operands get parentheses unless they are simple.
  bool obscure = level == Level::Shift || (level >= Level::BitOr && level <= Level::BitAnd);
  Level left = obscure ? Level::Negative : level;
  Level right = obscure ? Level::Negative : Level(unsigned(level) + 1);
  Expression whole = {at_least(left, lhs) + " " + std::string(op) + " " + at_least(right, rhs), level, result};
  // C++ computes narrow integers as int.
  bool is_narrow = result >= DType::Int8 && result <= DType::UInt64 && size_of(result) < 4;
  return is_narrow ? Expression{cast_text(result, whole), Level::Unary, result} : whole;
}

Expression unary(std::string_view op, const Expression &e) {
  if (is_narrow_float(e.type)) return convert(unary(op, convert(e, DType::Float32)), e.type);
  // "- -1" is not "--1".
  std::string operand = e.text.starts_with("-") ? "(" + e.text + ")" : at_least(Level::Unary, e);
  return {std::string(op) + operand, Level::Unary, e.type};
}

Expression call(std::string function, std::initializer_list<std::string> arguments, DType type) {
  function += "(";
  for (const std::string &argument : arguments) {
    if (!function.ends_with("(")) function += ", ";
    function += argument;
  }
  return {function + ")", Level::Primary, type};
}

} // namespace asc
