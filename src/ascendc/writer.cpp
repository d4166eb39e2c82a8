// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ascendc/writer.h"

#include <filesystem>

namespace asc {

std::string Writer::path_of(const std::string &file) const {
  std::filesystem::path path(file), folder = std::filesystem::path(home_).parent_path();
  std::string shown = path.is_absolute() ? path.lexically_relative(folder).generic_string() : file;
  std::string escaped;
  for (char c : shown) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped;
}

void Writer::line(std::string_view text) {
  if (directives_ && place_.line != 0 && (place_.line != next_line_ || place_.file != file_)) {
    text_ += "#line " + std::to_string(place_.line) + " \"" + path_of(place_.file) + "\"\n";
    next_line_ = place_.line;
    file_ = place_.file;
  }
  if (!text.empty()) text_.append(2 * depth_, ' ').append(text);
  text_ += '\n';
  ++next_line_;
}

} // namespace asc
