// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which findings of a launch are shown, and in which order.
#include "sim/report.h"

#include <gtest/gtest.h>

namespace asc::sim {
namespace {

Finding finding(std::string code, uint32_t block, uint32_t pc, bool warning = false) {
  return {std::move(code), "", {{pc, Pipe::V, block}}, "", false, warning};
}

TEST(Report, WarningsComeLastAndPushNothingOut) {
  Report report;
  for (uint32_t pc = 0; pc < 2 * Report::kMost; ++pc) report.add(finding("R107", 0, pc, true));
  EXPECT_TRUE(report.wanted("R105", 3, 100));
  report.add(finding("R105", 3, 100));
  const std::vector<Finding> findings = report.take();
  ASSERT_EQ(findings.size(), Report::kMost);
  EXPECT_EQ(findings[0].code, "R105");
  for (uint32_t i = 1; i < Report::kMost; ++i) EXPECT_EQ(findings[i].sites[0].pc, i - 1);
}

TEST(Report, OneFindingForAPlaceInTheSource) {
  Program program;
  program.sites = {{},
                   {0, 7, 4, 7, 20, 0, kNoRegister, 0},
                   {0, 7, 4, 7, 20, 0, kNoRegister, 1}, // two names, one place
                   {0, 2, 4, 2, 20, 0, 1, 0},
                   {0, 2, 4, 2, 20, 0, 2, 0}, // of a function called there
                   {0, 9, 4, 9, 20, 0, kNoRegister, 0},
                   {0, 2, 4, 2, 20, 0, 5, 0}}; // and elsewhere
  program.site_of = {0, 0, 1, 2, 3, 4, 6};
  program.code.resize(program.site_of.size());
  Report report(Checks::all(), &program);
  for (uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const bool known = pc == 3 || pc == 5;
    EXPECT_EQ(report.wanted("S104", 0, pc), !known) << pc;
    report.add(finding("S104", 0, pc));
  }
  EXPECT_TRUE(report.wanted("S101", 0, 3));
  EXPECT_EQ(report.take().size(), 5u);
}

TEST(Report, WhatFollowsFromABrokenRuleInAnotherRound) {
  Program program;
  program.sites = {{}, {0, 7, 4, 7, 20, 0, kNoRegister, 0}};
  program.site_of = {1, 1};
  program.code.resize(2);
  Report report(Checks::all(), &program);
  report.add(finding("R104", 0, 0));
  report.add(finding("S302", 0, 1));
  EXPECT_EQ(report.take().size(), 1u);
}

} // namespace
} // namespace asc::sim
