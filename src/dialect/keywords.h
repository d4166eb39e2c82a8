// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in the IR that stand for a number: positions, events, pipes and the like, read and printed by the tables that define them.
#pragma once

#include "apis/moment.h"
#include "apis/queue.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

namespace asc {

/// Parses one of the names of a table; the result is its index.
template <class Table, class Name>
mlir::FailureOr<unsigned> parse_name(mlir::AsmParser &parser, const Table &table, Name name_of, llvm::StringRef kind) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef keyword;
  if (parser.parseKeyword(&keyword)) return mlir::failure();
  for (unsigned i = 0; i < table.size(); ++i)
    if (keyword == llvm::StringRef(name_of(table[i]))) return i;
  return parser.emitError(loc) << "unknown " << kind << " '" << keyword << "'";
}
inline std::string_view itself(std::string_view name) { return name; }
inline constexpr auto event_name = [](const EventInfo &event) { return event.name; };

/// custom<...>($attribute) in assembly formats.
template <class Table, class Name>
mlir::ParseResult parse_number(mlir::AsmParser &parser, mlir::IntegerAttr &number, const Table &table, Name name_of, llvm::StringRef kind) {
  auto found = parse_name(parser, table, name_of, kind);
  if (mlir::failed(found)) return mlir::failure();
  number = parser.getBuilder().getI32IntegerAttr(int32_t(*found));
  return mlir::success();
}
inline mlir::ParseResult parsePositionName(mlir::OpAsmParser &parser, mlir::IntegerAttr &number) {
  return parse_number(parser, number, kPositionNames, itself, "position");
}
inline mlir::ParseResult parseEventName(mlir::OpAsmParser &parser, mlir::IntegerAttr &number) {
  return parse_number(parser, number, kEventInfo, event_name, "event");
}
inline mlir::ParseResult parseQueryName(mlir::OpAsmParser &parser, mlir::IntegerAttr &number) {
  return parse_number(parser, number, kQueueQueryNames, itself, "query");
}
inline mlir::ParseResult parsePipeName(mlir::OpAsmParser &parser, mlir::IntegerAttr &number) {
  return parse_number(parser, number, kPipeNames, itself, "pipe");
}
inline mlir::ParseResult parseMomentName(mlir::OpAsmParser &parser, mlir::IntegerAttr &number) {
  return parse_number(parser, number, kMomentNames, itself, "moment");
}
inline void printPositionName(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::IntegerAttr number) {
  printer << llvm::StringRef(kPositionNames[number.getInt()]);
}
inline void printEventName(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::IntegerAttr number) {
  printer << llvm::StringRef(kEventInfo[number.getInt()].name);
}
inline void printQueryName(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::IntegerAttr number) {
  printer << llvm::StringRef(kQueueQueryNames[number.getInt()]);
}
inline void printPipeName(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::IntegerAttr number) {
  printer << llvm::StringRef(kPipeNames[number.getInt()]);
}
inline void printMomentName(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::IntegerAttr number) {
  printer << llvm::StringRef(kMomentNames[number.getInt()]);
}

template <class EventOp> mlir::LogicalResult verify_event(EventOp op) {
  if (op.getEvent() < kEvents) return mlir::success();
  return op.emitOpError() << "event is " << op.getEvent() << ", expected 0 to " << kEvents - 1;
}

} // namespace asc
