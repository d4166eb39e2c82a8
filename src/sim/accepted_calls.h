// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of a block that obey their rules. A loop makes the same few calls again and again, as its buffers take turns and its copies
// walk through arrays: they need not be asked twice.
#pragma once

#include "sim/executable.h"

#include <algorithm>
#include <bit>

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
    const uint64_t global = global_tensor(site, call);
    for (unsigned slot = 0; slot < site.lay->slots; ++slot) {
      *word++ = global >> slot & 1 ? place_in_array(call.slots[slot].bits) : call.slots[slot].bits;
      if (global >> slot & 1) *word++ = call.slots[++slot].bits ? reach(site, call, core, call.slots[slot - 1]) : 0;
    }
    for (const uint64_t bits : registers(core)) *word++ = bits;
  }

private:
  static constexpr unsigned kCalls = 4;         // of an instruction
  static constexpr int64_t kAlignment = 1 << 9; // no rule asks for more
  using Registers = std::array<uint64_t, ApiSite::Accepting::kRegisters>;
  static Registers registers(const CoreState &core) {
    return {core.mask_lo, core.mask_hi,
            uint64_t(core.counter_mode | core.keep_inf_nan << 1 | core.saturate_int << 2 | unsigned(core.deq_scale_kind) << 3 |
                     core.atomic.number() << 5) |
                (core.deq_scale & kDeqSign)};
  }
  static size_t place(const ApiSite &site, unsigned call) { return site.accepting->first_word * kCalls + call * site.accepting->words; }
  /// The bit of the slot of a tensor in global memory, when there is just one. Where in its array it lies is nothing to the rules, but for
  /// its alignment, and its length only has to be enough.
  static uint64_t global_tensor(const ApiSite &site, const Call &call) {
    uint64_t found = 0;
    for (uint64_t rest = site.accepting->addresses; rest; rest &= rest - 1)
      if (Address(call.slots[unsigned(std::countr_zero(rest))].bits).memory() == Memory::GM) {
        if (found) return 0;
        found = rest & -rest;
      }
    return found;
  }
  static uint64_t place_in_array(uint64_t address) { return Address(Memory::GM, 0, Address(address).offset() & (kAlignment - 1)).word; }
  /// How many bytes from its start on the call touches of a tensor.
  static uint64_t reach(const ApiSite &site, const Call &call, const CoreState &core, const Operand &tensor) {
    Accesses accesses;
    if (site.row->access) site.row->access(call, core, accesses);
    int64_t most = 1;
    for (const Access &access : accesses.span())
      if (!access.empty() && access.address.memory() == Memory::GM)
        most = std::max(most, access.address.offset() + access.extent().second - Address(tensor.bits).offset());
    return uint64_t(most);
  }
  static bool equal(const uint64_t *word, const ApiSite &site, const Call &call, const CoreState &core) {
    const uint64_t global = site.accepting->addresses ? global_tensor(site, call) : 0;
    for (unsigned slot = 0; slot < site.lay->slots; ++slot) {
      const uint64_t bits = call.slots[slot].bits;
      if (!(global >> slot & 1)) {
        if (*word++ != bits) return false;
        continue;
      }
      if (*word++ != place_in_array(bits)) return false;
      const uint64_t enough = *word++, length = call.slots[++slot].bits;
      if (enough == 0 ? length != 0 : length < enough) return false;
    }
    const Registers now = registers(core);
    return std::equal(now.begin(), now.end(), word);
  }

  std::vector<unsigned> filled_; // calls that an instruction has added
  std::vector<uint64_t> words_;
};

} // namespace asc::sim
