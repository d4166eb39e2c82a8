// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python places survive the way through MLIR locations, also wrapped and fused by passes.
#include "dialect/location.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

namespace asc {
namespace {

struct LocationTest : testing::Test {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  const Span span{"kernels/add.py", 12, 4, 14, 9};

  void expect_span(mlir::Location location) {
    Span got = span_of(location);
    EXPECT_EQ(got.file, span.file);
    EXPECT_EQ(got.line, span.line);
    EXPECT_EQ(got.column, span.column);
    EXPECT_EQ(got.end_line, span.end_line);
    EXPECT_EQ(got.end_column, span.end_column);
  }
};

TEST_F(LocationTest, SpanAndVariable) {
  mlir::Location location = make_location(context, span, "x_local");
  expect_span(location);
  EXPECT_EQ(variable_of(location), "x_local");
}

TEST_F(LocationTest, WithoutVariable) {
  mlir::Location location = make_location(context, span);
  expect_span(location);
  EXPECT_EQ(variable_of(location), "");
}

TEST_F(LocationTest, Nowhere) {
  mlir::Location location = make_location(context, {}, "i");
  EXPECT_EQ(span_of(location).line, 0u);
  EXPECT_EQ(variable_of(location), "i");
}

TEST_F(LocationTest, FusedByAPass) {
  mlir::Location fused =
      mlir::FusedLoc::get({mlir::UnknownLoc::get(&context), make_location(context, span, "a")}, mlir::Attribute(), &context);
  expect_span(fused);
  EXPECT_EQ(variable_of(fused), "a");
}

TEST_F(LocationTest, CallSite) {
  mlir::Location caller = make_location(context, {"other.py", 1, 0, 1, 5});
  mlir::Location site = mlir::CallSiteLoc::get(make_location(context, span, "b"), caller);
  expect_span(site);
  EXPECT_EQ(variable_of(site), "b");
  const mlir::Location inlined = inlined_location(make_location(context, span), {"f", caller});
  EXPECT_EQ(variable_of(inlined), "");
  const mlir::Location named = with_variable(inlined, "c");
  expect_span(named);
  EXPECT_EQ(variable_of(named), "c");
  EXPECT_EQ(inlined_call(named)->function, "f");
}

} // namespace
} // namespace asc
