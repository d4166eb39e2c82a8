// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See watch.h.
#include "observers/watch.h"

#include "apis/watch_window.h"
#include "sim/describe.h"
#include "sim/report.h"

#include <algorithm>

namespace asc {
namespace {

class BlockWatch final : public sim::BlockObserver {
public:
  BlockWatch(const sim::BlockInfo &info, sim::Report &report) : program_(*info.program), block_(info.block), report_(report) {}

  bool follows_order() const override { return false; }
  void execute(const sim::Execution &execution) override {
    if (execution.call)
      if (const auto window = watch_window(*execution.call)) {
        armed_[window->number] = {*window, execution.pc};
        return;
      }
    for (const Armed &armed : armed_)
      for (const Access &access : execution.accesses)
        if (armed.window.watches(execution.pipe, access.write) && access.address.memory() == Memory::UB) look(armed, execution, access);
  }

private:
  struct Armed {
    WatchWindow window;
    uint32_t pc = 0;
  };

  void look(const Armed &armed, const sim::Execution &execution, const Access &access) {
    uint64_t first = 0, last = 0, total = 0; // the first bytes that are watched, and how many all are
    access.for_each_run([&](int64_t offset, int64_t bytes) {
      const uint64_t begin = std::max<uint64_t>(uint64_t(access.address.offset() + offset), armed.window.begin),
                     end = std::min<uint64_t>(uint64_t(access.address.offset() + offset + bytes), armed.window.end);
      if (begin >= end) return;
      if (total == 0) first = begin, last = end;
      total += end - begin;
    });
    if (total == 0 || !report_.wanted("M401", block_, execution.pc, armed.pc)) return;
    const std::string does = access.write ? "writes " : "reads ", tensor = operand_name(program_, execution.pc, access.arg);
    report_.add({"M401",
                 call_name(program_, execution.pc) + " (" + std::string(name(execution.pipe)) + ") " + does + tensor + ", " +
                     byte_range(Memory::UB, first, last, total) + ", which the kernel watches",
                 {{execution.pc, execution.pipe, block_, does + tensor},
                  {armed.pc, Pipe::S, block_,
                   "watches " + byte_range(Memory::UB, armed.window.begin, armed.window.end, armed.window.end - armed.window.begin)}},
                 "keep away from these bytes, or end the watch before: is_enable=False"});
  }

  const Program &program_;
  const uint32_t block_;
  sim::Report &report_;
  std::array<Armed, kWatchWindows> armed_;
};

class Watch final : public sim::Observer {
public:
  std::unique_ptr<sim::BlockObserver> block(const sim::BlockInfo &info, sim::Report &report) override {
    return std::make_unique<BlockWatch>(info, report);
  }
};

} // namespace

std::unique_ptr<sim::Observer> make_watch_checker() { return std::make_unique<Watch>(); }

} // namespace asc
