// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The descriptor of a list of tensors in global memory (01-memory section 9): byte offset of the addresses, a record of every tensor
// (dimensions in the low half of its first word, in the high half of the first record how many tensors there are, in the others the number
// of the tensor; then its shape), and the addresses. Without shapes there is one record of two words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace asc::sim {

class TensorList {
public:
  /// `words` of a descriptor that list_descriptor has made.
  explicit TensorList(std::span<const uint64_t> words) : words_(words) {}
  uint64_t size() const { return words_[1] >> 32; }
  uint64_t dim() const { return uint32_t(words_[1]); }
  uint64_t shape(uint64_t tensor, uint64_t dimension) const { return words_[2 + tensor * (1 + dim()) + dimension]; }
  uint64_t data(uint64_t tensor) const { return words_[bytes_before_data() / sizeof(uint64_t) + tensor]; }
  uint64_t bytes_before_data() const { return words_[0]; }

private:
  std::span<const uint64_t> words_;
};

/// The words of a descriptor; the addresses, the last ones, are 0. Tensors that differ in the number of their dimensions have no shapes.
std::vector<uint64_t> list_descriptor(std::span<const std::vector<uint64_t>> shapes);

} // namespace asc::sim
