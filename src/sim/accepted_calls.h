// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of a block that obey their rules. A loop makes the same few vector calls again and again, as its buffers take turns: they need
// not be asked twice.
#pragma once

#include "sim/executable.h"

#include <algorithm>

namespace asc::sim {

class AcceptedCalls {
public:
  /// Forgets all calls.
  void start(const Executable &executable) {
    filled_.assign(executable.accepting, 0);
    words_.resize(executable.accepting_words * kCalls);
  }
  bool has(const ApiSite &site, const Call &call, const CoreState &core) const {
    if (!site.accepting) return false;
    const unsigned calls = std::min(filled_[site.accepting->number], kCalls);
    for (unsigned i = 0; i < calls; ++i)
      if (equal(words_.data() + place(site, i), site, call, core)) return true;
    return false;
  }
  /// Remembers a call instead of the oldest one of its instruction.
  void add(const ApiSite &site, const Call &call, const CoreState &core) {
    if (!site.accepting) return;
    uint64_t *word = words_.data() + place(site, filled_[site.accepting->number]++ % kCalls);
    for (unsigned slot = 0; slot < site.lay->slots; ++slot) *word++ = call.slots[slot].bits;
    for (const uint64_t bits : registers(core)) *word++ = bits;
  }

private:
  static constexpr unsigned kCalls = 4; // of an instruction
  using Registers = std::array<uint64_t, ApiSite::Accepting::kRegisters>;
  static Registers registers(const CoreState &core) {
    return {core.mask_lo, core.mask_hi, uint64_t(core.counter_mode | core.keep_inf_nan << 1 | core.saturate_int << 2)};
  }
  static size_t place(const ApiSite &site, unsigned call) { return site.accepting->first_word * kCalls + call * site.accepting->words; }
  static bool equal(const uint64_t *word, const ApiSite &site, const Call &call, const CoreState &core) {
    for (unsigned slot = 0; slot < site.lay->slots; ++slot)
      if (*word++ != call.slots[slot].bits) return false;
    const Registers now = registers(core);
    return std::equal(now.begin(), now.end(), word);
  }

  std::vector<unsigned> filled_; // calls that an instruction has added
  std::vector<uint64_t> words_;
};

} // namespace asc::sim
