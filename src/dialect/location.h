// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python places in MLIR locations: NameLoc(variable, FusedLoc<[end_line, end_column]>[FileLineColLoc]). The printed form stays readable.
#pragma once

#include "diagnostics/diagnostic.h"

#include "mlir/IR/Location.h"

#include <optional>

namespace asc {

/// `variable`: the Python name that the op's result is assigned to; "" if none.
mlir::Location make_location(mlir::MLIRContext &context, const Span &span, std::string_view variable = {});
Span span_of(mlir::Location location);
std::string_view variable_of(mlir::Location location);
/// The same place with that variable.
mlir::Location with_variable(mlir::Location location, std::string_view variable);

/// Where an op of a device function is after the function was inlined: CallSiteLoc(place, FusedLoc<"function">[call]).
struct InlinedCall {
  std::string function;
  mlir::Location call;
};
mlir::Location inlined_location(mlir::Location place, const InlinedCall &call);
std::optional<InlinedCall> inlined_call(mlir::Location location);

} // namespace asc
