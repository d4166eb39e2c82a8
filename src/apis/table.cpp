// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of all rows and what follows from it: opcodes, slots of a form, Python parameters, the hash that binaries carry.
#include "apis/families.h"
#include "apis/row_checks.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace asc {
namespace {

bool contains(std::string_view words, std::string_view name) {
  bool found = false;
  for_each_word(words, [&](std::string_view word) { found |= word == name; });
  return found;
}
bool mentions(std::string_view call, std::string_view name) {
  bool found = false;
  for_each_name(call, [&](std::string_view word) { found |= word == name; });
  return found;
}

Layout make_layout(const Row &row, const Form &form) {
  Layout layout;
  layout.slot.fill(Layout::kAbsent);
  for (unsigned a = 0; a < row.args.size(); ++a) {
    const Arg &arg = row.args[a];
    if (!mentions(form.call, arg.list.empty() ? arg.name : arg.list)) continue;
    const unsigned first = layout.slots, size = slots_of(arg);
    if (first + size > kMaxOperands) throw std::logic_error("too many slots: " + std::string(form.call));
    layout.slot[a] = uint8_t(first);
    layout.slots = uint8_t(first + size);
    if (arg.is_tensor()) layout.tensor[layout.tensors++] = uint8_t(a);
    if (arg.kind == ArgKind::Int || arg.kind == ArgKind::Constant || arg.kind == ArgKind::List)
      for (unsigned part = 0; part < size; ++part) layout.limits[first + part] = {arg.low, arg.high};
    if (arg.kind == ArgKind::Structs) layout.limits[first] = {1, arg.length};
    if (arg.kind == ArgKind::Struct || arg.kind == ArgKind::Structs)
      for_each_field(arg, [&](const Field &field, unsigned part, unsigned, unsigned) {
        if (field.kind != FieldKind::Element && !info(field.dtype).is_float) layout.limits[first + part] = {field.low, field.high};
      });
  }
  return layout;
}

std::vector<unsigned> args_of(const Row &row, const Form &form) {
  std::vector<unsigned> args;
  for (unsigned a = 0; a < row.args.size(); ++a) {
    const Arg &arg = row.args[a];
    const bool goes_on =
        arg.follows || (a > 0 && !arg.list.empty() && arg.list == row.args[a - 1].list); // it is in a list or structure that is there
    if (!goes_on && (mentions(form.call, arg.list.empty() ? arg.name : arg.list) || contains(form.fixed, arg.name))) args.push_back(a);
  }
  return args;
}

/// Everything that is computed once from the rows.
struct Table {
  std::vector<const Row *> rows;
  std::vector<unsigned> first_of_family;
  struct FormFacts {
    Layout layout;
    std::vector<unsigned> args;
  };
  std::vector<std::vector<FormFacts>> forms;
  std::unordered_map<std::string_view, const Row *> by_name;
  std::vector<const Rule *> rules;

  Table() {
    for (auto family : kFamilies) {
      first_of_family.push_back(unsigned(rows.size()));
      for (const Row &row : family()) rows.push_back(&row);
    }
    for (const Row *row : rows) {
      if (!by_name.emplace(row->name, row).second) throw std::logic_error("two rows are called " + std::string(row->name));
      std::vector<FormFacts> &facts = forms.emplace_back();
      for (const Form &form : row->forms) facts.push_back({make_layout(*row, form), args_of(*row, form)});
      for (const Rule *rule : row->rules)
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
    }
    std::sort(rules.begin(), rules.end(), [](const Rule *a, const Rule *b) { return a->code < b->code; });
  }
};

const Table &table() {
  static const Table all;
  return all;
}

/// FNV-1a over values and texts.
class Hash {
public:
  void add(uint64_t value) {
    for (unsigned i = 0; i < 8; ++i) byte(uint8_t(value >> 8 * i));
  }
  void add(std::string_view text) {
    add(text.size());
    for (char c : text) byte(uint8_t(c));
  }
  uint64_t value = 0xCBF29CE484222325u;

private:
  void byte(uint8_t b) { value = (value ^ b) * 0x100000001B3u; }
};

uint64_t compute_hash() {
  Hash hash;
  for (const Row *row : rows()) {
    hash.add(row->name), hash.add(uint64_t(row->result)), hash.add(row->typed_result), hash.add(row->structure), hash.add(row->args.size());
    for (const Arg &arg : row->args)
      hash.add(arg.name), hash.add(uint64_t(arg.kind)), hash.add(uint64_t(arg.role)), hash.add(uint64_t(arg.dtypes.bits)),
          hash.add(arg.type), hash.add(arg.list);
    hash.add(row->forms.size());
    for (const Form &form : row->forms) hash.add(form.call), hash.add(form.fixed), hash.add(uint64_t(form.results));
  }
  for (const StructRow *row : structs()) {
    hash.add(row->name);
    for (const Field &field : row->fields)
      hash.add(field.name), hash.add(uint64_t(field.dtype)), hash.add(uint64_t(field.kind)), hash.add(uint64_t(field.slots()));
  }
  for (const EnumRow *row : enums()) {
    hash.add(row->name);
    for (const Member &member : row->members) hash.add(member.name), hash.add(uint64_t(member.value));
  }
  return hash.value;
}

} // namespace

unsigned slots_of(const Arg &arg) {
  switch (arg.kind) {
  case ArgKind::Local:
  case ArgKind::Global:
  case ArgKind::Tensor:
  case ArgKind::Mask: return 2;
  case ArgKind::Struct: return find_struct(arg.type)->slots();
  case ArgKind::Shape: return 1 + assume::most_dimensions;
  case ArgKind::List: return arg.length;
  case ArgKind::Structs: return 1 + arg.length * find_struct(arg.type)->slots();
  default: return 1;
  }
}

std::span<const Row *const> rows() { return table().rows; }

const Row *find_row(std::string_view name) {
  const auto found = table().by_name.find(name);
  return found == table().by_name.end() ? nullptr : found->second;
}

unsigned row_number(const Row &row) {
  for (size_t f = 0; f < std::size(kFamilies); ++f) {
    const std::span<const Row> family = kFamilies[f]();
    if (&row >= family.data() && &row < family.data() + family.size()) return table().first_of_family[f] + unsigned(&row - family.data());
  }
  throw std::logic_error("a row that is in no family: " + std::string(row.name));
}

const Layout &layout(const Row &row, unsigned form) { return table().forms[row_number(row)].at(form).layout; }
std::span<const unsigned> form_args(const Row &row, unsigned form) { return table().forms[row_number(row)].at(form).args; }

std::span<const Rule *const> all_rules() { return table().rules; }

uint64_t table_hash() {
  static const uint64_t hash = compute_hash();
  return hash;
}

} // namespace asc
