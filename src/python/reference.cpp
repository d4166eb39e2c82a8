// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows and classes in full as plain Python data: stubs and the pages of the documentation are made from it.
#include "apis/api.h"
#include "apis/assumptions.h"
#include "frontend/cube.h"
#include "sim/hardware.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;

namespace asc {

static constexpr std::string_view kKindNames[] = {"local", "global", "tensor",  "int",  "number",   "mask", "struct",
                                                  "shape", "list",   "structs", "flag", "constant", "enum", "dtype"};
static constexpr std::string_view kFieldKindNames[] = {"value", "list", "element", "member", "dtype", "local"};
static constexpr std::string_view kCostShapeNames[] = {"scalar", "vector", "dma", "sync"};
static constexpr std::string_view kRoleNames[] = {"in", "out", "inout"};

static nb::list names_of(DTypes dtypes) {
  nb::list names;
  for (unsigned t = 0; t < kDTypes; ++t)
    if (dtypes.has(DType(t))) names.append(name(DType(t)));
  return names;
}

static nb::dict describe(const Arg &arg) {
  nb::dict d;
  d["name"] = arg.name;
  d["keyword"] = arg.parameter();
  d["list"] = arg.list;
  d["alias"] = arg.alias;
  d["kind"] = kKindNames[unsigned(arg.kind)];
  d["role"] = kRoleNames[unsigned(arg.role)];
  d["dtypes"] = names_of(arg.dtypes);
  d["type"] = arg.type;
  d["low"] = arg.low;
  d["high"] = arg.high;
  d["default"] = arg.default_value;
  if (arg.kind == ArgKind::Type && arg.default_value) d["default"] = name(DType(*arg.default_value));
  d["doc"] = arg.doc;
  return d;
}

/// The cycles of a vector instruction: fixed, and for a repeat of elements of 16, 32 and 64 bits.
static nb::object vector_cost(std::string_view key) {
  const sim::VectorCost *cost = sim::find_vector_cost(key);
  return cost ? nb::object(nb::make_tuple(cost->fixed, cost->slope16, cost->slope32, cost->slope64)) : nb::none();
}

static nb::dict describe(const Row &row) {
  nb::dict d;
  d["name"] = row.name;
  d["ascendc"] = row.ascendc;
  d["pipe"] = row.pipe_of ? std::string_view() : name(row.pipe); // "": follows from the operands
  d["result"] = row.typed_result ? std::string_view("dtype") : row.result == DType::Void ? std::string_view() : name(row.result);
  d["structure"] = row.structure;
  d["instead"] = row.instead; // "": these chips have it
  d["precision"] = row.precision ? row.precision->text : std::string_view();
  d["precision_source"] = row.precision ? row.precision->source : std::string_view();
  d["doc"] = row.doc;
  d["source"] = row.source;
  d["cost_shape"] = kCostShapeNames[unsigned(row.cost.shape)];
  nb::list args, forms, rules;
  for (const Arg &arg : row.args) args.append(describe(arg));
  for (unsigned f = 0; f < row.forms.size(); ++f) {
    nb::dict form;
    form["call"] = row.forms[f].call;
    form["fixed"] = row.forms[f].fixed;
    nb::list indices;
    for (unsigned arg : form_args(row, f)) indices.append(arg);
    form["args"] = indices;
    form["results"] = row.results(f);
    form["cost"] =
        row.cost.shape == CostShape::Vector ? vector_cost(row.forms[f].cost.empty() ? row.cost.key : row.forms[f].cost) : nb::none();
    forms.append(form);
  }
  for (const Rule *rule : row.rules) rules.append(rule->code);
  d["args"] = args;
  d["forms"] = forms;
  d["rules"] = rules;
  return d;
}

static nb::list rows_of_api() {
  nb::list all;
  for (const Row *row : rows())
    if (row->receiver.empty()) all.append(describe(*row)); // methods are described with their class
  return all;
}

static nb::list structs_of_api() {
  nb::list all;
  for (const StructRow *row : structs()) {
    nb::list fields;
    for (const Field &field : row->fields) {
      nb::dict f;
      f["name"] = field.name;
      f["ascendc"] = field.ascendc;
      f["dtype"] = name(field.dtype);
      f["default"] = field.default_value;
      f["low"] = field.low;
      f["high"] = field.high;
      f["type"] = field.type;
      f["kind"] = kFieldKindNames[unsigned(field.kind)];
      f["length"] = field.kind == FieldKind::List ? field.length : 0;
      f["doc"] = field.doc;
      fields.append(f);
    }
    nb::dict d;
    d["name"] = row->name;
    d["fields"] = fields;
    d["doc"] = row->doc;
    all.append(d);
  }
  return all;
}

/// The functions of a class that kernels call, as they are shown to users: "a|b" is one parameter with two names.
static nb::dict describe(const Function &function) {
  nb::dict d;
  d["name"] = function.name;
  d["signature"] = function.signature;
  d["ascendc"] = function.ascendc;
  d["doc"] = function.doc;
  return d;
}

static nb::list functions_of_cube() {
  nb::list all;
  for (const Function &function : cube_functions()) all.append(describe(function));
  return all;
}

static nb::list classes_of_language() {
  nb::list all;
  for (const Class &type : classes()) {
    nb::list methods;
    for (const Function &method : type.methods) methods.append(describe(method));
    nb::dict d;
    d["name"] = type.name;
    d["doc"] = type.type().attr("__doc__");
    d["constructor"] = type.constructor ? nb::object(describe(*type.constructor)) : nb::none();
    d["methods"] = methods;
    all.append(d);
  }
  return all;
}

/// The numbers that the clocks of transfers count with.
static nb::dict transfers() {
  nb::dict all;
  for (const auto &[name, path] :
       {std::pair("GM to UB", sim::Path::GmToUb), {"UB to GM", sim::Path::UbToGm}, {"UB to UB", sim::Path::UbToUb}}) {
    const sim::DmaCost &cost = sim::dma_cost(path);
    nb::dict d;
    d["start"] = cost.start, d["miss_extra"] = cost.miss_extra, d["rate"] = cost.rate, d["rate_miss"] = cost.rate_miss;
    d["issue"] = cost.issue, d["packet"] = cost.packet, d["packet_all"] = cost.packet_all, d["row_min"] = cost.row_min;
    all[name] = d;
  }
  return all;
}

static nb::list assumption_table() {
  nb::list all;
  for (const Assumption &assumption : kAssumptions) {
    nb::dict d;
    d["topic"] = assumption.topic;
    d["assumption"] = assumption.assumption;
    d["where"] = assumption.where;
    all.append(d);
  }
  return all;
}

void bind_reference(nb::module_ &module) {
  module.def("cube_functions", &functions_of_cube, "the functions of the cube core: name, signature, ascendc, doc");
  module.def(
      "reference",
      [] {
        nb::dict d;
        d["rows"] = rows_of_api();
        d["structs"] = structs_of_api();
        d["classes"] = classes_of_language();
        d["cube"] = functions_of_cube();
        d["assumptions"] = assumption_table();
        d["transfers"] = transfers();
        return d;
      },
      "every API, parameter structure, class, function of the cube core and assumption, as lists of dicts; what transfers cost");
}

} // namespace asc
