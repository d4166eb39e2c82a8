// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that change the format of matrices: from rows (ND) to fractals (NZ: columns of rows of 32 bytes), and back from columns of rows of
// 16 elements. On vector cores Ascend C's library does both.
#pragma once

#include "apis/api.h"

namespace asc {

/// Nd2NzParams of a call, in bytes. Row n of matrix m is at src[m * src_matrix + n * src_row]; its 32 bytes number c go to
/// dst[m * dst_matrix + c * dst_column + n * dst_row], and what the last of them leave free is 0.
struct ToFractals {
  size_t matrices, rows, row_bytes, columns, src_matrix, src_row, dst_matrix, dst_column, dst_row;

  ToFractals(const Call &call, unsigned params, size_t element);
  void access(uint8_t dst, uint8_t src, const Call &call, Accesses &accesses) const;
  void run(std::byte *dst, const std::byte *src) const;
};

/// Nz2NdParamsFull of a call, in bytes. The 16 elements number c of row n of matrix m go from
/// src[m * src_matrix + c * src_column + n * piece] to dst[m * dst_matrix + n * dst_row + c * piece].
struct FromFractals {
  size_t matrices, rows, columns, piece, src_matrix, src_column, dst_matrix, dst_row;

  FromFractals(const Call &call, unsigned params, size_t element);
  void access(uint8_t dst, uint8_t src, const Call &call, Accesses &accesses) const;
  void run(std::byte *dst, const std::byte *src, const CoreState &core) const;
};

std::optional<Violation> check_to_fractals(const Call &call, unsigned params, size_t element);
std::optional<Violation> check_from_fractals(const Call &call, unsigned params, size_t element);
/// In what the library of Ascend C differs from the documented copy to fractals.
std::optional<Violation> check_library_of_fractals(const Call &call, unsigned params, size_t element);

} // namespace asc
