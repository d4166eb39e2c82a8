// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls for unit tests: a row, a form, and values by argument name.
#pragma once

#include "apis/numeric.h"
#include "apis/vector.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <random>
#include <stdexcept>
#include <string>

namespace asc {

/// A call whose tensors are all of one element type, in memory of the test. Everything that is not set has its default, or 0.
class TestCall {
public:
  TestCall(std::string_view row_name, unsigned form, DType dtype) {
    const Row *row = find_row(row_name);
    if (!row) throw std::logic_error("no such row");
    call.row = row;
    call.form = uint8_t(form);
    call.lay = &layout(*row, form);
    for (unsigned a = 0; a < row->args.size(); ++a) {
      if (!call.has(a)) continue;
      const Arg &arg = row->args[a];
      for (unsigned part = 0; part < slots_of(arg); ++part) {
        Operand &operand = slot(a, part);
        operand.dtype = arg.is_tensor() || arg.kind == ArgKind::Number ? dtype : DType::Int64;
        if (arg.default_value) operand.bits = uint64_t(*arg.default_value);
      }
      if (arg.kind == ArgKind::Struct || arg.kind == ArgKind::Structs)
        for_each_field(arg, [&](const Field &field, unsigned part, unsigned, unsigned) {
          const int64_t value = arg.kind == ArgKind::Struct ? field.default_value.value_or(0) : 0;
          slot(a, part) = {uint64_t(value), field.kind == FieldKind::Element ? dtype : field.dtype};
        });
    }
  }

  unsigned arg(std::string_view name) const {
    for (unsigned a = 0; a < call.row->args.size(); ++a)
      if (call.row->args[a].name == name && call.has(a)) return a;
    throw std::logic_error("no argument " + std::string(name) + " in this form");
  }
  Operand &slot(unsigned arg, unsigned part = 0) { return call.slots[call.lay->slot[arg] + part]; }

  TestCall &set(std::string_view name, uint64_t value) { return set(name, {value}); }
  TestCall &set(std::string_view name, std::initializer_list<uint64_t> values) {
    unsigned part = 0;
    for (uint64_t value : values) slot(arg(name), part++).bits = value;
    return *this;
  }
  /// A tensor of `bytes` bytes at `offset` of a memory.
  TestCall &tensor(std::string_view name, Memory memory, int64_t offset, uint64_t bytes) {
    slot(arg(name)).bits = Address(memory, 0, offset).word;
    slot(arg(name), 1).bits = bytes;
    return *this;
  }
  TestCall &unknown(std::string_view name) {
    for (unsigned part = 0; part < slots_of(call.row->args[arg(name)]); ++part) slot(arg(name), part).known = false;
    return *this;
  }

  /// `memory`, where it is given, holds everything that the tensors' addresses point into.
  Accesses accesses(const CoreState &core, const std::byte *memory = nullptr) const {
    Accesses list;
    if (memory) list.bytes_at = [memory](Address address, uint64_t) { return memory + address.offset(); };
    if (call.row->access) call.row->access(call, core, list);
    return list;
  }
  /// Runs on `memory`, which holds everything that the tensors' addresses point into.
  uint64_t run(CoreState &core, std::byte *memory) const {
    Exec exec{call, core};
    const Accesses list = accesses(core, memory);
    exec.accesses = list.span();
    exec.unified_buffer = memory;
    for (unsigned a = 0; a < call.row->args.size(); ++a)
      if (call.row->args[a].is_tensor() && call.has(a)) exec.data[a] = memory + call.address(a).offset();
    call.row->run(exec);
    return exec.result;
  }

  Call call;
};

/// Half and bfloat16 for oracles: all finite values of one sign in order, so that rounding is a search, not arithmetic like the code under
/// test.
class RoundingOracle {
public:
  RoundingOracle(unsigned mantissa_bits, int lowest_exponent, unsigned first_special) {
    for (unsigned bits = 0; bits < first_special; ++bits) {
      const unsigned exponent = bits >> mantissa_bits, mantissa = bits & ((1u << mantissa_bits) - 1);
      const double significand = exponent ? double(mantissa + (1u << mantissa_bits)) : double(mantissa);
      values_.push_back(std::ldexp(significand, lowest_exponent + (exponent ? int(exponent) - 1 : 0)));
    }
    // Where the next value would be if there were no infinity: results halfway to it and above overflow.
    limit_ = values_.back() + (values_.back() - values_[values_.size() - 2]) / 2;
  }
  static const RoundingOracle &half() {
    static const RoundingOracle oracle(10, -24, 0x7C00);
    return oracle;
  }
  static const RoundingOracle &bfloat16() {
    static const RoundingOracle oracle(7, -133, 0x7F80);
    return oracle;
  }

  std::span<const double> values() const { return values_; }
  double decode(uint16_t bits) const {
    const unsigned magnitude = bits & 0x7FFF;
    const double value = magnitude < values_.size() ? values_[magnitude] : magnitude == values_.size() ? HUGE_VAL : std::nan("");
    return bits & 0x8000 ? -value : value;
  }
  /// The nearest value, of two equally near ones the one with an even last bit.
  uint16_t encode(double value) const {
    if (std::isnan(value)) return values_.size() == 0x7C00 ? 0x7E00 : 0x7FC0;
    const double magnitude = std::fabs(value);
    size_t bits;
    if (magnitude >= limit_) {
      bits = values_.size();
    } else {
      bits = size_t(std::upper_bound(values_.begin(), values_.end(), magnitude) - values_.begin()) - 1; // the value at or below
      const double above = bits + 1 < values_.size() ? values_[bits + 1] : limit_ + (limit_ - values_.back());
      const double to_below = magnitude - values_[bits], to_above = above - magnitude;
      if (to_above < to_below || (to_above == to_below && bits % 2)) ++bits;
    }
    return uint16_t(bits | (std::signbit(value) ? 0x8000 : 0));
  }

private:
  std::vector<double> values_;
  double limit_;
};

} // namespace asc
