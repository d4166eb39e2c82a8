// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix multiplication of the object Matmul (22-matmul-api): its calls, the order of its blocks, and its arithmetic.
#pragma once

#include "apis/types.h"

#include <span>
#include <vector>

namespace asc {

/// Calls of a Matmul, but for iterate, which has a result.
enum class MatmulCall : uint8_t {
  Register,
  Init,        // order that replaces that of the tiling (2: none), kTilingFields
  SetA,        // tensor, transposed, whether its type permits that
  SetB,        //
  SetBias,     // tensor
  DisableBias, //
  OrgShape,    // m, n, ka, kb, kc; 0 for kc: n
  SingleShape, // m, n, k; -1: as it is
  GetTensorC,  // tensor, atomic, sequential
  IterateAll,  // the same
  End,
};
/// The fields of TCubeTiling that a Matmul reads, as numbers of its fields.
enum class Tiling : uint8_t {
  M,
  N,
  Ka,
  Kb,
  SingleM,
  SingleN,
  SingleK,
  BaseM,
  BaseN,
  BaseK,
  StepM,
  StepN,
  IsBias,
  Order,
  L1,
  DbA,
  DbB,
  DbC
};
inline constexpr std::array<uint8_t, 18> kTilingFields = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 17, 19, 30, 31, 32};

struct MatmulCallInfo {
  std::string_view name; // Python
  uint8_t slots;
  bool tensor; // the first two slots are a tensor
};
inline constexpr std::array<MatmulCallInfo, 11> kMatmulCalls = {{{"register_matmul", 0, false},
                                                                 {"init", 1 + kTilingFields.size(), false},
                                                                 {"set_tensor_a", 4, true},
                                                                 {"set_tensor_b", 4, true},
                                                                 {"set_bias", 2, true},
                                                                 {"disable_bias", 0, false},
                                                                 {"set_org_shape", 5, false},
                                                                 {"set_single_shape", 3, false},
                                                                 {"get_tensor_c", 4, true},
                                                                 {"iterate_all", 4, true},
                                                                 {"end", 0, false}}};
static_assert(kMatmulCalls.size() == size_t(MatmulCall::End) + 1);

/// What a Matmul touches, as the argument numbers of its accesses.
enum class MatmulOperand : uint8_t { A, B, Bias, C };
inline constexpr std::array<std::string_view, 4> kMatmulOperands = {"A", "B", "the bias", "C"};

/// A's and B's, C's and the bias' element types that go together (22-matmul-api section 2, without quantisation).
struct MatmulTypes {
  DType ab, c, bias;
};
constexpr bool is_legal(const MatmulTypes &t) {
  switch (t.ab) {
  case DType::Int8: return t.c == DType::Int32 && t.bias == DType::Int32;
  case DType::Float16: return (t.c == DType::Float32 || t.c == DType::Float16) && (t.bias == DType::Float32 || t.bias == DType::Float16);
  case DType::BFloat16:
  case DType::Float32: return (t.c == DType::Float32 || t.c == DType::Float16 || t.c == DType::BFloat16) && t.bias == DType::Float32;
  default: return false;
  }
}

/// The numbers of an element type that one fractal holds along K: 32 bytes.
constexpr int64_t fractal_width(DType type) { return 32 / int64_t(size_of(type)); }

/// Blocks along M and N, in the order in which iterate comes to them (22-matmul-api section 5).
struct BlockGrid {
  int64_t rows, columns;
  int64_t step_rows, step_columns; // of blocks in a group
  bool rows_first;                 // ORDER_M: groups of columns; else groups of rows

  struct Block {
    int64_t row, column;
  };
  int64_t size() const { return rows * columns; }
  Block at(int64_t number) const;
};

/// A matrix in memory: element (i, j) is at `data` + i * rows + j * columns elements.
struct Matrix {
  const std::byte *data;
  DType type;
  int64_t rows, columns;
};
/// How C is combined with what is in memory: the number that get_tensor_c takes.
enum class StoreMode : uint8_t { Set, Add, Max, Min };
inline constexpr unsigned kStoreModes = 4;

/// A block of C in the memory of the cube core (L0C): floats, or int32 for int8.
class CubeBlock {
public:
  /// C = `bias`[j], or 0 without one (null data).
  void start(int64_t m, int64_t n, DType type, const Matrix &bias);
  /// C += A B, over `k` in steps of `base_k`. Products are exact; sums are made in float64 over the width of a fractal, ascending in k,
  /// and then rounded to float32 (assumption "sums of a Matmul"); int32 saturates after each step. `saturate`: Inf and NaN of a step
  /// become the largest number and 0.
  void multiply(const Matrix &a, const Matrix &b, int64_t k, int64_t base_k, bool saturate);
  /// Rounds the elements to `type` and stores row i from `to` + i * `stride` elements on.
  void store(std::byte *to, DType type, int64_t stride, StoreMode mode, bool saturate) const;

  int64_t rows() const { return m_; }
  int64_t columns() const { return n_; }

private:
  template <class Acc> void add(std::vector<Acc> &sums, const Matrix &a, const Matrix &b, int64_t from, int64_t to, int64_t slice);

  int64_t m_ = 0, n_ = 0, width_ = 0; // width: distance of rows, a multiple of what is computed at once
  bool integer_ = false;
  std::vector<float> floats_;
  std::vector<int32_t> integers_;
  std::vector<double> left_, right_; // slices of A and B
};

} // namespace asc
