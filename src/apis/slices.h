// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a part of one tensor to a part of another: a slice in each dimension.
#pragma once

#include "apis/api.h"

namespace asc {

inline constexpr unsigned kMostSlices = assume::most_dimensions;

/// The part of a tensor that a list of SliceInfo names, in bytes: segments in dimension 0, the same ones in all rows that the other
/// dimensions take.
class Slices {
public:
  Slices(const Call &call, unsigned arg, size_t dimensions, size_t element, bool in_ub);

  struct Dimension {
    size_t count = 0, step = 0;
  };
  size_t size;      // dimensions
  size_t bytes;     // of a segment
  size_t start = 0; // of the first segment
  std::array<Dimension, kMostSlices> dimensions;

  size_t rows() const;
  size_t row(size_t number) const; // where it starts
};

/// `dimensions` of both lists are used.
class SliceCopy {
public:
  SliceCopy(const Call &call, unsigned dst_slices, unsigned src_slices, size_t dimensions, size_t element, bool to_ub);
  void access(uint8_t dst, uint8_t src, const Call &call, Accesses &accesses) const;
  void run(std::byte *dst, const std::byte *src, const CoreState &core) const;

private:
  Slices dst_, src_;
  size_t bytes_, segments_, rows_; // what both sides have
  bool to_ub_;
};

std::optional<Violation> check_slices(const Call &call, unsigned dst, unsigned src, unsigned dst_slices, unsigned src_slices, unsigned dims,
                                      size_t element);

} // namespace asc
