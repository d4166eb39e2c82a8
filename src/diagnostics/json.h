// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics as JSON, in the form that docs/messages.md describes.
#pragma once

#include "diagnostics/diagnostic.h"

namespace asc {

/// A text in quotes.
std::string json_text(std::string_view text);
/// An array of values that are JSON already.
std::string json_array(std::span<const std::string> values);

std::string to_json(const Diagnostic &diagnostic);

} // namespace asc
