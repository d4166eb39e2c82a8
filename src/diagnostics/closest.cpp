// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See closest.h.
#include "diagnostics/closest.h"

#include <algorithm>
#include <vector>

namespace asc {

/// Levenshtein's.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string_view closest(std::string_view word, std::span<const std::string_view> words) {
  std::string_view found;
  if (word.size() >= 64) return found;
  size_t least = std::max<size_t>(2, word.size() / 3) + 1;
  for (const std::string_view other : words)
    if (const size_t d = distance(word, other); d < least) least = d, found = other;
  return found;
}

} // namespace asc
