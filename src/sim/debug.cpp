// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block does for debuggers.
#include "sim/machine.h"

#include <algorithm>

namespace asc::sim {

/// It is no instruction of the kernel, so it takes no time and does not count.
const Step *Machine::statement(const Step &s) {
  --now_, --instructions_;
  const Moment moment = Moment(s.aux);
  if (moment == Moment::Enter) functions_.push_back(pc_of(s));
  if (moment == Moment::Line && !functions_.empty()) functions_.back() = pc_of(s);
  if (moment == Moment::Leave && !functions_.empty()) functions_.pop_back();
  const Stops least = moment == Moment::Breakpoint ? Stops::Breakpoints : Stops::Statements;
  if (moment == Moment::Enter || launch_->stops < least) return &s + 1;
  state_ = State::Stopped;
  next_ = &s + 1;
  return nullptr;
}

Bytes Machine::bytes_for_debugger(Address address, uint64_t length) {
  store_all();
  const uint64_t size = size_of_memory(address), offset = uint64_t(address.offset());
  if (address.offset() < 0 || offset > size) return {};
  const uint64_t bytes = length == 0 ? size - offset : std::min(length, size - offset);
  if (address.memory() == Memory::GM) return {host(address), bytes, nullptr, address.window()};
  ub_.fetch(offset, offset + bytes);
  ub_.touch(offset, offset + bytes);
  return {host(address), bytes, ub_.share(), 0};
}

} // namespace asc::sim
