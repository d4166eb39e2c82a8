// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary of data movement: copies between the caller's arrays and on-chip memory.
#pragma once

#include <cstddef>

namespace asc {

/// Copies with stores that bypass the caches, which saves reading the destination first. For data that is not read again soon.
void stream_copy(std::byte *dst, const std::byte *src, size_t bytes);

/// Blocks of `bytes` bytes whose starts are `src_step` and `dst_step` bytes apart, in order; a block is read before it is written.
struct BlockCopy {
  size_t blocks, bytes, src_step, dst_step;
  bool stream = false; // see stream_copy
};
void copy_blocks(std::byte *dst, const std::byte *src, const BlockCopy &copy);

} // namespace asc
