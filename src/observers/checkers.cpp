// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See checkers.h.
#include "observers/checkers.h"

#include "observers/races.h"
#include "observers/uninitialised.h"

namespace asc {

std::vector<std::unique_ptr<sim::Observer>> make_checkers(const Program &, Checks checks) {
  std::vector<std::unique_ptr<sim::Observer>> checkers;
  if (checks.has(Check::Races) || checks.has(Check::CoreRaces)) checkers.push_back(make_race_checker(checks));
  if (checks.has(Check::Uninitialised)) checkers.push_back(make_uninitialised_checker());
  return checkers;
}

} // namespace asc
