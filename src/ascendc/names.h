// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ identifiers from Python names: legal, not a keyword, unique in a function.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <string_view>

namespace asc {

class Names {
public:
  /// An identifier like `wanted` ("t" when it is empty) that no earlier call returned.
  std::string unique(std::string_view wanted);

private:
  llvm::StringSet<> used_;
  llvm::StringMap<unsigned> last_number_;
};

} // namespace asc
