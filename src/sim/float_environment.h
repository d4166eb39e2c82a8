// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's floating-point state for the time of a launch: other libraries of the process may have switched off subnormals or changed the
// rounding.
#pragma once

#include <cstdint>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace asc::sim {

/// Rounds to nearest even with subnormals and without traps while it lives.
class FloatEnvironment {
public:
  FloatEnvironment() : before_(get()) { set(kIeee); }
  ~FloatEnvironment() { set(before_); }
  FloatEnvironment(const FloatEnvironment &) = delete;

private:
#if defined(__SSE__)
  static constexpr uint64_t kIeee = 0x1F80;
  static uint64_t get() { return _mm_getcsr(); }
  static void set(uint64_t v) { _mm_setcsr(uint32_t(v)); }
#elif defined(__aarch64__)
  static constexpr uint64_t kIeee = 0;
  static uint64_t get() {
    uint64_t v;
    asm volatile("mrs %0, fpcr" : "=r"(v));
    return v;
  }
  static void set(uint64_t v) { asm volatile("msr fpcr, %0" ::"r"(v)); }
#else
#error "how does this processor round?"
#endif
  uint64_t before_;
};

} // namespace asc::sim
