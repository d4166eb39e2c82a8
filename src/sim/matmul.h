// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a Matmul keeps: its sizes, its operands, and how far iterate has come.
#pragma once

#include "apis/matmul.h"

namespace asc::sim {

struct MatmulState {
  static constexpr int64_t kMost = 4; // in a kernel

  struct Tensor {
    Address address;
    uint64_t length = 0; // bytes; 0: not given
    DType dtype = DType::Void;
    bool transposed = false, given = false;
  };

  bool registered = false, initialised = false;
  int64_t org_m = 0, org_n = 0, org_ka = 0, org_kb = 0, org_kc = 0; // of the matrices in memory; kc: distance of the rows of C
  int64_t m = 0, n = 0, k = 0;                                      // of the part of this core
  int64_t base_m = 0, base_n = 0, base_k = 0, step_m = 0, step_n = 0;
  std::array<int64_t, 3> most = {}; // m, n and k can be
  bool rows_first = true, double_a = false, double_b = false, double_c = false;
  std::array<Tensor, 3> operands; // A, B, the bias

  int64_t next = 0;                      // block that iterate computes
  bool ended = false, has_block = false; // iterate has answered with false; the block has not been fetched
  bool computed = false;                 // `block` holds one
  BlockGrid::Block at = {};              // where, and its size
  int64_t rows = 0, columns = 0;
  CubeBlock block;

  BlockGrid grid() const { return {(m + base_m - 1) / base_m, (n + base_n - 1) / base_n, step_m, step_n, rows_first}; }
  void restart() { next = 0, ended = has_block = false; }
};

} // namespace asc::sim
