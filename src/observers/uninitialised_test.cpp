// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of bytes that were written, were not, or were in part.
#include "observers/script.h"
#include "observers/uninitialised.h"

#include <gtest/gtest.h>

namespace asc {
namespace {

Script reads() {
  std::vector<std::unique_ptr<sim::Observer>> observers;
  observers.push_back(make_uninitialised_checker());
  return Script(true, std::move(observers));
}

const Tensor x_gm = gm("x_gm", 0, 1024), x = ub("x_local", 0, 1024), y = ub("y_local", 1024, 1024), z = ub("z_local", 2048, 1024);

TEST(Uninitialised, WrittenBytesAndGlobalMemoryAreFine) {
  Script script = reads();
  script.block(0);
  script.data_copy(x, x_gm);
  script.duplicate(y.part(0, 512));
  script.duplicate(y.part(512, 512));
  script.add(z, x, y);
  script.set_value(ub("s", 4096, 4));
  script.get_value(ub("s", 4096, 4));
  EXPECT_TRUE(script.finish().empty());
}

TEST(Uninitialised, NothingWasWritten) {
  Script script = reads();
  script.block(2);
  script.data_copy(x, x_gm);
  script.add(z, x, y);
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  const sim::Finding &f = findings[0];
  EXPECT_EQ(f.code, "M301");
  EXPECT_EQ(f.message, "add reads y_local where nothing has written: UB bytes 1024..2047, from element 0 (float32) on");
  ASSERT_EQ(f.sites.size(), 1u);
  EXPECT_EQ(f.sites[0].pc, 1u);
  EXPECT_EQ(f.sites[0].block, 2u);
  EXPECT_EQ(f.sites[0].what, "reads y_local, UB bytes 1024..2047");
}

TEST(Uninitialised, AnInstructionDoesNotInitialiseWhatItReads) {
  Script script = reads();
  script.block(0);
  script.add(x, x, x);
  EXPECT_EQ(script.finish().size(), 1u);
  script.add(x, x, x, "now it has a value, whatever it is");
  EXPECT_TRUE(script.finish().empty());
}

TEST(Uninitialised, APart) {
  Script script = reads();
  script.block(0);
  script.data_copy(x.part(0, 512), x_gm);
  script.data_copy(y, x_gm);
  script.add(z, x, y);
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message, "add reads x_local where nothing has written: UB bytes 512..1023, from element 128 (float32) on");
}

TEST(Uninitialised, LanesThatAMaskLeftOut) {
  Script script = reads();
  script.block(0);
  Access some = Script::plain(x.part(0, 256), true);
  some.masked = true, some.element = 4, some.mask = {0xFFFFFFFFFFFFF0F5, 0, 0, 0}; // not elements 1, 3, 8..11
  script.access(script.scalar_pc(Op::SetValue, "x_local"), Pipe::V, {&some, 1});
  script.data_copy(x_gm, x.part(0, 256));
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].sites[0].what, "reads x_local, UB bytes 4..7 (first of 24 bytes)");
}

TEST(Uninitialised, SaysWhereTheTensorComesFrom) {
  Script script = reads();
  script.block(0);
  script.get_value(ub("buffer", 64, 4));
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  ASSERT_EQ(findings[0].sites.size(), 2u);
  EXPECT_EQ(script.program.code[findings[0].sites[1].pc].op, Op::Local);
  EXPECT_EQ(findings[0].sites[1].what, "the tensor comes from here, at VECCALC");
}

TEST(Uninitialised, EachBlockBeginsWithNothing) {
  Script script = reads();
  script.block(0).data_copy(x, x_gm);
  script.block(1).get_value(x);
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].sites[0].block, 1u);
}

TEST(Uninitialised, OneFindingPerLine) {
  Script script = reads();
  script.block(0);
  for (int i = 0; i < 100; ++i) script.get_value(ub("x", 4 * i, 4));
  EXPECT_EQ(script.finish().size(), 1u);
}

} // namespace
} // namespace asc
