// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ascend C of every form of every API row; names, literals and line numbers of the emitted text.
#include "ascendc/ascendc.h"
#include "ascendc/expression.h"
#include "ascendc/names.h"
#include "ascendc/writer.h"
#include "dialect/test_module.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace asc {
namespace {

TEST(AscendC, EveryFormIsACallOfTheRowsFunction) {
  for_each_form([](const Row &row, unsigned form) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    load_dialects(context);
    mlir::OwningOpRef<mlir::ModuleOp> module = module_with(context, row, form);
    std::string text = to_ascendc(*module, {});
    size_t at = text.rfind((row.receiver.empty() ? "AscendC::" : "pyasc_") + std::string(row.ascendc));
    if (row.has_result() && at == text.npos) return; // a value that nobody uses
    ASSERT_NE(at, text.npos) << text;
    std::string call = text.substr(at, text.find('\n', at) - at);
    EXPECT_TRUE(call.ends_with(");")) << call;
    EXPECT_EQ(text.find('$'), text.npos) << text;
  });
}

TEST(AscendC, Names) {
  Names names;
  EXPECT_EQ(names.unique("x"), "x");
  EXPECT_EQ(names.unique("x"), "x_1");
  EXPECT_EQ(names.unique("x_1"), "x_1_1");
  EXPECT_EQ(names.unique("for"), "v_for");
  EXPECT_EQ(names.unique("half"), "v_half");
  EXPECT_EQ(names.unique("_hidden"), "v__hidden");
  EXPECT_EQ(names.unique("größe"), "gr____e");
  EXPECT_EQ(names.unique(""), "t");
}

struct Literals : testing::Test {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::Builder ops{&context};

  std::string integer(int64_t value, DType type, Literal style = Literal::Plain) {
    mlir::Type signless = ops.getIntegerType(8 * size_of(type));
    return literal(mlir::IntegerAttr::get(signless, value), type, style).text;
  }
  std::string real(double value, DType type = DType::Float32) {
    mlir::Type ir = type == DType::Float16    ? mlir::Type(ops.getF16Type())
                    : type == DType::BFloat16 ? mlir::Type(ops.getBF16Type())
                                              : ops.getF32Type();
    return literal(mlir::FloatAttr::get(ir, value), type, Literal::Plain).text;
  }
};

TEST_F(Literals, Integers) {
  EXPECT_EQ(integer(5, DType::Int32), "5");
  EXPECT_EQ(integer(-5, DType::Int32), "-5");
  EXPECT_EQ(integer(INT32_MIN, DType::Int32), "-2147483647 - 1");
  EXPECT_EQ(integer(-1, DType::UInt32), "4294967295u");
  EXPECT_EQ(integer(5, DType::UInt32, Literal::Typed), "5u");
  EXPECT_EQ(integer(1, DType::Int64), "1");
  EXPECT_EQ(integer(1, DType::Int64, Literal::Typed), "(int64_t)1");
  EXPECT_EQ(integer(int64_t(1) << 40, DType::Int64), "1099511627776LL");
  EXPECT_EQ(integer(INT64_MIN, DType::Int64), "-9223372036854775807LL - 1");
  EXPECT_EQ(integer(-1, DType::UInt64), "18446744073709551615ULL");
  EXPECT_EQ(integer(200, DType::UInt8, Literal::Typed), "(uint8_t)200");
  EXPECT_EQ(integer(-1, DType::UInt8), "255");
  EXPECT_EQ(integer(-3, DType::Int16, Literal::Typed), "(int16_t)-3");
}

TEST_F(Literals, Floats) {
  EXPECT_EQ(real(0.1f), "0.1f");
  EXPECT_EQ(real(1), "1.0f");
  EXPECT_EQ(real(-2.5), "-2.5f");
  EXPECT_EQ(real(-0.0), "-0.0f");
  EXPECT_EQ(real(1e-40), "1e-40f");
  EXPECT_EQ(real(INFINITY), "__builtin_inff()");
  EXPECT_EQ(real(-INFINITY), "-__builtin_inff()");
  EXPECT_EQ(real(NAN), "__builtin_nanf(\"\")");
  EXPECT_EQ(real(0.5, DType::Float16), "(half)0.5f");
  EXPECT_EQ(real(0.5, DType::BFloat16), "AscendC::ToBfloat16(0.5f)");
}

TEST(AscendC, Parentheses) {
  Expression a{"a", Level::Primary, DType::Int32}, b{"b", Level::Primary, DType::Int32}, c{"c", Level::Primary, DType::Int32};
  auto plus = [](auto x, auto y) { return binary(Level::Sum, "+", x, y, DType::Int32); };
  auto minus = [](auto x, auto y) { return binary(Level::Sum, "-", x, y, DType::Int32); };
  auto times = [](auto x, auto y) { return binary(Level::Product, "*", x, y, DType::Int32); };
  EXPECT_EQ(plus(times(a, b), c).text, "a * b + c");
  EXPECT_EQ(times(plus(a, b), c).text, "(a + b) * c");
  EXPECT_EQ(minus(minus(a, b), c).text, "a - b - c");
  EXPECT_EQ(minus(a, minus(b, c)).text, "a - (b - c)");
  EXPECT_EQ(binary(Level::Shift, "<<", a, plus(b, c), DType::Int32).text, "a << (b + c)");
  EXPECT_EQ(unary("-", unary("-", a)).text, "-(-a)");
  EXPECT_EQ(unary("!", plus(a, b)).text, "!(a + b)");
}

TEST(AscendC, NarrowTypesKeepTheirWidth) {
  Expression a{"a", Level::Primary, DType::UInt8}, h{"h", Level::Primary, DType::Float16}, b{"b", Level::Primary, DType::BFloat16};
  EXPECT_EQ(binary(Level::Sum, "+", a, a, DType::UInt8).text, "(uint8_t)(a + a)");
  EXPECT_EQ(binary(Level::Sum, "+", h, h, DType::Float16).text, "(half)((float)h + (float)h)");
  EXPECT_EQ(binary(Level::Relation, "<", h, h, DType::Bool).text, "(float)h < (float)h");
  EXPECT_EQ(binary(Level::Sum, "+", b, b, DType::BFloat16).text, "AscendC::ToBfloat16(AscendC::ToFloat(b) + AscendC::ToFloat(b))");
}

TEST(AscendC, LineDirectives) {
  Writer writer(true, "/home/me/kernels/add.py");
  writer.from({"/home/me/kernels/add.py", 3, 0, 3, 1});
  writer.line("a;");
  writer.from({"/home/me/kernels/add.py", 4, 0, 4, 1}); // the compiler counts to 4 by itself
  writer.line("b;");
  writer.line("c;"); // line 4 again
  writer.from({"/home/me/lib/say \"hi\".py", 5, 0, 5, 1});
  writer.line("d;");
  writer.from({"<stdin>", 6, 0, 6, 1});
  writer.line("e;");
  EXPECT_EQ(writer.take(),
            "#line 3 \"add.py\"\na;\nb;\n#line 4 \"add.py\"\nc;\n#line 5 \"../lib/say \\\"hi\\\".py\"\nd;\n#line 6 \"<stdin>\"\ne;\n");
}

} // namespace
} // namespace asc
