// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See matmul.h.
#include "apis/matmul.h"

#include "apis/numeric.h"

#include <algorithm>
#include <cfloat>
#include <cstring>

namespace asc {

static constexpr int64_t kColumns = 8, kRows = 2; // of C that are computed at once

BlockGrid::Block BlockGrid::at(int64_t number) const {
  const int64_t across = rows_first ? columns : rows, along = rows_first ? rows : columns, step = rows_first ? step_columns : step_rows;
  const int64_t group = number / (along * step), rest = number % (along * step);
  const int64_t width = std::min(step, across - group * step);
  const int64_t outer = rest / width, inner = group * step + rest % width;
  return rows_first ? Block{outer, inner} : Block{inner, outer};
}

namespace {

template <class T> T load(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
double widened(int8_t v) { return v; }
double widened(int32_t v) { return v; }
double widened(float v) { return v; }
double widened(Half v) { return double(half_to_float(v.bits)); }
double widened(BFloat16 v) { return double(bfloat16_to_float(v.bits)); }

/// `rows` x `columns` elements as doubles, row after row at a distance of `width`; what is between is 0.
template <class T> void unpack(const Matrix &from, int64_t row, int64_t rows, int64_t column, int64_t columns, double *to, int64_t width) {
  for (int64_t i = 0; i < rows; ++i, to += width) {
    const std::byte *start = from.data + ((row + i) * from.rows + column * from.columns) * int64_t(sizeof(T));
    if (from.columns == 1)
      for (int64_t j = 0; j < columns; ++j) to[j] = widened(load<T>(start + j * int64_t(sizeof(T))));
    else
      for (int64_t j = 0; j < columns; ++j) to[j] = widened(load<T>(start + j * from.columns * int64_t(sizeof(T))));
    std::fill(to + columns, to + width, 0.0);
  }
}
template <class Fn> void with_type(DType type, Fn &&fn) {
  switch (type) {
  case DType::Int8: return fn(int8_t{});
  case DType::Int32: return fn(int32_t{});
  case DType::Float16: return fn(Half{});
  case DType::BFloat16: return fn(BFloat16{});
  default: return fn(float{});
  }
}
void unpack(const Matrix &from, int64_t row, int64_t rows, int64_t column, int64_t columns, double *to, int64_t width) {
  with_type(from.type, [&](auto element) { unpack<decltype(element)>(from, row, rows, column, columns, to, width); });
}

float narrowed(double sum, float) { return float(sum); }
int32_t narrowed(double sum, int32_t) { return clamp_to<int32_t>(int64_t(sum)); } // sums are exact

/// R rows of C, kColumns wide: sums over `k` products, rounded once.
template <int64_t R, class Acc> void tile(Acc *c, int64_t width, const double *a, const double *b, int64_t k) {
  double sums[R][kColumns];
  for (int64_t r = 0; r < R; ++r)
    for (int64_t j = 0; j < kColumns; ++j) sums[r][j] = double(c[r * width + j]);
  for (int64_t p = 0; p < k; ++p)
    for (int64_t r = 0; r < R; ++r) {
      const double factor = a[r * k + p];
      for (int64_t j = 0; j < kColumns; ++j) sums[r][j] += factor * b[p * width + j];
    }
  for (int64_t r = 0; r < R; ++r)
    for (int64_t j = 0; j < kColumns; ++j) c[r * width + j] = narrowed(sums[r][j], Acc{});
}

float limited(float f) {
  if (f != f) return 0;
  return std::clamp(f, -FLT_MAX, FLT_MAX);
}

float stored(float f, float, bool) { return quiet(f); }
int32_t stored(int32_t i, int32_t, bool) { return i; }
Half stored(float f, Half, bool saturate) { return {saturate ? saturate_half(float_to_half(f)) : float_to_half(f)}; }
BFloat16 stored(float f, BFloat16, bool) { return {float_to_bfloat16(f)}; }

template <class T> auto computing(T v) {
  if constexpr (std::is_same_v<T, Half>)
    return half_to_float(v.bits);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return bfloat16_to_float(v.bits);
  else
    return v;
}

/// What is in memory afterwards: each addition is rounded.
template <class T> T combined(T old, T value, StoreMode mode, bool saturate) {
  const auto x = computing(old), y = computing(value);
  switch (mode) {
  case StoreMode::Set: return value;
  case StoreMode::Add: return stored(plus(x, y, OverflowMode<Overflow::Wrap>{}), T{}, saturate);
  case StoreMode::Max: return stored(maximum(x, y), T{}, saturate);
  case StoreMode::Min: return stored(minimum(x, y), T{}, saturate);
  }
  return value;
}

template <class T, class Acc>
void store_rows(std::byte *to, const Acc *from, int64_t m, int64_t n, int64_t width, int64_t stride, StoreMode mode, bool saturate) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      std::byte *place = to + (i * stride + j) * int64_t(sizeof(T));
      T value = stored(from[i * width + j], T{}, saturate);
      if (mode != StoreMode::Set) value = combined(load<T>(place), value, mode, saturate);
      std::memcpy(place, &value, sizeof value);
    }
}

} // namespace

void CubeBlock::start(int64_t m, int64_t n, DType type, const Matrix &bias) {
  m_ = m, n_ = n, width_ = (n + kColumns - 1) / kColumns * kColumns;
  integer_ = type == DType::Int8;
  std::vector<double> row(size_t(width_), 0.0);
  if (bias.data) unpack(bias, 0, 1, 0, n, row.data(), width_);
  const auto fill = [&](auto &sums) {
    sums.resize(size_t(m * width_));
    for (int64_t i = 0; i < m; ++i)
      std::transform(row.begin(), row.end(), sums.begin() + i * width_, [&](double v) { return narrowed(v, sums[0]); });
  };
  integer_ ? fill(integers_) : fill(floats_);
}

template <class Acc>
void CubeBlock::add(std::vector<Acc> &sums, const Matrix &a, const Matrix &b, int64_t from, int64_t to, int64_t slice) {
  left_.resize(size_t(m_ * slice)), right_.resize(size_t(slice * width_));
  for (int64_t p = from; p < to; p += slice) {
    const int64_t k = std::min(slice, to - p);
    unpack(a, 0, m_, p, k, left_.data(), k);
    unpack(b, p, k, 0, n_, right_.data(), width_);
    int64_t i = 0;
    for (; i + kRows <= m_; i += kRows)
      for (int64_t j = 0; j < width_; j += kColumns)
        tile<kRows>(&sums[size_t(i * width_ + j)], width_, &left_[size_t(i * k)], &right_[size_t(j)], k);
    for (; i < m_; ++i)
      for (int64_t j = 0; j < width_; j += kColumns)
        tile<1>(&sums[size_t(i * width_ + j)], width_, &left_[size_t(i * k)], &right_[size_t(j)], k);
  }
}

void CubeBlock::multiply(const Matrix &a, const Matrix &b, int64_t k, int64_t base_k, bool saturate) {
  for (int64_t p = 0; p < k; p += base_k) {
    const int64_t to = std::min(k, p + base_k);
    if (integer_) {
      add(integers_, a, b, p, to, base_k);
      continue;
    }
    add(floats_, a, b, p, to, fractal_width(a.type));
    if (saturate) std::transform(floats_.begin(), floats_.end(), floats_.begin(), limited);
  }
}

void CubeBlock::store(std::byte *to, DType type, int64_t stride, StoreMode mode, bool saturate) const {
  switch (type) {
  case DType::Int32: return store_rows<int32_t>(to, integers_.data(), m_, n_, width_, stride, mode, saturate);
  case DType::Float16: return store_rows<Half>(to, floats_.data(), m_, n_, width_, stride, mode, saturate);
  case DType::BFloat16: return store_rows<BFloat16>(to, floats_.data(), m_, n_, width_, stride, mode, saturate);
  default: return store_rows<float>(to, floats_.data(), m_, n_, width_, stride, mode, saturate);
  }
}

} // namespace asc
