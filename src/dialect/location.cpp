// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python places to MLIR locations and back. Passes fuse and wrap locations; reading one looks for the first part that knows the answer.
#include "dialect/location.h"

#include "mlir/IR/Builders.h"

namespace asc {

mlir::Location make_location(mlir::MLIRContext &context, const Span &span, std::string_view variable) {
  mlir::Builder builder(&context);
  mlir::Location place = builder.getUnknownLoc();
  if (span.line != 0) {
    mlir::Location start = mlir::FileLineColLoc::get(&context, span.file, span.line, span.column);
    place = mlir::FusedLoc::get({start}, builder.getI64ArrayAttr({span.end_line, span.end_column}), &context);
  }
  return variable.empty() ? place : mlir::NameLoc::get(builder.getStringAttr(llvm::StringRef(variable)), place);
}

Span span_of(mlir::Location location) {
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location)) return span_of(named.getChildLoc());
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) return span_of(call.getCallee());
  if (auto start = llvm::dyn_cast<mlir::FileLineColLoc>(location))
    return {start.getFilename().str(), start.getLine(), start.getColumn(), start.getLine(), start.getColumn()};
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    for (mlir::Location part : fused.getLocations()) {
      Span span = span_of(part);
      if (span.line == 0) continue;
      auto end = llvm::dyn_cast_or_null<mlir::ArrayAttr>(fused.getMetadata());
      if (end && end.size() == 2 && llvm::all_of(end, [](mlir::Attribute a) { return llvm::isa<mlir::IntegerAttr>(a); })) {
        span.end_line = uint32_t(llvm::cast<mlir::IntegerAttr>(end[0]).getInt());
        span.end_column = uint32_t(llvm::cast<mlir::IntegerAttr>(end[1]).getInt());
      }
      return span;
    }
  }
  return {};
}

std::string_view variable_of(mlir::Location location) {
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location)) return named.getName().getValue();
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) return variable_of(call.getCallee());
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location))
    for (mlir::Location part : fused.getLocations())
      if (std::string_view variable = variable_of(part); !variable.empty()) return variable;
  return {};
}

mlir::Location with_variable(mlir::Location location, std::string_view variable) {
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location))
    return mlir::CallSiteLoc::get(with_variable(call.getCallee(), variable), call.getCaller());
  return mlir::NameLoc::get(mlir::StringAttr::get(location.getContext(), llvm::StringRef(variable)), location);
}

mlir::Location inlined_location(mlir::Location place, const InlinedCall &call) {
  mlir::Attribute function = mlir::StringAttr::get(place.getContext(), call.function);
  return mlir::CallSiteLoc::get(place, mlir::FusedLoc::get({call.call}, function, place.getContext()));
}

std::optional<InlinedCall> inlined_call(mlir::Location location) {
  auto site = llvm::dyn_cast<mlir::CallSiteLoc>(location);
  auto caller = site ? llvm::dyn_cast<mlir::FusedLoc>(site.getCaller()) : mlir::FusedLoc();
  auto function = caller ? llvm::dyn_cast_or_null<mlir::StringAttr>(caller.getMetadata()) : mlir::StringAttr();
  if (!function || caller.getLocations().size() != 1) return std::nullopt;
  return InlinedCall{function.str(), caller.getLocations()[0]};
}

} // namespace asc
