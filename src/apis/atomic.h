// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores to global memory that combine with what is there.
#pragma once

#include "apis/api.h"
#include "apis/copy.h"

namespace asc {

/// dst = op(dst, src), element by element, as the core's register says.
void combine_blocks(std::byte *dst, const std::byte *src, const BlockCopy &copy, const CoreState &core);

/// A store to global memory: dst = src, or what the core's register says.
inline void store_blocks(std::byte *dst, const std::byte *src, const BlockCopy &copy, const CoreState &core) {
  core.atomic.type == DType::Void ? copy_blocks(dst, src, copy) : combine_blocks(dst, src, copy, core);
}

/// Marks the stores to global memory among the accesses of a copy when they are atomic.
inline void note_atomic_stores(Accesses &accesses, const CoreState &core) {
  if (core.atomic.type == DType::Void) return;
  for (Access &access : accesses.span())
    if (access.write && access.address.memory() == Memory::GM) access.atomic = core.atomic.number();
}

/// For copies: the elements that are stored are those that the register means.
extern const Rule atomic_elements;

} // namespace asc
