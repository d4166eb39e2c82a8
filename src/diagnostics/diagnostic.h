// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One form for everything we tell the user: code, message, place in the Python file, notes, help.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace asc {

/// A range in a Python source file; lines from 1, columns from 0 in UTF-8 bytes (as CPython's ast). line 0 = no place.
struct Span {
  std::string file;
  uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};

enum class Severity : uint8_t { Error, Warning };

struct Note {
  std::string text;
  Span span;
};

/// What a finding of a launch is about: an instruction of a core or, where the text says so, something that it did before.
struct FindingPlace {
  Span span;
  std::string core, pipe; // "block 3", "MTE2"
  uint32_t block = 0;     // number of the core in the launch
  std::string call;       // "data_copy"
  std::string what;       // in words
  // The bytes that it touches: the first range, and how many there are; no `access`: none.
  std::string access = {}; // "read", "write"
  std::string tensor = {}, memory = {};
  int64_t begin = 0, end = 0, bytes = 0;
};

struct Diagnostic {
  std::string code; // "L101"
  Severity severity = Severity::Error;
  std::string message; // lower case, no final period
  Span span;
  std::vector<Note> notes;
  std::string help;                 // the change to make; may be empty
  std::vector<FindingPlace> places; // of a finding of a launch
};

/// The user's mistake. Becomes a Python exception in src/python; never raised for our own errors (those are InternalError).
class DiagnosticError : public std::runtime_error {
public:
  explicit DiagnosticError(std::vector<Diagnostic> d) : std::runtime_error(d.empty() ? "" : d[0].message), diagnostics(std::move(d)) {}
  explicit DiagnosticError(Diagnostic d) : DiagnosticError(std::vector<Diagnostic>{std::move(d)}) {}
  std::vector<Diagnostic> diagnostics;
};

/// Our mistake: asks for a report and never blames the kernel.
class InternalError : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

/// The error index: every code once, with a title and an explanation. Rules of the API rows (R...) join it by themselves.
/// L language, T types and shapes, R rules of an API, M memory, S synchronisation, K launch and host, C cache and files, P platform and
/// set-up.
struct Code {
  std::string_view code, title, text;
};
std::span<const Code> codes();

} // namespace asc
