// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary of reductions: lanes as floats, sums as trees of neighbours, and the first of the largest or smallest lanes. A lane of
// float16 is a float that float16 has.
#pragma once

#include "apis/numeric.h"
#include "apis/vector.h"

namespace asc {

/// The value that a sum is rounded to.
struct SumOf {
  bool half = false, saturate = false; // saturate: CTRL[48] = 0, float16 only
};

inline constexpr size_t kSumChunk = 2048; // lanes that tree_sums takes at a time

/// Adds neighbours, then neighbouring sums, until every `leaves` lanes have become one; in place. n is a multiple of leaves and at most
/// kSumChunk, leaves a power of two.
void tree_sums(float *lanes, size_t n, unsigned leaves, SumOf type);
/// The same where some lanes are off: `on` is 0 for those. A lane without a neighbour that is on passes to the next level as it is. `on`
/// says which sums there are afterwards.
void tree_sums(float *lanes, uint8_t *on, size_t n, unsigned leaves, SumOf type);
/// One addition of it.
float sum(float a, float b, SumOf type);

/// The largest or smallest of some lanes, and the first one that equals it. +0 equals -0; the first NaN is more than anything (assumption
/// "largest and smallest elements of reductions").
struct Extreme {
  float value;
  uint32_t index;
};
Extreme first_extreme(const float *lanes, size_t n, bool largest);
/// The same of the lanes whose `on` is not 0; there is one at least.
Extreme first_extreme(const float *lanes, const uint8_t *on, size_t n, bool largest);
/// Does the value `a` of a later lane replace `b`?
bool exceeds(float a, float b, bool largest);

/// The source of a reduction, repeat by repeat.
class RepeatLanes {
public:
  RepeatLanes(const Walk &walk, const std::byte *data, DType dtype);
  ~RepeatLanes();
  RepeatLanes(const RepeatLanes &) = delete;

  /// Loads the lanes of a repeat; those that are off have no meaning. Returns how many there are: fewer in a last repeat that ends early.
  size_t load(uint32_t repeat, float *lanes) const;
  /// Loads whole repeats one after the other; only if `plain`: all lanes of all but the last repeat are on.
  void load(uint32_t first, size_t repeats, float *lanes) const;
  bool plain() const { return !walk_.masked; }
  /// For masked walks: 0 for the lanes that are off.
  void flags(uint8_t *on) const;

private:
  struct Buffers;
  const Walk &walk_;
  const std::byte *const data_;
  const DType dtype_;
  const Buffers *const buffers_;
};

/// Stores a lane as an element.
void store_lane(std::byte *to, float lane, DType dtype);

} // namespace asc
