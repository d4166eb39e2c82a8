// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace asc::kernel_file {

using Digest = std::array<uint8_t, 32>;

/// The digest of the parts, one after the other.
Digest sha256(std::initializer_list<std::string_view> parts);

} // namespace asc::kernel_file
