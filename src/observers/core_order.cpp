// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See core_order.h.
#include "observers/core_order.h"

#include <algorithm>

namespace asc {

static void join(CoreClocks &into, const CoreClocks &from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (size_t core = 0; core < from.size(); ++core) HappensBefore::join(into[core], from[core]);
}

void CoreOrder::release(uint32_t core, const HappensBefore::Clock &clock, const Knowledge &known, uint64_t variable, uint32_t readers) {
  Variable &v = variables_.try_emplace(variable, Variable{{}, readers}).first->second;
  if (known) join(v.clocks, *known);
  if (v.clocks.size() <= core) v.clocks.resize(core + 1);
  HappensBefore::join(v.clocks[core], clock);
}

Knowledge CoreOrder::acquire(uint32_t core, const Knowledge &known, uint64_t variable, HappensBefore::Clock &own) {
  const auto found = variables_.find(variable);
  if (found == variables_.end()) return known;
  Variable &v = found->second;
  auto learned = std::make_shared<CoreClocks>(v.clocks);
  if (core < learned->size()) HappensBefore::join(own, (*learned)[core]);
  if (known) join(*learned, *known);
  if (v.readers != 0 && --v.readers == 0) variables_.erase(found);
  return learned;
}

} // namespace asc
