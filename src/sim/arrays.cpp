// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in the memory of the scalar unit.
#include "sim/machine.h"

#include "apis/numeric.h"

#include <algorithm>

namespace asc::sim {

static std::string name_of(const Program &program, const ScalarArray &array) {
  const std::string &name = program.strings[array.variable];
  return name.empty() ? "the array" : name;
}

/// The word of an element; nothing after a fault.
std::optional<uint32_t> Machine::array_word(const Step &s, const ScalarArray &array, uint32_t index) {
  const uint64_t i = extend_scalar(registers_[index], DType(s.aux));
  spend(kScalarCost.memory_hit - 1); // the first cycle is that of the issue
  if (i < array.length) return array.first + uint32_t(i);
  const std::string shown = DType(s.aux) == DType::UInt64 ? std::to_string(i) : std::to_string(int64_t(i));
  fault({"M106",
         "element " + shown + " of " + name_of(program(), array) + ", expected 0 to " + std::to_string(array.length - 1) + ": it has " +
             plural(array.length, "element"),
         {site(s, Pipe::S)},
         "check the index against the length of the array"});
  return std::nullopt;
}

const Step *Machine::new_array(const Step &s) {
  const ScalarArray &array = program().arrays[s.dst];
  std::fill_n(arrays_.set.begin() + array.first, array.length, 0);
  return &s + 1;
}

const Step *Machine::fill_array(const Step &s) {
  const ScalarArray &array = program().arrays[s.dst];
  std::fill_n(arrays_.words.begin() + array.first, array.length, extend_scalar(registers_[s.a], s.type));
  std::fill_n(arrays_.set.begin() + array.first, array.length, 1);
  spend(array.length * kScalarCost.memory_hit - 1);
  return &s + 1;
}

const Step *Machine::element(const Step &s) {
  const ScalarArray &array = program().arrays[s.a];
  const std::optional<uint32_t> word = array_word(s, array, s.b);
  if (!word) return nullptr;
  uint64_t bits = arrays_.words[*word];
  if (!arrays_.set[*word]) {
    warn(
        s, "M303", [&] { return "element " + std::to_string(*word - array.first) + " of " + name_of(program(), array) + " has no value"; },
        "set it first, or give asc.array a fill_value");
    bits = extend_scalar(uint64_t(0x0101010101010101) * LocalMemory::kPoison, s.type);
  }
  registers_[s.dst] = bits;
  return &s + 1;
}

const Step *Machine::set_element(const Step &s) {
  const std::optional<uint32_t> word = array_word(s, program().arrays[s.dst], s.a);
  if (!word) return nullptr;
  arrays_.words[*word] = extend_scalar(registers_[s.b], s.type);
  arrays_.set[*word] = 1;
  return &s + 1;
}

} // namespace asc::sim
