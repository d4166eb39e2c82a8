// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table as a whole, and what it derives from the rows.
#include "apis/row_checks.h"
#include "apis/test_call.h"

#include <gtest/gtest.h>
#include <set>

namespace asc {
namespace {

std::vector<std::string_view> keywords(const Row &row, unsigned form) {
  std::vector<std::string_view> names;
  for (unsigned a : form_args(row, form)) names.push_back(row.args[a].keyword());
  return names;
}

TEST(Table, RowsAreFoundByNameAndNumber) {
  std::set<std::string_view> names;
  for (unsigned i = 0; i < rows().size(); ++i) {
    const Row &row = *rows()[i];
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(i, row_number(row));
    EXPECT_EQ(&row, find_row(row.name));
  }
  EXPECT_EQ(nullptr, find_row("no_such_row"));
  EXPECT_EQ(nullptr, find_row(""));
}

TEST(Table, LayoutsHoldTheArgumentsOfTheCall) {
  for (const Row *row : rows())
    for (unsigned f = 0; f < row->forms.size(); ++f) {
      const Layout &lay = layout(*row, f);
      unsigned next = 0, tensors = 0;
      for (unsigned a = 0; a < row->args.size(); ++a) {
        bool in_call = false;
        for_each_name(row->forms[f].call,
                      [&](std::string_view name) { in_call |= name == row->args[a].name || name == row->args[a].list; });
        EXPECT_EQ(in_call ? next : Layout::kAbsent, lay.slot[a]) << row->name << " " << row->args[a].name;
        if (!in_call) continue;
        if (row->args[a].is_tensor()) {
          EXPECT_EQ(a, lay.tensor[tensors++]);
        }
        next += slots_of(row->args[a]);
      }
      EXPECT_EQ(next, lay.slots);
      EXPECT_EQ(tensors, lay.tensors);
    }
}

TEST(Table, LimitsComeFromArgumentsAndFields) {
  TestCall test("add", 1, DType::Float32);
  const Layout &lay = *test.call.lay;
  EXPECT_EQ(255, lay.limits[lay.slot[test.arg("repeat_times")]].high);
  EXPECT_EQ(0, lay.limits[lay.slot[test.arg("repeat_times")]].low);
  EXPECT_EQ(255, lay.limits[lay.slot[test.arg("repeat_params")] + 5].high);
  EXPECT_EQ(INT64_MAX, lay.limits[lay.slot[test.arg("dst")]].high);
  TestCall copy("data_copy", 1, DType::Float32);
  EXPECT_EQ(4095, copy.call.lay->limits[copy.call.lay->slot[copy.arg("repeat_params")]].high);
}

TEST(Table, TypesOfArgumentsExist) {
  for (const Row *row : rows())
    for (const Arg &arg : row->args) {
      EXPECT_EQ(arg.kind == ArgKind::Struct || arg.kind == ArgKind::Structs || (arg.is_tensor() && !arg.type.empty()),
                find_struct(arg.type) != nullptr)
          << row->name << " " << arg.name;
      EXPECT_EQ(arg.kind == ArgKind::Enum, find_enum(arg.type) != nullptr) << row->name << " " << arg.name;
    }
}

TEST(Table, PythonParameters) {
  using Names = std::vector<std::string_view>;
  for (const char *name : {"add", "sub", "mul", "max", "min"}) {
    const Row &row = *find_row(name);
    ASSERT_EQ(3u, row.forms.size());
    EXPECT_EQ((Names{"dst", "src0", "src1", "count", "is_set_mask"}), keywords(row, 0));
    EXPECT_EQ((Names{"dst", "src0", "src1", "mask", "repeat_times", "repeat_params", "is_set_mask"}), keywords(row, 1));
    EXPECT_EQ(keywords(row, 1), keywords(row, 2));
  }
  EXPECT_EQ((Names{"dst", "src", "scalar", "count", "is_set_mask"}), keywords(*find_row("adds"), 0));
  EXPECT_EQ((Names{"dst", "src", "scalar", "mask", "repeat_times", "repeat_params", "is_set_mask"}), keywords(*find_row("muls"), 2));
  EXPECT_EQ((Names{"dst", "scalar", "count", "is_set_mask"}), keywords(*find_row("duplicate"), 0));
  EXPECT_EQ((Names{"dst", "scalar", "mask", "repeat_times", "dst_block_stride", "dst_repeat_stride", "is_set_mask"}),
            keywords(*find_row("duplicate"), 1));
  EXPECT_EQ((Names{"dst", "src", "count"}), keywords(*find_row("data_copy"), 0));
  EXPECT_EQ((Names{"dst", "src", "repeat_params"}), keywords(*find_row("data_copy"), 1));
  EXPECT_EQ((Names{"mask_high", "mask_low", "dtype", "mode"}), keywords(*find_row("set_vector_mask"), 0));
  EXPECT_EQ((Names{"length", "dtype", "mode"}), keywords(*find_row("set_vector_mask"), 1));
  EXPECT_EQ((Names{"event", "event_id"}), keywords(*find_row("wait_flag"), 0));
  EXPECT_EQ(Names{"pipe"}, keywords(*find_row("pipe_barrier"), 0));
  EXPECT_EQ(Names{}, keywords(*find_row("get_block_idx"), 0));
}

TEST(Table, RulesHaveOneCodeAndTexts) {
  std::set<std::string_view> codes;
  for (const Rule *rule : all_rules()) {
    EXPECT_TRUE(codes.insert(rule->code).second) << rule->code;
    EXPECT_TRUE(rule->code.starts_with("R"));
    EXPECT_FALSE(rule->title.empty());
    EXPECT_NE(std::string_view::npos, rule->text.find("Source: ")) << rule->code;
  }
  for (const Row *row : rows())
    for (const Rule *rule : row->rules) EXPECT_TRUE(codes.contains(rule->code));
}

TEST(Table, HashIsStableWithinAProcess) {
  EXPECT_NE(0u, table_hash());
  EXPECT_EQ(table_hash(), table_hash());
}

TEST(Table, IdentityOfACore) {
  CoreState core;
  core.block_idx = 5, core.block_num = 8;
  EXPECT_EQ(5u, TestCall("get_block_idx", 0, DType::Int32).run(core, nullptr));
  EXPECT_EQ(8u, TestCall("get_block_num", 0, DType::Int32).run(core, nullptr));
}

TEST(Table, MaskRegisters) {
  CoreState core;
  const uint64_t all = ~uint64_t(0);
  const auto run = [&](const TestCall &test) { test.run(core, nullptr); };
  run(TestCall("set_mask_count", 0, DType::Int32));
  EXPECT_TRUE(core.counter_mode);
  run(TestCall("set_vector_mask", 0, DType::Int32).set("mask_high", 7).set("mask_low", 9).set("mode", 0));
  EXPECT_EQ(7u, core.mask_hi);
  EXPECT_EQ(9u, core.mask_lo);
  EXPECT_TRUE(core.counter_mode) << "set_vector_mask does not switch the mode";
  run(TestCall("set_vector_mask", 1, DType::Int32).set("length", 300).set("dtype", uint64_t(DType::Float32)).set("mode", 1));
  EXPECT_EQ(0u, core.mask_hi);
  EXPECT_EQ(300u, core.mask_lo);
  run(TestCall("set_mask_norm", 0, DType::Int32));
  EXPECT_FALSE(core.counter_mode);
  run(TestCall("set_vector_mask", 1, DType::Int32).set("length", 65).set("dtype", uint64_t(DType::Float16)).set("mode", 0));
  EXPECT_EQ(1u, core.mask_hi);
  EXPECT_EQ(all, core.mask_lo);
  run(TestCall("set_vector_mask", 1, DType::Int32).set("length", 64).set("dtype", uint64_t(DType::Float32)).set("mode", 0));
  EXPECT_EQ(0u, core.mask_hi);
  run(TestCall("set_vector_mask", 1, DType::Int32).set("length", 32).set("dtype", uint64_t(DType::Int64)).set("mode", 0));
  EXPECT_EQ(all, core.mask_hi) << "all lanes of a repeat: all ones";
  EXPECT_EQ(all, core.mask_lo);
  run(TestCall("set_vector_mask", 1, DType::Int32).set("length", 31).set("dtype", uint64_t(DType::Int64)).set("mode", 0));
  EXPECT_EQ(0u, core.mask_hi);
  EXPECT_EQ(0x7FFFFFFFu, core.mask_lo);
  run(TestCall("reset_mask", 0, DType::Int32));
  EXPECT_EQ(all, core.mask_hi);
  EXPECT_EQ(all, core.mask_lo);
}

TEST(Access, ContiguousCallsAreOneRun) {
  TestCall test("add", 0, DType::Float16);
  test.tensor("dst", Memory::UB, 64, 40000).tensor("src0", Memory::UB, 0, 40000).tensor("src1", Memory::UB, 0, 40000).set("count", 12345);
  CoreState core;
  const Accesses accesses = test.accesses(core);
  ASSERT_EQ(3u, accesses.size);
  for (const Access &access : accesses.span()) {
    unsigned runs = 0;
    access.for_each_run([&](int64_t offset, int64_t bytes) {
      ++runs;
      EXPECT_EQ(0, offset);
      EXPECT_EQ(24690, bytes);
    });
    EXPECT_EQ(1u, runs);
    EXPECT_EQ(1u, access.repeats * access.blocks);
  }
  EXPECT_TRUE(accesses.list[0].write && !accesses.list[0].read);
  EXPECT_TRUE(accesses.list[1].read && !accesses.list[1].write);
  EXPECT_EQ(64, accesses.list[0].address.offset());
}

TEST(Access, JoinsNeighboursAndSkipsMaskedLanes) {
  Access access;
  access.element = 4, access.repeats = 2, access.blocks = 8, access.bytes = 32, access.block_stride = 32, access.repeat_stride = 256;
  std::vector<std::pair<int64_t, int64_t>> runs;
  const auto collect = [&] {
    runs.clear();
    access.for_each_run([&](int64_t offset, int64_t bytes) { runs.emplace_back(offset, bytes); });
    return runs;
  };
  using Runs = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ((Runs{{0, 512}}), collect());
  access.tail = 40;
  EXPECT_EQ((Runs{{0, 296}}), collect());
  access.tail = 0, access.masked = true, access.mask = {0b1100'0000'1110, 0, 0, 0}; // lanes 1, 2, 3, 10, 11
  EXPECT_EQ((Runs{{4, 12}, {40, 8}, {260, 12}, {296, 8}}), collect());
  EXPECT_EQ(std::pair(int64_t(4), int64_t(304)), access.extent());
  access.block_stride = 64; // lane 10 is the third element of block 1
  EXPECT_EQ((Runs{{4, 12}, {72, 8}, {260, 12}, {328, 8}}), collect());
  access.repeats = 0;
  EXPECT_EQ(Runs{}, collect());
}

} // namespace
} // namespace asc
