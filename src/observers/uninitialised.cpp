// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See uninitialised.h.
#include "observers/uninitialised.h"

#include "observers/history.h"
#include "sim/describe.h"
#include "sim/report.h"

#include <unordered_set>

namespace asc {
namespace {

class BlockUninitialised final : public sim::BlockObserver {
public:
  BlockUninitialised(const sim::BlockInfo &info, sim::Report &report) : program_(*info.program), block_(info.block), report_(report) {}

  bool follows_order() const override { return false; }
  void execute(const sim::Execution &execution) override {
    uint64_t &clean = clean_[execution.repeats % clean_.size()];
    if (execution.repeats != 0 && clean == execution.repeats) return;
    for (const Access &access : execution.accesses)
      if (access.garbage || !known(access)) return look(execution);
    clean = execution.repeats;
  }

private:
  // What is in a byte: nothing, something, or from kGarbage on the garbage of the instruction at that pc.
  static constexpr IntervalMap::Value kWritten = 1, kGarbage = 2;

  /// Intervals of written bytes, one per page: what is written stays so but for garbage, and nearly all accesses are to such bytes.
  struct Written {
    uint64_t low = 0, high = 0;
  };
  Written &written_around(Address address) {
    auto &known = known_[unsigned(address.memory())];
    return known[uint64_t(address.offset()) / IntervalMap::kPageBytes % known.size()];
  }
  /// Nothing can be found and nothing is new.
  bool known(const Access &access) {
    if (access.address.memory() == Memory::GM) return true;
    const Extent extent = extent_of(access);
    const Written &written = written_around(access.address);
    return written.low <= extent.begin && extent.end <= written.high;
  }

  void look(const sim::Execution &execution) {
    for (const Access &access : execution.accesses)
      if (access.read && !known(access)) read(execution, access);
    for (const Access &access : execution.accesses)
      if (access.write && (access.garbage || !known(access))) write(execution, access);
  }

  void read(const sim::Execution &execution, const Access &access) {
    uint64_t first = 0, last = 0, total = 0; // the first bad range, and all bad bytes
    IntervalMap::Value what = 0;             // in the first one
    IntervalMap &written = written_[unsigned(access.address.memory())];
    for_each_range(access, [&](uint64_t begin, uint64_t end) {
      written.visit(begin, end, [&](uint64_t from, uint64_t to, IntervalMap::Value value) {
        if (value == kWritten) return;
        if (total == 0) first = last = from, what = value;
        if (last == from && total == last - first) last = to;
        total += to - from;
      });
    });
    if (total && reported_.insert(uint64_t(execution.pc) << 8 | access.arg).second)
      report_read(execution, access, what, first, last, total);
  }

  void write(const sim::Execution &execution, const Access &access) {
    IntervalMap &written = written_[unsigned(access.address.memory())];
    const IntervalMap::Value value = access.garbage ? kGarbage + execution.pc : kWritten;
    for_each_range(access, [&](uint64_t begin, uint64_t end) {
      written.assign(begin, end, value);
      if (access.garbage) return;
      const auto [low, high] = written.around(begin);
      written_around(access.address) = {low, high};
    });
    if (access.garbage) known_[unsigned(access.address.memory())] = {}, clean_ = {};
  }

  void report_read(const sim::Execution &execution, const Access &access, IntervalMap::Value what, uint64_t begin, uint64_t end,
                   uint64_t total) {
    const bool garbage = what >= kGarbage;
    const uint32_t origin = garbage ? what - kGarbage : tensor_origin(program_, execution.pc, access.arg);
    const char *code = garbage ? "M302" : "M301";
    if (!report_.wanted(code, block_, execution.pc, origin)) return;
    const std::string tensor = operand_name(program_, execution.pc, access.arg);
    const Memory memory = access.address.memory();
    const DType type = !access.of_tensor() ? DType::UInt8
                       : execution.call    ? execution.call->dtype(access.arg)
                                           : program_.code[execution.pc].type;
    const uint64_t base = uint64_t(access.address.offset()), bytes = size_of(type);
    sim::Finding finding;
    finding.code = code;
    finding.message = call_name(program_, execution.pc) + " reads " + tensor +
                      (garbage ? " where " + call_name(program_, origin) + " has left garbage: " : " where nothing has written: ") +
                      byte_range(memory, begin, end, total);
    if (begin >= base && access.of_tensor())
      finding.message += ", from element " + std::to_string((begin - base) / bytes) + " (" + std::string(name(type)) + ") on";
    finding.sites = {access_site(program_, execution.pc, execution.pipe, block_, access.arg, false, memory, begin, end, total)};
    if (garbage)
      finding.sites.push_back({origin, Pipe::V, block_, "has used these bytes for intermediate results"});
    else if (origin != kNoRegister)
      finding.sites.push_back(
          {origin, Pipe::S, block_, "the tensor comes from here, at " + std::string(name(Position(program_.code[origin].aux)))});
    finding.help = garbage ? "write these bytes again first, or keep a copy of them elsewhere"
                           : "write these bytes first, for example with data_copy or duplicate, or read fewer elements";
    report_.add(std::move(finding));
  }

  const Program &program_;
  const uint32_t block_;
  sim::Report &report_;
  std::array<IntervalMap, kMemories> written_;
  std::array<std::array<Written, 4>, kMemories> known_;
  std::array<uint64_t, 64> clean_ = {}; // Execution::repeats of instructions that touch only bytes that are written
  std::unordered_set<uint64_t> reported_;
};

class Uninitialised final : public sim::Observer {
public:
  std::unique_ptr<sim::BlockObserver> block(const sim::BlockInfo &info, sim::Report &report) override {
    return std::make_unique<BlockUninitialised>(info, report);
  }
};

} // namespace

std::unique_ptr<sim::Observer> make_uninitialised_checker() { return std::make_unique<Uninitialised>(); }

} // namespace asc
