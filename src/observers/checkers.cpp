// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See checkers.h.
#include "observers/checkers.h"

#include "observers/races.h"
#include "observers/uninitialised.h"
#include "observers/watch.h"

#include <algorithm>

namespace asc {

Checks useful_checks(const Program &program) {
  Checks checks = Checks::all();
  const bool reads_or_writes =
      std::any_of(program.code.begin(), program.code.end(), [](const Instr &i) { return i.op == Op::GetValue || i.op == Op::SetValue; });
  if (!reads_or_writes) checks = checks.without(Check::DataCache);
  if (!calls(program, "check_local_memory_ia")) checks = checks.without(Check::Watch);
  return checks;
}

std::vector<std::unique_ptr<sim::Observer>> make_checkers(Checks checks) {
  std::vector<std::unique_ptr<sim::Observer>> checkers;
  if (checks.has(Check::Races) || checks.has(Check::CoreRaces) || checks.has(Check::DataCache))
    checkers.push_back(make_race_checker(checks));
  if (checks.has(Check::Uninitialised)) checkers.push_back(make_uninitialised_checker());
  if (checks.has(Check::Watch)) checkers.push_back(make_watch_checker());
  return checkers;
}

} // namespace asc
