// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See json.h.
#include "diagnostics/json.h"

#include <cstdio>

namespace asc {

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\', result += c;
    } else if (uint8_t(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
      result += code;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string json_array(std::span<const std::string> values) {
  std::string result = "[";
  for (const std::string &value : values) {
    if (result.size() > 1) result += ", ";
    result += value;
  }
  return result + "]";
}

template <class Items, class Fn> static std::string array_of(const Items &items, Fn &&fn) {
  std::vector<std::string> values;
  for (const auto &item : items) values.push_back(fn(item));
  return json_array(values);
}

static std::string number(int64_t value) { return std::to_string(value); }

static std::string to_json(const Span &span) {
  if (span.line == 0) return "null";
  return "{\"file\": " + json_text(span.file) + ", \"line\": " + number(span.line) + ", \"column\": " + number(span.column) +
         ", \"end_line\": " + number(span.end_line) + ", \"end_column\": " + number(span.end_column) + "}";
}

static std::string access_of(const FindingPlace &place) {
  if (place.access.empty()) return "null";
  return "{\"kind\": " + json_text(place.access) + ", \"tensor\": " + json_text(place.tensor) + ", \"memory\": " + json_text(place.memory) +
         ", \"begin\": " + number(place.begin) + ", \"end\": " + number(place.end) + ", \"bytes\": " + number(place.bytes) + "}";
}

static std::string to_json(const FindingPlace &place) {
  return "{\"span\": " + to_json(place.span) + ", \"text\": " + json_text(place.what) + ", \"core\": " + json_text(place.core) +
         ", \"block\": " + number(place.block) + ", \"pipe\": " + json_text(place.pipe) + ", \"call\": " + json_text(place.call) +
         ", \"access\": " + access_of(place) + "}";
}

static std::string to_json(const Note &note) { return "{\"text\": " + json_text(note.text) + ", \"span\": " + to_json(note.span) + "}"; }

std::string to_json(const Diagnostic &d) {
  const std::string notes = array_of(d.notes, [](const Note &note) { return to_json(note); });
  const std::string places = array_of(d.places, [](const FindingPlace &place) { return to_json(place); });
  return "{\"code\": " + json_text(d.code) + ", \"severity\": " + (d.severity == Severity::Error ? "\"error\"" : "\"warning\"") +
         ", \"message\": " + json_text(d.message) + ", \"span\": " + to_json(d.span) + ", \"notes\": " + notes +
         ", \"help\": " + json_text(d.help) + ", \"places\": " + places + "}";
}

} // namespace asc
