// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel says: its printed text, the files it writes, assertions that do not hold, and traps.
#include "sim/machine.h"

#include "apis/format.h"
#include "apis/numeric.h"

#include <algorithm>

namespace asc::sim {

/// Printed text goes through a buffer of the device, of which each core has its part.
static constexpr size_t kBuffer = 75 << 20, kBufferOfCore = 1 << 20;
static constexpr std::string_view kFull = "\n[the buffer for printed text is full: the rest of this block is left out]\n";

/// The values of an instruction that are not used yet.
struct Machine::Values {
  std::span<const SlotRef> rest;
  const SlotRef &next() {
    const SlotRef &value = rest.front();
    rest = rest.subspan(1);
    return value;
  }
};
Machine::Values Machine::values_of(const Step &s) const { return {std::span(program().operands).subspan(s.a, s.b)}; }

std::string Machine::formatted(const Step &s, Values &values) const {
  std::string text;
  for (const FormatPiece &piece : parse_format(program().strings[s.dst]).pieces) {
    if (piece.conversion == 0) {
      text += piece.text;
      continue;
    }
    const SlotRef &value = values.next();
    text += convert_value(piece, extend_scalar(registers_[value.reg], value.dtype), value.dtype);
  }
  return text;
}

const Step *Machine::print(const Step &s) {
  if (printed_full_) return &s + 1;
  Values values = values_of(s);
  say(formatted(s, values));
  return &s + 1;
}

/// Puts text into the block's buffer.
void Machine::say(std::string_view text) {
  const size_t room = std::min<size_t>(kBufferOfCore, kBuffer / launch_->options.blocks);
  if (printed_full_) return;
  printed_full_ = printed_.size() + text.size() > room;
  printed_ += printed_full_ ? kFull : text;
}

const Step *Machine::assertion(const Step &s) {
  Values values = values_of(s);
  const SlotRef &condition = values.next();
  if (extend_scalar(registers_[condition.reg], condition.dtype) != 0) return &s + 1;
  const std::string &test = program().strings[condition.variable];
  const std::string message = formatted(s, values);
  std::string what = test + " is false";
  for (bool first = true; !values.rest.empty(); first = false) {
    const SlotRef &value = values.next();
    what += first ? ": " : ", ";
    what += program().strings[value.variable] + " = " + value_text(extend_scalar(registers_[value.reg], value.dtype), value.dtype);
  }
  return fault({"M206", "assertion failed: " + (message.empty() ? test : message), {site(s, Pipe::S, std::move(what))}, {}});
}

const Step *Machine::to_file(const Step &s) {
  const uint64_t bytes = registers_[s.a + 1];
  Access access;
  access.read = true, access.element = uint8_t(size_of(s.type)), access.bytes = uint32_t(bytes);
  access.address = Address(registers_[s.a]);
  const bool in_ub = access.address.memory() == Memory::UB;
  if (place_.kind == CoreKind::AIC && in_ub) return &s + 1; // left out there
  std::string &file = files_.insert_or_assign(program().strings[s.dst], File{{}, site(s, Pipe::S)}).first->second.bytes;
  if (bytes == 0) return &s + 1;
  if (!reach(s, Pipe::S, access)) return nullptr;
  if (adversary_.on) complete_before(access);
  const auto low = uint64_t(access.address.offset());
  if (in_ub && ub_.lent()) ub_.fetch(low, low + bytes);
  file.assign(reinterpret_cast<const char *>(host(access.address)), bytes);
  const Execution execution{pc_of(s), Pipe::S, nullptr, {&access, 1}, now_, now_, 0};
  for (auto &observer : observers_) observer->execute(execution);
  return &s + 1;
}

const Step *Machine::trap(const Step &s) {
  return fault(
      {"M207", "the kernel stops itself with trap()", {site(s, Pipe::S, "calls trap()")}, "see why the kernel comes to this line"});
}

} // namespace asc::sim
