// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every vector instruction gives the same bytes, registers and results on all instruction sets of this machine. The calls are made at
// random from the rows, so that a new row is among them; those that break a rule or leave their tensors are left out.
#include "apis/instruction_set.h"

#include "apis/test_call.h"

#include <cstring>
#include <gtest/gtest.h>

namespace asc {
namespace {

constexpr size_t kTensorBytes = 4096, kMemory = 192 * 1024;
constexpr int kCalls = 20, kAttempts = 20'000; // of each form

class RandomCall {
public:
  RandomCall(const Row &row, unsigned form, std::mt19937_64 &random) : test(row.name, form, DType::Float32), random_(random) {
    core.counter_mode = below(4) == 0;
    core.mask_lo = mask(), core.mask_hi = mask();
    for (unsigned a = 0; a < row.args.size(); ++a)
      if (test.call.has(a)) fill(a);
    core.keep_inf_nan = below(2), core.saturate_int = below(2), core.saturate_cast = below(2);
    core.deq_scale_kind = CoreState::DeqScale(1 + below(3));
    core.deq_scale = core.deq_scale_kind == CoreState::DeqScale::Table ? below(kTensorBytes / 32) : random();
    core.found.cmp_mask = {random(), random()};
  }

  bool legal(const std::byte *memory) const {
    for (const Rule *rule : test.call.row->rules)
      if (!rule->is_warning && rule->check(test.call, &core)) return false;
    const Accesses accesses = test.accesses(core, memory);
    for (const Access &access : accesses.span()) {
      const auto [low, high] = access.extent();
      const int64_t size = access.of_tensor() ? int64_t(test.call.length(access.arg)) : int64_t(kMemory) - access.address.offset();
      if (low < 0 || high > size) return false;
    }
    return true;
  }

  TestCall test;
  CoreState core;

private:
  uint64_t below(uint64_t n) { return random_() % n; }
  uint64_t mask() {
    if (core.counter_mode) return below(600); // it is a count
    const uint64_t masks[] = {
        0, ~uint64_t(0), 0x5555555555555555, random_(), random_() & random_() & random_(), (uint64_t(1) << below(64)) - 1};
    return masks[below(std::size(masks))];
  }
  DType one_of(DTypes dtypes) {
    std::vector<DType> types;
    for (unsigned t = 0; t < kDTypes; ++t)
      if (dtypes.has(DType(t))) types.push_back(DType(t));
    return types.empty() ? DType::Int64 : types[below(types.size())];
  }
  /// Few large numbers: they would leave the tensors.
  uint64_t within(int64_t low, int64_t high) {
    const int64_t first = std::max<int64_t>(low, 0), most[] = {2, 9, 130, 600};
    const uint64_t last = uint64_t(std::min(high, first + most[below(4)]));
    return uint64_t(first) + below(last - uint64_t(first) + 1);
  }

  void fill(unsigned a) {
    const Arg &arg = test.call.row->args[a];
    Operand *slots = &test.slot(a);
    switch (arg.kind) {
    case ArgKind::Local:
    case ArgKind::Global:
    case ArgKind::Tensor:
      slots[0] = {Address(Memory::UB, 0, int64_t(tensors_++ * kTensorBytes)).word,
                  alike_ && arg.dtypes.has(type_) ? type_ : one_of(arg.dtypes)};
      slots[1].bits = below(3) ? kTensorBytes : 32 * (1 + below(8));
      type_ = slots[0].dtype;
      break;
    case ArgKind::Number: // small ones, too: a shift takes no others
      slots[0] = {below(2) ? below(8) : random_(), type_};
      if (size_of(type_) < 8) slots[0].bits &= (uint64_t(1) << 8 * size_of(type_)) - 1;
      break;
    case ArgKind::Mask: slots[0].bits = mask(), slots[1].bits = mask(); break;
    case ArgKind::Flag: slots[0].bits = below(2); break;
    case ArgKind::Enum: {
      const auto members = find_enum(arg.type)->members;
      slots[0].bits = uint64_t(members[below(members.size())].value);
      break;
    }
    case ArgKind::Type: slots[0].bits = uint64_t(one_of(arg.dtypes)); break;
    case ArgKind::Struct:
      if (below(2)) break; // its defaults
      [[fallthrough]];
    default:
      for (unsigned part = 0; part < slots_of(arg); ++part) {
        const auto [low, high] = test.call.lay->limits[test.call.lay->slot[a] + part];
        slots[part].bits = arg.name == "mask" && core.counter_mode ? below(10) : within(low, high); // a mask of ones is a count, too
      }
    }
  }

  std::mt19937_64 &random_;
  const bool alike_ = below(2); // whether tensors are of one type, where they can
  size_t tensors_ = 0;
  DType type_ = DType::Float32; // of the tensor before
};

/// Bytes that meet special numbers of the float types, and, in places, numbers that are addresses of blocks.
std::vector<std::byte> random_memory(std::mt19937_64 &random) {
  static constexpr uint32_t corners[] = {0,          0x80008000, 0x7C007C00, 0xFC00FC00, 0x7E017E01, 0x00010001, 0x7BFF7BFF,
                                         0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x00000001, 0x7F7FFFFF, 0x3F80BC00};
  std::vector<std::byte> memory(kMemory);
  for (size_t tensor = 0; tensor < kMemory; tensor += kTensorBytes) {
    const bool addresses = random() % 3 == 0;
    for (size_t i = 0; i < kTensorBytes; i += 4) {
      const uint32_t word = addresses      ? uint32_t(random() % (kTensorBytes / 32)) * 32
                            : random() % 4 ? uint32_t(random())
                                           : corners[random() % std::size(corners)];
      std::memcpy(&memory[tensor + i], &word, 4);
    }
  }
  return memory;
}

struct Outcome {
  std::vector<std::byte> memory;
  uint64_t result;
  std::array<uint64_t, 9> registers;
  bool operator==(const Outcome &) const = default;
};
Outcome outcome(const RandomCall &call, std::vector<std::byte> memory) {
  CoreState core = call.core;
  const uint64_t result = call.test.run(core, memory.data());
  const auto &[gathered, merged, cmp_mask] = core.found;
  return {std::move(memory),
          result,
          {core.mask_lo, core.mask_hi, core.counter_mode, core.deq_scale, gathered, std::bit_cast<uint64_t>(merged), cmp_mask[0],
           cmp_mask[1], core.pad_value}};
}

TEST(InstructionSets, GiveTheSameForEveryVectorInstruction) {
  std::mt19937_64 random(11);
  for (const Row *row : rows()) {
    if (row->pipe != Pipe::V || row->pipe_of || !row->run) continue;
    for (unsigned form = 0; form < row->forms.size(); ++form) {
      if (row->forms[form].by_address) continue;           // random addresses are none
      if (row->name == "bilinear_interpolation") continue; // its loops are compiled once, and chance hardly meets its conditions
      std::vector<std::byte> memory = random_memory(random);
      int calls = 0;
      for (int attempt = 0; attempt < kAttempts && calls < kCalls; ++attempt) {
        const RandomCall call(*row, form, random);
        if (!call.legal(memory.data())) {
          if (attempt % 200 == 199) memory = random_memory(random);
          continue;
        }
        ++calls;
        use_instruction_set(InstructionSet::Baseline);
        const Outcome want = outcome(call, memory);
        for (InstructionSet set : instruction_sets().subspan(1)) {
          use_instruction_set(set);
          ASSERT_TRUE(want == outcome(call, memory)) << row->name << " form " << form << " on " << name(set);
        }
        memory = random_memory(random);
      }
      EXPECT_EQ(kCalls, calls) << row->name << " form " << form;
    }
  }
  use_instruction_set(instruction_sets().back());
}

} // namespace
} // namespace asc
