// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops compiled once per instruction set of the host. A wheel runs on every machine of its architecture and takes the best set of the one
// it is on; all sets give the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace asc {

enum class InstructionSet : uint8_t { Baseline, Avx2, Avx512 };

/// Sets that this machine can run, Baseline first.
std::span<const InstructionSet> instruction_sets();
std::string_view name(InstructionSet set);

/// The set in use: the best one, or what the environment variable PYASC_ISA names ("baseline", "avx2", "avx512"), read once.
InstructionSet instruction_set();
/// For tests; `set` must be one of instruction_sets().
void use_instruction_set(InstructionSet set);

#define ASC_INLINE [[gnu::always_inline]] inline

#if defined(__x86_64__)
#define ASC_AVX2 gnu::target("avx2,f16c")
#define ASC_AVX512 gnu::target("avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl")

template <class Body, class... A> [[ASC_AVX2]] void run_on_avx2(A... args) { Body::template run<InstructionSet::Avx2>(args...); }
template <class Body, class... A> [[ASC_AVX512]] void run_on_avx512(A... args) { Body::template run<InstructionSet::Avx512>(args...); }
#endif

/// Calls `Body::run<set>(args...)`, compiled for the set in use. `run` is ASC_INLINE, so that its loops become part of the function for
/// that set.
template <class Body, class... A> void run_on_best(A... args) {
#if defined(__x86_64__)
  switch (instruction_set()) {
  case InstructionSet::Avx512: return run_on_avx512<Body>(args...);
  case InstructionSet::Avx2: return run_on_avx2<Body>(args...);
  case InstructionSet::Baseline: break;
  }
#endif
  Body::template run<InstructionSet::Baseline>(args...);
}

} // namespace asc

/// Before a loop whose iterations are independent: operands are the same elements or have no byte in common. Sanitizers keep loops scalar.
#if !defined(__clang__)
#define ASC_VECTOR_LOOP _Pragma("GCC ivdep")
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define ASC_VECTOR_LOOP
#else
#define ASC_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#endif
