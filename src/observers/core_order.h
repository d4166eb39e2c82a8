// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cores of a launch know of each other, through cross-core flags and the other calls that make one core wait for another
// (07-sync sections 4-7).
#pragma once

#include "observers/happens_before.h"

#include <memory>
#include <unordered_map>

namespace asc {

/// For every other core, the last epoch of each of its pipes that has completed. Never changes: an instruction that a pipe does later
/// keeps what its core knew when S dispatched it.
using CoreClocks = std::vector<HappensBefore::Clock>;
using Knowledge = std::shared_ptr<const CoreClocks>;

class CoreOrder {
public:
  /// `clock`: what the pipe of `core` that releases knows of its own core; `known`: what it knows of the others.
  void release(uint32_t core, const HappensBefore::Clock &clock, const Knowledge &known, uint64_t variable, uint32_t readers);
  /// What `core` knows after it has acquired `variable`; `own` gets what the variable knows of its pipes.
  Knowledge acquire(uint32_t core, const Knowledge &known, uint64_t variable, HappensBefore::Clock &own);

  static bool knows(const Knowledge &known, uint32_t core, Pipe pipe, uint64_t epoch) {
    return known && core < known->size() && (*known)[core][unsigned(pipe)] >= epoch;
  }

private:
  struct Variable {
    CoreClocks clocks;
    uint32_t readers; // that are to come; 0: any number
  };
  std::unordered_map<uint64_t, Variable> variables_;
};

} // namespace asc
