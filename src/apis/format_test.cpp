// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apis/format.h"

#include "apis/numeric.h"

#include <cmath>
#include <cstdio>
#include <random>

#include <gtest/gtest.h>

namespace asc {
namespace {

/// The C library is the oracle; its length modifiers say how wide the value is.
template <class T> std::string in_c(const FormatPiece &piece, std::string_view length, T value) {
  char text[1024];
  std::snprintf(text, sizeof text, ("%" + piece.text + std::string(length) + piece.conversion).c_str(), value);
  return text;
}

const std::vector<std::string> kLayouts = {"",       "-",    "+",   " ",   "#",    "0",    "5",    "-5",     "05",  "+8",
                                           " 8",     "-+12", "030", ".0",  ".3",   "8.3",  "-8.3", "+012.4", "#.0", "# 20.0",
                                           "+-20.1", ".17",  "0.3", "255", ".255", "-255", "0255", "+0#12",  "1.1", "0255.255"};

TEST(Format, integers_are_those_of_c) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> values = {0, 1, 7, uint64_t(-1), uint64_t(INT64_MIN), uint64_t(INT64_MAX), uint64_t(-42), 255};
  for (int i = 0; i < 50; ++i) values.push_back(random() >> (random() % 64));
  for (const std::string &layout : kLayouts)
    for (char conversion : {'d', 'i', 'u', 'x'}) {
      if (conversion == 'u' && layout.find_first_of("+ #") != layout.npos) continue; // not defined in C
      for (uint64_t value : values) {
        const FormatPiece piece{layout, conversion};
        EXPECT_EQ(convert_value(piece, value, DType::Int64), in_c(piece, "ll", (unsigned long long)(value)))
            << layout << conversion << value;
      }
    }
}

TEST(Format, floats_are_those_of_c) {
  std::mt19937_64 random(2);
  std::vector<float> values = {0.0f, -0.0f, 1.0f, -1.5f, 3.14f, 0.5f, 2.5f, 1e-30f, 3.4e38f, -123456.789f, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 200; ++i) values.push_back(std::bit_cast<float>(uint32_t(random())));
  for (const std::string &layout : kLayouts)
    for (char conversion : {'f', 'F'})
      for (float value : values) {
        if (std::isnan(value)) value = NAN; // its sign means nothing
        const FormatPiece piece{layout, conversion};
        EXPECT_EQ(convert_value(piece, std::bit_cast<uint32_t>(value), DType::Float32), in_c(piece, "", double(value))) << layout << value;
      }
}

TEST(Format, narrow_types) {
  const FormatPiece d{"", 'd'}, u{"", 'u'}, x{"", 'x'}, f{"", 'f'}, p{"", 'p'};
  EXPECT_EQ(convert_value(d, 1, DType::Bool), "1");
  EXPECT_EQ(convert_value(d, extend_scalar(0xFE, DType::Int8), DType::Int8), "-2");
  EXPECT_EQ(convert_value(d, extend_scalar(0xFE, DType::UInt8), DType::UInt8), "254");
  EXPECT_EQ(convert_value(x, extend_scalar(0xFFFE, DType::Int16), DType::Int16), "fffffffffffffffe");
  EXPECT_EQ(convert_value(u, extend_scalar(0xFFFFFFFF, DType::UInt32), DType::UInt32), "4294967295");
  EXPECT_EQ(convert_value(f, 0x3E00, DType::Float16), "1.500000");
  EXPECT_EQ(convert_value(f, 0x4048, DType::BFloat16), "3.125000");
  EXPECT_EQ(convert_value(p, 0x1F0, DType::UInt64), "0x1f0");
  EXPECT_EQ(convert_value(p, 0, DType::UInt64), "nil");
}

TEST(Format, pieces) {
  const Format format = parse_format("a %5d%%%lld %s%-8.3f\n");
  EXPECT_EQ(format.error, "");
  std::string all;
  for (const FormatPiece &piece : format.pieces) all += "[" + piece.text + (piece.conversion ? std::string(1, piece.conversion) : "") + "]";
  EXPECT_EQ(all, "[a ][5d][%][d][ ][s][-8.3f][\n]");
  EXPECT_EQ(format.conversions(), 4u);
  for (std::string_view wrong : {"%", "%5", "%5.", "%q", "%5%", "%l", "%256d", "%.256f", "%99999999999999999999d", "%*d", "%e", "% -l"})
    EXPECT_NE(parse_format(wrong).error, "") << wrong;
  EXPECT_EQ(parse_format(escape_format("100 %d%%")).pieces.at(0).text, "100 %d%%");
}

TEST(Format, mismatches) {
  const auto mismatch = [](std::string_view format, std::vector<DType> values, bool exact = true) {
    return format_mismatch(parse_format(format), values, exact);
  };
  EXPECT_EQ(mismatch("%d %f %x", {DType::Int8, DType::Float16, DType::UInt64}), "");
  EXPECT_EQ(mismatch("%d", {DType::Int32, DType::Float32}, false), "");
  EXPECT_NE(mismatch("%d", {DType::Int32, DType::Float32}), "");
  EXPECT_NE(mismatch("%d %d", {DType::Int32}, false), "");
  for (auto [format, dtype] : {std::pair("%d", DType::Float32),
                               {"%f", DType::Int32},
                               {"%f", DType::Float64},
                               {"%s", DType::Int32},
                               {"%p", DType::Int32},
                               {"%x", DType::Void}})
    EXPECT_NE(mismatch(format, {dtype}), "") << format;
}

TEST(Format, values_in_reports) {
  EXPECT_EQ(value_text(1, DType::Bool), "True");
  EXPECT_EQ(value_text(uint64_t(-3), DType::Int16), "-3");
  EXPECT_EQ(value_text(uint64_t(-1), DType::UInt64), "18446744073709551615");
  EXPECT_EQ(value_text(std::bit_cast<uint32_t>(0.1f), DType::Float32), "0.1");
  EXPECT_EQ(value_text(std::bit_cast<uint32_t>(2.0f), DType::Float32), "2.0");
  EXPECT_EQ(value_text(0x7C00, DType::Float16), "inf");
}

} // namespace
} // namespace asc
