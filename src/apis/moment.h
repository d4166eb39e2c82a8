// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The moments of a kernel in debug form that a debugger may want to see.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace asc {

enum class Moment : uint8_t {
  Enter,      // a function begins
  Line,       // a statement begins
  Leave,      // a function ends; the value is its result
  Breakpoint, // breakpoint() is called
};
inline constexpr unsigned kMoments = 4;
inline constexpr std::array<std::string_view, kMoments> kMomentNames = {"enter", "line", "leave", "breakpoint"};

} // namespace asc
