// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decoded form of a program: one step per instruction with its handler, immutable and shared by all launches.
#pragma once

#include "isa/program.h"
#include "sim/hardware.h"
#include "sim/simulator.h"

#include <deque>

namespace asc::sim {

class Machine;
struct Step;

/// Does an instruction and returns the next one; null when the block stops (Machine::state says why).
using Handler = const Step *(*)(Machine &, const Step &);

/// How a slot reads its register: the low bits, extended as its type says. The two registers of a tensor are read whole.
struct SlotRead {
  uint32_t reg;
  DType dtype;
  uint8_t unused; // high bits
  bool is_signed;

  uint64_t of(uint64_t bits) const { return is_signed ? uint64_t(int64_t(bits << unused) >> unused) : bits << unused >> unused; }
};

/// What an API instruction needs, looked up once.
struct ApiSite {
  const Row *row;
  const Layout *lay;
  const SlotRef *slots;
  std::vector<SlotRead> reads; // per slot
  const VectorCost *vector;    // of rows with CostShape::Vector
  uint32_t result;             // register, or kNoRegister
  uint8_t form;
  uint8_t element;                 // bytes of the widest tensor element
  std::vector<const Rule *> rules; // those that values of the run decide
  /// Where KnownCalls keeps the calls of this instruction.
  struct Known {
    uint32_t number;
    size_t first_slot;
    uint64_t addresses; // a bit per slot that may have an address in global memory; the length of that tensor follows
  };
  std::optional<Known> known;
};

struct Step {
  Handler run;
  union {
    const ApiSite *site;
    const Step *target; // of jumps
  };
  uint32_t dst, a, b;
  Op op;
  DType type;
  uint8_t aux;
};
static_assert(sizeof(Step) == 32);

class Executable {
public:
  explicit Executable(Program program);
  Executable(const Executable &) = delete;

  const Program program;
  const Hardware *chip;
  std::vector<Step> steps;
  uint32_t known = 0; // instructions with ApiSite::known, and their slots
  size_t known_slots = 0;
  bool scalar_accesses = false; // S itself may read or write UB
  bool cores_talk = false;      // one core may wait for another: cross-core flags, words in global memory

private:
  const ApiSite &add_site(const Instr &instr);

  std::deque<ApiSite> sites_;
};

} // namespace asc::sim
