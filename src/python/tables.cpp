// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/tables.h"

#include "apis/api.h"
#include "apis/assumptions.h"
#include "diagnostics/diagnostic.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>

namespace nb = nanobind;

namespace asc {

static constexpr std::string_view kKindNames[] = {"local", "global", "tensor", "int", "number", "mask", "struct", "flag", "enum", "dtype"};
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
  d["keyword"] = arg.keyword();
  d["alias"] = arg.alias;
  d["keyword_only"] = arg.keyword_only;
  d["kind"] = kKindNames[unsigned(arg.kind)];
  d["role"] = kRoleNames[unsigned(arg.role)];
  d["dtypes"] = names_of(arg.dtypes);
  d["type"] = arg.type;
  d["low"] = arg.low;
  d["high"] = arg.high;
  d["default"] = arg.default_value;
  d["doc"] = arg.doc;
  return d;
}


static nb::dict describe(const Row &row) {
  nb::dict d;
  d["name"] = row.name;
  d["ascendc"] = row.ascendc;
  d["pipe"] = row.pipe_of ? std::string_view() : name(row.pipe); // "": follows from the operands
  d["result"] = row.result == DType::Void ? std::string_view() : name(row.result);
  d["structure"] = row.structure;
  d["doc"] = row.doc;
  d["source"] = row.source;
  nb::list args, forms, rules;
  for (const Arg &arg : row.args) args.append(describe(arg));
  for (unsigned f = 0; f < row.forms.size(); ++f) {
    nb::dict form;
    form["call"] = row.forms[f].call;
    form["fixed"] = row.forms[f].fixed;
    nb::list indices;
    for (unsigned arg : form_args(row, f)) indices.append(arg);
    form["args"] = indices;
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
  for (const Row *row : rows()) all.append(describe(*row));
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
      f["high"] = field.high;
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

static nb::list enums_of_api() {
  nb::list all;
  for (const EnumRow *row : enums()) {
    nb::list members;
    for (const Member &member : row->members) members.append(nb::make_tuple(member.name, member.value));
    nb::dict d;
    d["name"] = row->name;
    d["members"] = members;
    d["doc"] = row->doc;
    all.append(d);
  }
  return all;
}

static nb::list dtype_table() {
  nb::list all;
  for (unsigned t = 1; t < kDTypes; ++t) {
    const DTypeInfo &dtype = kDTypeInfo[t];
    nb::dict d;
    d["name"] = dtype.name;
    d["ascendc"] = dtype.cpp;
    d["bytes"] = dtype.bytes;
    all.append(d);
  }
  return all;
}

/// The index of errors: the codes of diagnostics/codes.cpp and the rules of the rows, sorted by code.
static nb::list error_codes() {
  std::vector<Code> all(codes().begin(), codes().end());
  for (const Rule *rule : all_rules()) all.push_back({rule->code, rule->title, rule->text});
  std::ranges::sort(all, {}, &Code::code);
  nb::list list;
  for (const Code &code : all) {
    nb::dict d;
    d["code"] = code.code;
    d["title"] = code.title;
    d["text"] = code.text;
    list.append(d);
  }
  return list;
}

static nb::list assumption_table() {
  nb::list all;
  for (const Assumption &assumption : kAssumptions) {
    nb::dict d;
    d["number"] = assumption.number;
    d["topic"] = assumption.topic;
    d["assumption"] = assumption.assumption;
    all.append(d);
  }
  return all;
}

void bind_tables(nb::module_ &module) {
  module.def("rows", &rows_of_api, "Every API: name, Ascend C function, pipe, arguments, forms, codes of its rules, texts.");
  module.def("structs", &structs_of_api, "Parameter structures with their fields.");
  module.def("enums", &enums_of_api, "Enumerations with their members.");
  module.def("dtypes", &dtype_table, "Element types.");
  module.def("error_codes", &error_codes, "The index of errors, rules included, sorted by code.");
  module.def("assumptions", &assumption_table, "What public documents leave open and how it was decided.");
}

} // namespace asc
