// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "did you mean ...?"
#pragma once

#include <span>
#include <string_view>

namespace asc {

/// The word that another one may have been meant to be: the fewest letters to change, two or a third of them at most; empty: none is like
/// it.
std::string_view closest(std::string_view word, std::span<const std::string_view> words);

} // namespace asc
