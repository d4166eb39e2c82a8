// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instruction sets the host has, and which one is used.
#include "apis/instruction_set.h"

#include <atomic>
#include <cstdlib>
#include <vector>

namespace asc {
namespace {

std::vector<InstructionSet> detect() {
  std::vector<InstructionSet> sets = {InstructionSet::Baseline};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("f16c")) return sets;
  sets.push_back(InstructionSet::Avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    sets.push_back(InstructionSet::Avx512);
#endif
  return sets;
}

InstructionSet choose() {
  const char *wanted = std::getenv("PYASC_ISA");
  for (InstructionSet set : instruction_sets())
    if (wanted && name(set) == wanted) return set;
  return instruction_sets().back();
}

std::atomic<InstructionSet> &current() {
  static std::atomic<InstructionSet> set = choose();
  return set;
}

} // namespace

std::span<const InstructionSet> instruction_sets() {
  static const std::vector<InstructionSet> sets = detect();
  return sets;
}

std::string_view name(InstructionSet set) {
  constexpr std::string_view names[] = {"baseline", "avx2", "avx512"};
  return names[unsigned(set)];
}

InstructionSet instruction_set() { return current().load(std::memory_order_relaxed); }
void use_instruction_set(InstructionSet set) { current().store(set, std::memory_order_relaxed); }

} // namespace asc
