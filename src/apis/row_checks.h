// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the family files build their rows with: positions of arguments by name, shared form texts, and the check that stops the build when a
// row is wrong.
#pragma once

#include "apis/api.h"

#include <algorithm>

namespace asc {

/// A text that can be a template argument.
template <size_t N> struct Text {
  char data[N] = {};
  consteval Text(const char (&text)[N]) {
    for (size_t i = 0; i < N; ++i) data[i] = text[i];
  }
  static constexpr size_t size = N - 1;
};

/// Two texts, one after the other.
template <Text A, Text B> struct Joined {
  static constexpr auto chars = [] {
    std::array<char, A.size + B.size> all{};
    for (size_t i = 0; i < A.size; ++i) all[i] = A.data[i];
    for (size_t i = 0; i < B.size; ++i) all[A.size + i] = B.data[i];
    return all;
  }();
  static constexpr std::string_view view{chars.data(), chars.size()};
};
template <Text A, Text B> inline constexpr std::string_view joined = Joined<A, B>::view;

/// Position of the argument `name`; a wrong name in a constant does not compile.
constexpr uint8_t index_of(std::span<const Arg> args, std::string_view name) {
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].name == name) return uint8_t(i);
  throw "no argument of that name";
}

/// The same where there may be none: kAbsent then.
constexpr uint8_t find_index(std::span<const Arg> args, std::string_view name) {
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].name == name) return uint8_t(i);
  return Layout::kAbsent;
}

constexpr bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// Calls `fn(name)` for every `$name` of a form (`$T` and `$result` left out).
template <class Fn> constexpr void for_each_name(std::string_view call, Fn &&fn) {
  for (size_t at = call.find('$'); at != call.npos; at = call.find('$', at + 1)) {
    size_t end = at + 1;
    while (end < call.size() && is_name_char(call[end])) ++end;
    const std::string_view name = call.substr(at + 1, end - at - 1);
    if (!name.empty() && name != "result") fn(name);
  }
}
/// Calls `fn(name)` for every space-separated name of a text.
template <class Fn> constexpr void for_each_word(std::string_view words, Fn &&fn) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    fn(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

/// Every row of a family is complete: the compiler points at the sentence that is broken.
consteval bool check_rows(std::span<const Row> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    if (row.name.empty() || row.ascendc.empty()) throw "a row needs a name and an Ascend C function";
    if (row.doc.empty()) throw "a row needs a doc";
    if (row.forms.empty()) throw "a row needs a form";
    if (row.args.size() > kMaxArgs) throw "too many arguments";
    if (row.structure.empty() && row.instead.empty() ? !row.run && !row.poll : row.run || row.poll || row.access)
      throw "a row has a function, or names the op that stands for it";
    for (const Arg &arg : row.args)
      if (row.pipe == Pipe::V && row.run && !row.precision && arg.is_tensor() && arg.role != Role::In && arg.dtypes.has(DType::Float32))
        throw "a vector instruction with float results says how precise they are";
    for (size_t j = 0; j < i; ++j)
      if (rows[j].name == row.name) throw "two rows have the same name";
    for (size_t a = 0; a < row.args.size(); ++a) {
      const Arg &arg = row.args[a];
      if (arg.doc.empty()) throw "an argument needs a doc";
      if ((arg.kind == ArgKind::Struct || arg.kind == ArgKind::Structs || arg.kind == ArgKind::Enum) && arg.type.empty())
        throw "a struct or enum argument needs its type";
      if ((arg.kind == ArgKind::List || arg.kind == ArgKind::Structs) && arg.length == 0) throw "a list needs its length";
      if ((arg.is_tensor() || arg.kind == ArgKind::Int) && arg.dtypes.bits == 0) throw "a tensor or integer argument needs its dtypes";
      for (size_t b = 0; b < a; ++b)
        if (row.args[b].name == arg.name) throw "two arguments have the same name";
    }
    bool of_cube = false;
    for (const Form &form : row.forms) {
      if (of_cube && !form.of_cube) throw "the forms of the cube core come last";
      of_cube = form.of_cube;
      if (!form.call.starts_with(row.ascendc)) throw "a form starts with the row's Ascend C function";
      for_each_name(form.call, [&](std::string_view name) {
        for (const Arg &arg : row.args)
          if (arg.list == name) return;
        index_of(row.args, name);
      });
      for_each_word(form.fixed, [&](std::string_view name) {
        const Arg &arg = row.args[index_of(row.args, name)];
        if (!arg.default_value && arg.kind != ArgKind::List) throw "a fixed argument needs a default";
      });
    }
  }
  return true;
}

} // namespace asc
