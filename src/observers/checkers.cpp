// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See checkers.h.
#include "observers/checkers.h"

#include "observers/races.h"
#include "observers/uninitialised.h"

namespace asc {

std::vector<std::unique_ptr<sim::Observer>> make_checkers(const Program &) {
  std::vector<std::unique_ptr<sim::Observer>> checkers;
  checkers.push_back(make_race_checker());
  checkers.push_back(make_uninitialised_checker());
  return checkers;
}

} // namespace asc
