// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See checks.h.
#include "diagnostics/checks.h"

#include <algorithm>
#include <iterator>

namespace asc {

static constexpr CheckInfo kCheckInfos[] = {
    {"bounds", "M105 M107", "M101 M102 M103 M104 M106 M108", "accesses outside of memory, of an array or of a tensor"},
    {"rules", "R", "", "what the rules of an instruction forbid: alignment, ranges, overlap"},
    {"uninitialised", "M301 M302 M303", "", "reads of bytes that nothing has written"},
    {"races", "S301 S302", "", "accesses of one core that nothing orders"},
    {"core_races", "S303 S304", "", "accesses of several cores to the same bytes that nothing orders"},
    {"flags", "S101 S104 S106 S108", "S102 S103 S105 S107", "flags that are set twice, left set, or used in a wrong way"},
    {"queues", "Q107", "Q101 Q102 Q103 Q104 Q109 Q111 Q112 Q113 Q114 Q115 Q116 Q121 Q122 Q123",
     "tensors that are not freed, and queues or a Matmul used in a wrong way"},
    {"overflow", "M201 M202 M203 M205", "", "integers that do not fit, divisions by zero, far shifts"},
    {"data_cache", "S401 S402 S403", "", "reads that miss stores, and stores that are lost, because of the scalar unit's data cache"},
    {"watch", "M401", "", "accesses to bytes that the kernel watches"},
    {"deadlock", "", "S201 S202 Q105 Q106 M204", "waits that never end, and launches beyond their limit of time"},
    {"capacity", "", "Q108 Q110", "queues and buffers that need more memory or event ids than there are"},
};
static_assert(std::size(kCheckInfos) == kChecks);

std::span<const CheckInfo, kChecks> check_infos() { return kCheckInfos; }

/// Is the code, or its first letter, among the words?
static bool among(std::string_view words, std::string_view code) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (word == code || (word.size() == 1 && code.starts_with(word))) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

std::optional<Check> check_of(std::string_view code) {
  for (unsigned i = 0; i < kChecks; ++i)
    if (among(kCheckInfos[i].codes, code)) return Check(i);
  return std::nullopt;
}

bool Checks::wants(std::string_view code) const {
  if (*this == none()) return false;
  const std::optional<Check> check = check_of(code);
  return !check || has(*check);
}

} // namespace asc
