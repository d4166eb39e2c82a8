// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies, cached and streaming.
#include "apis/copy.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace asc {

constexpr size_t kCacheLine = 64;
constexpr size_t kStreamBytes = 1024; // shorter pieces go through the cache: partial lines at both ends would cost more

void stream_copy(std::byte *dst, const std::byte *src, size_t bytes) {
#if defined(__x86_64__)
  if (bytes >= kStreamBytes) {
    const size_t head = (kCacheLine - reinterpret_cast<uintptr_t>(dst) % kCacheLine) % kCacheLine;
    std::memcpy(dst, src, head);
    dst += head, src += head, bytes -= head;
    for (; bytes >= kCacheLine; dst += kCacheLine, src += kCacheLine, bytes -= kCacheLine) {
      const auto *from = reinterpret_cast<const __m128i *>(src);
      auto *to = reinterpret_cast<__m128i *>(dst);
      const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1), c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
      _mm_stream_si128(to, a);
      _mm_stream_si128(to + 1, b);
      _mm_stream_si128(to + 2, c);
      _mm_stream_si128(to + 3, d);
    }
    _mm_sfence(); // streamed lines become visible to other threads in order, like ordinary stores
  }
#endif
  std::memcpy(dst, src, bytes);
}

void copy_blocks(std::byte *dst, const std::byte *src, const BlockCopy &copy) {
  if (copy.src_step == copy.bytes && copy.dst_step == copy.bytes && copy.stream) return stream_copy(dst, src, copy.blocks * copy.bytes);
  for (size_t i = 0; i < copy.blocks; ++i, dst += copy.dst_step, src += copy.src_step) {
    if (copy.stream)
      stream_copy(dst, src, copy.bytes);
    else
      std::memmove(dst, src, copy.bytes);
  }
}

} // namespace asc
