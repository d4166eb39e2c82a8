// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of C++ text with indentation, and `#line` where the compiler's count leaves the Python source.
#pragma once

#include "diagnostics/diagnostic.h"

#include <string>

namespace asc {

class Writer {
public:
  /// `directives`: write `#line`. Paths are shown relative to the folder of `home`.
  Writer(bool directives, std::string home) : directives_(directives), home_(std::move(home)) {}

  /// The next line comes from this place; without a line it comes from nowhere in particular.
  void from(const Span &span) { place_ = span; }
  void line(std::string_view text);
  void open(std::string_view text) { line(text), ++depth_; }
  void close(std::string_view text = "}") { --depth_, place_ = {}, line(text); }
  /// `} else {`
  void close_and_open(std::string_view text) { close(text), ++depth_; }
  std::string take() { return std::move(text_); }

private:
  std::string path_of(const std::string &file) const;

  bool directives_;
  std::string home_, text_;
  unsigned depth_ = 0;
  Span place_;
  // What the C++ compiler takes the next line of text for.
  std::string file_;
  uint32_t next_line_ = 0;
};

} // namespace asc
