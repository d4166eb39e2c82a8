// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that a block has made already. A loop makes the same few calls again and again, as its buffers take turns and its copies walk
// through arrays: that they obey their rules, and what they touch, is found once.
#pragma once

#include "sim/executable.h"

#include <algorithm>
#include <bit>

namespace asc::sim {

class KnownCalls {
  using Registers = std::array<uint64_t, 3>;

public:
  /// A call that may come again. It is the same when its slots are, but for the place of its tensor in global memory, when it has just
  /// one: where in its array that lies is nothing to the rules, but for its alignment, and its length only has to be enough.
  class Entry {
  public:
    /// What the call and all that repeat it have in common: never the same for others. 0 when what it touches was not kept.
    uint64_t number() const { return number_; }
    /// Of the vector unit, which takes as long again; 0 when that was not kept.
    uint64_t cycles() const { return cycles_; }
    void keep_cycles(uint64_t cycles) { cycles_ = number_ ? cycles : 0; }
    /// Adds what the call touches; false when that was not kept.
    bool restore(const Call &call, Accesses &accesses) const {
      if (number_ == 0) return false;
      const uint64_t moved = tensor_word(call) - place_;
      for (const Access &access : kept_) {
        Access &own = accesses.add();
        own = access;
        if (own.address.memory() == Memory::GM) own.address.word += moved;
      }
      return true;
    }

  private:
    friend KnownCalls;
    uint64_t tensor_word(const Call &call) const { return length_ ? call.slots[length_ - 1].bits : 0; }

    unsigned length_ = 0; // slot with the length of the tensor in global memory, behind that of its address; 0: no such tensor
    uint64_t shortest_ = 0, longest_ = 0; // that its length may be
    Registers registers_ = {};
    uint64_t number_ = 0, cycles_ = 0;
    std::vector<Access> kept_;
    uint64_t place_ = 0; // of the tensor in global memory, in the call whose accesses were kept
  };

  /// Forgets all calls. `slots`: of all instructions together. Without `rules` nobody asks whether they hold.
  void start(size_t instructions, size_t slots, bool rules) {
    rules_ = rules, numbers_ = 0;
    added_.assign(instructions, 0);
    slots_.resize(slots * kCalls);
    if (entries_.size() < instructions * kCalls) entries_.resize(instructions * kCalls);
  }
  /// The call that this one repeats, or null.
  Entry *find(const ApiSite &site, const Call &call, const CoreState &core) {
    unsigned &added = added_[site.known->number];
    if (added == kPatience) return nullptr;
    for (unsigned i = 0; i < std::min(added, kCalls); ++i) {
      Entry &entry = entries_[site.known->number * kCalls + i];
      if (!equal(entry, slots(site, i), site, call, core)) continue;
      if (added >= 2 * kCalls) added = kCalls + added % kCalls;
      return &entry;
    }
    return nullptr;
  }
  /// Remembers a call instead of the oldest one of its instruction.
  void add(const ApiSite &site, const Call &call, const CoreState &core) {
    unsigned &added = added_[site.known->number];
    if (added == kPatience) return;
    const unsigned i = added++ % kCalls;
    Entry &entry = entries_[site.known->number * kCalls + i];
    const uint64_t global = global_tensor(site, call);
    entry.length_ = global ? unsigned(std::countr_zero(global)) + 1 : 0;
    entry.shortest_ = 0, entry.longest_ = UINT64_MAX;
    if (global && rules_) {
      if (call.slots[entry.length_].bits)
        entry.shortest_ = reach(site, call, core, call.slots[entry.length_ - 1]);
      else
        entry.longest_ = 0; // not given
    }
    entry.registers_ = registers(core);
    entry.number_ = entry.cycles_ = 0;
    Slot *slot = slots(site, i);
    for (unsigned number = 0; number < site.lay->slots; ++number) slot[number] = {call.slots[number].bits, ~uint64_t(0)};
    if (global) slot[entry.length_ - 1].matter = kPlaceInArray, slot[entry.length_].matter = 0;
  }

  /// Keeps what an entry's call touches, where that follows from what is compared.
  void keep(Entry &entry, const Call &call, const Accesses &accesses) {
    const auto follows = [](const Access &access) { return access.of_tensor() && !access.offsets; };
    if (!std::all_of(accesses.span().begin(), accesses.span().end(), follows)) return;
    entry.kept_.assign(accesses.span().begin(), accesses.span().end());
    entry.place_ = entry.tensor_word(call);
    entry.number_ = ++numbers_;
  }

private:
  struct Slot {
    uint64_t bits, matter; // the bits that have to be the same
  };
  static constexpr unsigned kCalls = 4;          // of an instruction
  static constexpr unsigned kPatience = 64;      // after so many different calls of an instruction no more are expected to repeat
  static constexpr uint64_t kAlignment = 1 << 9; // no rule asks for more
  static constexpr uint64_t kPlaceInArray = uint64_t(7) << 60 | (kAlignment - 1);

  /// What rules and accesses look at.
  static Registers registers(const CoreState &core) {
    return {core.mask_lo, core.mask_hi,
            uint64_t(core.counter_mode | core.keep_inf_nan << 1 | core.saturate_int << 2 | unsigned(core.deq_scale_kind) << 3 |
                     core.atomic.number() << 5) |
                (core.deq_scale & kDeqSign)};
  }
  Slot *slots(const ApiSite &site, unsigned call) { return slots_.data() + site.known->first_slot * kCalls + call * site.lay->slots; }
  /// The bit of the slot of a tensor in global memory, when there is just one.
  static uint64_t global_tensor(const ApiSite &site, const Call &call) {
    uint64_t found = 0;
    for (uint64_t rest = site.known->addresses; rest; rest &= rest - 1)
      if (Address(call.slots[unsigned(std::countr_zero(rest))].bits).memory() == Memory::GM) {
        if (found) return 0;
        found = rest & -rest;
      }
    return found;
  }
  /// How many bytes from its start on the call touches of a tensor.
  uint64_t reach(const ApiSite &site, const Call &call, const CoreState &core, const Operand &tensor) {
    touched_.size = 0;
    if (site.row->access) site.row->access(call, core, touched_);
    int64_t most = 1;
    for (const Access &access : touched_.span())
      if (!access.empty() && access.address.memory() == Memory::GM)
        most = std::max(most, access.address.offset() + access.extent().second - Address(tensor.bits).offset());
    return uint64_t(most);
  }
  static bool equal(const Entry &entry, const Slot *slot, const ApiSite &site, const Call &call, const CoreState &core) {
    for (unsigned i = 0; i < site.lay->slots; ++i)
      if ((slot[i].bits ^ call.slots[i].bits) & slot[i].matter) return false;
    const uint64_t length = entry.length_ ? call.slots[entry.length_].bits : 0;
    return length >= entry.shortest_ && length <= entry.longest_ && entry.registers_ == registers(core);
  }

  bool rules_ = true;
  uint64_t numbers_ = 0;        // given to entries
  std::vector<unsigned> added_; // by instruction, since the last one that was found
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;
  Accesses touched_; // used by reach
};

} // namespace asc::sim
