// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call that is taken for a known one is in no way different from a new one: random calls of all rows, asked both ways.
#include "sim/known_calls.h"

#include "apis/test_call.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace asc::sim {
namespace {

auto fields(const Access &a) {
  return std::tuple(a.arg, a.read, a.write, a.garbage, a.masked, a.element, a.address.word, a.repeats, a.blocks, a.bytes, a.tail, a.filler,
                    a.atomic, a.start, a.repeat_stride, a.block_stride, a.mask, a.offsets);
}

/// Random calls out of few values, so that many come again.
class Calls {
public:
  explicit Calls(unsigned seed) : random_(seed) {}

  void fill(TestCall &test) {
    const Row &row = *test.call.row;
    for (unsigned arg = 0; arg < row.args.size(); ++arg) {
      if (!test.call.has(arg)) continue;
      if (row.args[arg].is_tensor()) {
        // Two arrays; places that are apart by what rules look at, and by more.
        const bool global = row.args[arg].kind != ArgKind::Local && below(2);
        const int64_t place = one_of<int64_t>({0, 32, 512, 512 * 7 + 32, 1 << 16});
        test.slot(arg) = {Address(global ? Memory::GM : Memory::UB, global ? unsigned(below(2)) : 0, place).word, test.slot(arg).dtype};
        test.slot(arg, 1).bits = one_of<uint64_t>({0, 256, 512, 1 << 14});
        continue;
      }
      for (unsigned part = 0; part < slots_of(row.args[arg]); ++part)
        if (below(3) == 0) test.slot(arg, part).bits = one_of<uint64_t>({0, 1, 2, 8, 64});
    }
  }
  CoreState core() {
    CoreState core;
    core.counter_mode = below(2), core.saturate_int = below(2);
    core.mask_lo = core.counter_mode ? 1 + below(300) : one_of<uint64_t>({~uint64_t(0), 0xFF, 100});
    core.mask_hi = one_of<uint64_t>({~uint64_t(0), 0});
    core.deq_scale_kind = CoreState::DeqScale(below(4)), core.deq_scale = below(64) | (below(2) ? kDeqSign : 0);
    core.pad_value = below(100), core.pad_value_set = below(2);
    if (below(2)) core.atomic = {DType::Float32, AtomicOp(below(3))};
    core.found.cmp_mask = {below(1000) * 32, 0}, core.found.gathered = below(1000);
    return core;
  }
  uint64_t below(uint64_t n) { return random_() % n; }

private:
  template <class T> T one_of(std::initializer_list<T> values) { return values.begin()[below(values.size())]; }
  std::mt19937 random_;
};

class KnownCallsOfRows : public testing::TestWithParam<bool> {}; // whether rules are asked

TEST_P(KnownCallsOfRows, are_as_the_row_says) {
  const bool rules = GetParam();
  std::vector<uint32_t> memory(1 << 20);
  bool looked = false;
  Accesses accesses;
  accesses.bytes_at = [&](Address, uint64_t bytes) {
    looked = true;
    return bytes <= memory.size() * sizeof(uint32_t) ? reinterpret_cast<const std::byte *>(memory.data()) : nullptr;
  };
  std::map<std::string_view, unsigned> restored;
  for (const Row *row : rows())
    for (unsigned form = 0; form < row->forms.size(); ++form) {
      if (!row->access || row->poll || row->forms[form].of_cube) continue;
      ApiSite site = {};
      site.row = row, site.lay = &layout(*row, form), site.form = uint8_t(form);
      for (const Rule *rule : row->rules)
        if (!rule->is_static) site.rules.push_back(rule);
      uint64_t addresses = 0;
      for (unsigned arg = 0; arg < row->args.size(); ++arg)
        if (row->args[arg].is_tensor() && row->args[arg].kind != ArgKind::Local && site.lay->slot[arg] != Layout::kAbsent)
          addresses |= uint64_t(1) << site.lay->slot[arg];
      site.known = {0, 0, addresses};
      const auto hold = [&](const TestCall &test, const CoreState &core) {
        return std::all_of(site.rules.begin(), site.rules.end(), [&](const Rule *rule) { return !rule->check(test.call, &core); });
      };
      KnownCalls known;
      Calls calls(form);
      std::vector<std::pair<TestCall, CoreState>> some;
      for (unsigned i = 0; i < 12; ++i) {
        auto &[test, core] = some.emplace_back(TestCall(row->name, form, DType::Float32), calls.core());
        for (unsigned tries = 0; tries == 0 || (rules && tries < 20 && !hold(test, core)); ++tries) calls.fill(test), core = calls.core();
      }
      for (unsigned i = 0; i < 400; ++i) {
        if (i % 50 == 0) known.start(1, site.lay->slots, rules);
        // Mostly one of a few; or one of them at another place, with another length, or with other registers.
        auto [test, core] = some[i < 150 ? calls.below(2) : calls.below(some.size())];
        if (calls.below(4) == 0) calls.fill(test);
        if (calls.below(4) == 0) core = calls.core();
        memory[calls.below(64)] = uint32_t(calls.below(64));
        const Call &call = test.call;
        accesses.size = 0, looked = false;
        row->access(call, core, accesses);
        KnownCalls::Entry *entry = known.find(site, call, core);
        if (!entry) {
          if (!rules || hold(test, core)) known.add(site, call, core);
          continue;
        }
        if (rules) ASSERT_TRUE(hold(test, core)) << row->name;
        Accesses again;
        if (!entry->restore(call, again)) {
          if (!looked) known.keep(*entry, call, accesses);
          continue;
        }
        restored[row->name] += again.size != 0;
        ASSERT_EQ(again.size, accesses.size) << row->name;
        for (unsigned k = 0; k < again.size; ++k) ASSERT_EQ(fields(again.list[k]), fields(accesses.list[k])) << row->name;
      }
    }
  for (const std::string_view name : {"add", "adds", "data_copy", "duplicate", "cast", "reduce_sum", "select"})
    EXPECT_GT(restored[name], 0u) << name;
  EXPECT_EQ(restored["gather"], 0u) << "what it reads is in memory";
}
INSTANTIATE_TEST_SUITE_P(, KnownCallsOfRows, testing::Bool());

TEST(KnownCalls, are_no_longer_looked_for_where_none_repeats) {
  TestCall test("duplicate", 0, DType::Float32);
  ApiSite site = {};
  site.row = test.call.row, site.lay = test.call.lay;
  site.known = {0, 0, 0};
  KnownCalls known;
  known.start(1, site.lay->slots, true);
  const CoreState core;
  const auto is_known = [&](int64_t place) {
    test.tensor("dst", Memory::UB, place, 256);
    if (known.find(site, test.call, core)) return true;
    known.add(site, test.call, core);
    return false;
  };
  EXPECT_FALSE(is_known(0));
  EXPECT_TRUE(is_known(0));
  for (int64_t round = 0; round < 100; ++round) {
    EXPECT_FALSE(is_known(1000 + round * 32));
    EXPECT_TRUE(is_known(1000 + round * 32)) << "as long as some repeat, one is looked for";
  }
  for (int64_t round = 0; round < 100; ++round) EXPECT_FALSE(is_known(32000 + round * 32));
  EXPECT_FALSE(is_known(32000 + 99 * 32));
  known.start(1, site.lay->slots, true);
  EXPECT_FALSE(is_known(0));
  EXPECT_TRUE(is_known(0));
}

} // namespace
} // namespace asc::sim
