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

} // namespace
} // namespace asc::sim
