// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a debugger needs to know about a kernel that calls breakpoint(): its functions, and the variables at each of its statements. The ops
// asc.statement of the debug form point into it, and have the parts of the variables that exist at run time.
#pragma once

#include "apis/moment.h"
#include "frontend/shape.h"

#include <string>
#include <vector>

namespace asc {

struct DebugTable {
  struct Function {
    std::string name, file;
    uint32_t first_line; // of its decorators, as in code objects
    nb::object globals;
  };
  /// What the compiler knows about a value, as it was at the statement. What exists at run time is a value of the op, in order.
  struct Value {
    Shape shape;                   // of a value without parts
    nb::object container = {};     // else the class that has the parts: tuple, list, dict or another one
    std::vector<nb::object> names; // of the parts: keys or attributes
    std::vector<Value> parts;
  };
  struct Variable {
    nb::object name;
    Value value;
  };
  struct Statement {
    Moment moment;
    uint32_t function, line;
    std::vector<Variable> variables; // at Leave: one, the result
    nb::tuple arguments;             // of breakpoint()
    nb::dict keywords;
  };

  std::optional<Span> breakpoint; // the first breakpoint() of the kernel, which then needs the debug form
  bool wanted = false;            // make the debug form
  std::vector<Function> functions;
  std::vector<Statement> statements;

  /// For the collector: kernels are globals of their functions.
  int traverse(visitproc visit, void *arg) const;
};

} // namespace asc
