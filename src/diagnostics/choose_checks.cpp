// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See choose_checks.h.
#include "diagnostics/choose_checks.h"

#include "diagnostics/closest.h"
#include "diagnostics/diagnostic.h"

#include <algorithm>

namespace asc {

static std::string_view without_blanks(std::string_view word) {
  constexpr std::string_view kBlanks = " \t\n";
  word.remove_prefix(std::min(word.size(), word.find_first_not_of(kBlanks)));
  return word.substr(0, word.find_last_not_of(kBlanks) + 1);
}

ChosenChecks choose_checks(const std::vector<std::string> &words, bool outputs, const std::string &what, const char *code) {
  std::vector<std::string_view> names;
  for (const CheckInfo &info : check_infos()) names.push_back(info.name);
  if (outputs) names.push_back("outputs"); // one more bit
  const unsigned everything = (1u << names.size()) - 1;
  unsigned chosen = 0, left_out = 0;
  ChosenChecks result;
  for (const std::string &text : words) {
    const std::string_view word = without_blanks(text), name = word.substr(word.starts_with("-"));
    const auto at = size_t(std::find(names.begin(), names.end(), name) - names.begin());
    if (word == "adversarial") {
      result.adversarial = true;
    } else if (word == "all") {
      chosen = everything;
    } else if (word == "none" && words.size() == 1) {
      return {};
    } else if (at == names.size()) {
      names.insert(names.end(), {"adversarial", "all", "none"});
      std::string help = "there are: ";
      for (const std::string_view known : names) help += (known == names.front() ? "" : ", ") + std::string(known);
      if (const std::string_view near = closest(name, names); !near.empty()) help = "did you mean '" + std::string(near) + "'?";
      throw DiagnosticError({.code = code, .message = what + ": there is no check '" + std::string(name) + "'", .help = help});
    } else if (word == name) {
      chosen |= 1u << at;
    } else if (at < kChecks && check_infos()[at].codes.empty()) {
      throw DiagnosticError({.code = code,
                             .message = what + ": the check '" + std::string(name) + "' cannot be turned off",
                             .help = "what it finds stops the launch, because nothing sensible can follow"});
    } else {
      left_out |= 1u << at;
    }
  }
  chosen = (chosen ? chosen : everything) & ~left_out;
  result.checks = Checks(chosen & Checks::all().bits());
  result.outputs = chosen >> kChecks & 1;
  return result;
}

} // namespace asc
