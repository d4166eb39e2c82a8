// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ascendc/names.h"

#include <algorithm>
#include <array>

namespace asc {

/// Words that cannot name a variable or function: C++ and what kernel_operator.h defines without a namespace. Sorted.
static constexpr std::array kReserved = std::to_array<std::string_view>({
    "AscendC",      "GM_ADDR",   "alignas",   "alignof",   "and",          "and_eq",    "asm",           "auto",        "bfloat16_t",
    "bitand",       "bitor",     "bool",      "break",     "case",         "catch",     "char",          "char16_t",    "char32_t",
    "char8_t",      "class",     "co_await",  "co_return", "co_yield",     "compl",     "concept",       "const",       "const_cast",
    "consteval",    "constexpr", "constinit", "continue",  "decltype",     "default",   "delete",        "do",          "double",
    "dynamic_cast", "else",      "enum",      "explicit",  "export",       "extern",    "false",         "float",       "for",
    "friend",       "goto",      "half",      "if",        "inline",       "int",       "int16_t",       "int32_t",     "int64_t",
    "int8_t",       "long",      "main",      "mutable",   "namespace",    "new",       "noexcept",      "not",         "not_eq",
    "nullptr",      "operator",  "or",        "or_eq",     "private",      "protected", "public",        "register",    "reinterpret_cast",
    "requires",     "return",    "short",     "signed",    "sizeof",       "static",    "static_assert", "static_cast", "std",
    "struct",       "switch",    "template",  "this",      "thread_local", "throw",     "true",          "try",         "typedef",
    "typeid",       "typename",  "uint16_t",  "uint32_t",  "uint64_t",     "uint8_t",   "union",         "unsigned",    "using",
    "virtual",      "void",      "volatile",  "wchar_t",   "while",        "xor",       "xor_eq",
});
static_assert(std::is_sorted(kReserved.begin(), kReserved.end()));

std::string Names::unique(std::string_view wanted) {
  std::string name(wanted.empty() ? "t" : wanted);
  for (char &c : name)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9')) c = '_';
  // A leading underscore or digit and the helpers' prefix belong to others; PIPE_... and EVENT_... are macros or enumerators.
  bool taken = name[0] == '_' || (name[0] >= '0' && name[0] <= '9') || name.starts_with("pyasc_") || name.starts_with("PIPE_") ||
               name.starts_with("EVENT_") || std::binary_search(kReserved.begin(), kReserved.end(), name);
  if (taken) name = "v_" + name;
  if (used_.insert(name).second) return name;
  unsigned &last = last_number_[name]; // the numbers up to here are used: a name may come thousands of times
  for (;;)
    if (std::string candidate = name + "_" + std::to_string(++last); used_.insert(candidate).second) return candidate;
}

} // namespace asc
