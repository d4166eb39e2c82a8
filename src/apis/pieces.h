// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the lanes of a repeat between strided memory and a buffer, and touches no others.
#pragma once

#include "apis/vector.h"

#include <cstring>

namespace asc {

/// The lanes of a repeat that are on, as pieces within blocks, counted in bytes of the widest operand; of an operand with elements of half
/// the size everything is half as large (`shift` is 1).
class Pieces {
public:
  Pieces(const Walk &walk, uint32_t lanes) {
    Access repeat = {.masked = walk.masked, .element = uint8_t(walk.element), .blocks = kRepeatBlocks, .bytes = kBlockBytes};
    repeat.block_stride = kBlockBytes;
    repeat.tail = lanes * walk.element;
    repeat.mask = walk.mask;
    repeat.for_each_piece(0, [&](int64_t offset, int64_t bytes) { pieces_[size_++] = {uint8_t(offset), uint8_t(bytes)}; });
  }
  /// From strided memory into a buffer of one repeat.
  void load(std::byte *buffer, const std::byte *from, size_t block_stride, unsigned shift) const {
    for (const Piece &piece : std::span(pieces_.data(), size_)) {
      const size_t offset = piece.offset >> shift;
      copy(buffer + offset, from + in_memory(offset, block_stride, kBlockBytes), piece.bytes >> shift);
    }
  }
  /// `block_bytes`: how many bytes of a block are lanes.
  void store(std::byte *to, const std::byte *buffer, size_t block_stride, size_t block_bytes, unsigned shift) const {
    for (const Piece &piece : std::span(pieces_.data(), size_)) {
      const size_t offset = piece.offset >> shift;
      copy(to + in_memory(offset, block_stride, block_bytes), buffer + offset, piece.bytes >> shift);
    }
  }

private:
  struct Piece {
    uint8_t offset, bytes;
  };
  static size_t in_memory(size_t offset, size_t block_stride, size_t block_bytes) {
    return (offset >> std::countr_zero(block_bytes)) * block_stride + (offset & (block_bytes - 1));
  }
  static void copy(std::byte *to, const std::byte *from, size_t bytes) {
    switch (bytes) { // sizes that the compiler knows become single moves
    case 2: std::memcpy(to, from, 2); break;
    case 4: std::memcpy(to, from, 4); break;
    case kBlockBytes: std::memcpy(to, from, kBlockBytes); break;
    default: std::memcpy(to, from, bytes);
    }
  }
  std::array<Piece, kRepeatBytes / 2> pieces_;
  size_t size_ = 0;
};

} // namespace asc
