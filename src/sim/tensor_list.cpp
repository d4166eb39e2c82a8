// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of tensors: their descriptors, and the instructions that read one.
#include "sim/tensor_list.h"

#include "sim/machine.h"

#include <algorithm>

namespace asc::sim {

std::vector<uint64_t> list_descriptor(std::span<const std::vector<uint64_t>> shapes) {
  constexpr uint64_t kNoShape = UINT32_MAX;
  const uint64_t count = shapes.size();
  const bool alike = std::all_of(shapes.begin(), shapes.end(), [&](const auto &shape) { return shape.size() == shapes[0].size(); });
  const uint64_t dim = alike ? shapes[0].size() : 0;
  std::vector<uint64_t> words(1);
  for (uint64_t i = 0; i < (dim ? count : 1); ++i) {
    words.push_back((i ? i : count) << 32 | dim);
    if (dim)
      words.insert(words.end(), shapes[i].begin(), shapes[i].end());
    else
      words.push_back(kNoShape);
  }
  words[0] = words.size() * sizeof(uint64_t);
  words.resize(words.size() + count);
  return words;
}

/// Calls `fn(list, number)` for the descriptor at register `s.a` and, if one is `named`, the tensor in register `s.b`.
template <class Fn> const Step *Machine::of_tensor_in_list(const Step &s, bool named, Fn &&fn) {
  const Address address(registers_[s.a]);
  const bool is_list = address.memory() == Memory::GM && address.window() < launch_->windows.size() && address.offset() == 0 &&
                       !launch_->windows[address.window()].list.empty();
  if (!is_list)
    return fault({"M108",
                  "a ListTensorDesc is used that no list of tensors belongs to",
                  {site(s, Pipe::S)},
                  "pass a Python list of arrays as the argument of the kernel, and that parameter as its data"});
  const Window &window = launch_->windows[address.window()];
  const TensorList list(std::span(reinterpret_cast<const uint64_t *>(window.data), window.bytes / sizeof(uint64_t)));
  const uint64_t number = named ? registers_[s.b] : 0;
  if (number >= list.size())
    return fault(
        {"M108",
         "tensor " + std::to_string(int64_t(number)) + " of the list " + window.name + ", expected 0 to " + std::to_string(list.size() - 1),
         {site(s, Pipe::S)},
         "the list has " + plural(list.size(), "tensor") + ", counted from 0; get_size() tells how many"});
  return fn(list, number);
}

const Step *Machine::list_init(const Step &s) {
  const uint32_t length = uint32_t(registers_[s.b]), tensors = uint32_t(registers_[s.b + 1]);
  return of_tensor_in_list(s, false, [&](const TensorList &list, uint64_t) -> const Step * {
    const uint64_t bytes = list.bytes_before_data() + list.size() * sizeof(uint64_t);
    const bool wrong_length = length != UINT32_MAX && length != bytes;
    if (!wrong_length && (tensors == UINT32_MAX || tensors == list.size())) return &s + 1;
    return fault({"M108",
                  wrong_length ? "the descriptor of the list has " + plural(bytes, "byte") + ", and length is " + std::to_string(length)
                               : "the list has " + plural(list.size(), "tensor") + ", and shape_size is " + std::to_string(tensors),
                  {site(s, Pipe::S)},
                  "leave length and shape_size out: they are not checked then"});
  });
}

const Step *Machine::list_size(const Step &s) {
  return of_tensor_in_list(s, false, [&](const TensorList &list, uint64_t) {
    registers_[s.dst] = list.size();
    return &s + 1;
  });
}

const Step *Machine::list_dim(const Step &s) {
  return of_tensor_in_list(s, true, [&](const TensorList &list, uint64_t) {
    registers_[s.dst] = list.dim();
    return &s + 1;
  });
}

const Step *Machine::list_shape(const Step &s) {
  return of_tensor_in_list(s, true, [&](const TensorList &list, uint64_t number) -> const Step * {
    const uint64_t dimension = registers_[s.b + 1];
    if (dimension >= list.dim())
      return fault({"M108",
                    "dimension " + std::to_string(int64_t(dimension)) + " of a tensor with " + plural(list.dim(), "dimension"),
                    {site(s, Pipe::S)},
                    list.dim() ? "dimensions are counted from 0"
                               : "the arrays of the list have different numbers of dimensions, so that it has no shapes"});
    registers_[s.dst] = list.shape(number, dimension);
    return &s + 1;
  });
}

const Step *Machine::list_data(const Step &s) {
  return of_tensor_in_list(s, true, [&](const TensorList &list, uint64_t number) {
    registers_[s.dst] = list.data(number);
    return &s + 1;
  });
}

/// Its number of elements is the bytes of the tensor, as the library has it.
const Step *Machine::list_tensor(const Step &s) {
  return of_tensor_in_list(s, true, [&](const TensorList &list, uint64_t number) {
    uint64_t elements = size_of(s.type);
    for (uint64_t d = 0; d < list.dim(); ++d) elements *= list.shape(number, d);
    registers_[s.dst] = list.data(number);
    registers_[s.dst + 1] = elements * size_of(s.type);
    return &s + 1;
  });
}

} // namespace asc::sim
