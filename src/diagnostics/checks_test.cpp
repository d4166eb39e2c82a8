// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every code of a launch belongs to one check, and a check that is off finds nothing.
#include "diagnostics/checks.h"

#include "apis/api.h"
#include "diagnostics/diagnostic.h"
#include "sim/report.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

namespace asc {
namespace {

TEST(Checks, EveryCodeOfALaunchBelongsToOneCheck) {
  std::map<std::string, int> owners;
  for (const CheckInfo &check : check_infos())
    for (const std::string_view list : {check.codes, check.always}) {
      std::istringstream words{std::string(list)};
      for (std::string word; words >> word;) ++owners[word];
    }
  EXPECT_EQ(owners["R"], 1);
  owners.erase("R");
  for (const Code &code : codes()) {
    const std::string name(code.code);
    if (std::string_view("MSQ").find(name[0]) == std::string_view::npos) continue;
    const bool stop = name == "M206" || name == "M207" || name == "M208"; // assert, trap and to_file are statements of the kernel
    EXPECT_EQ(owners[name], stop ? 0 : 1) << name;
    owners.erase(name);
  }
  EXPECT_TRUE(owners.empty()) << owners.begin()->first << " does not exist";
}

TEST(Checks, WantedCodes) {
  const Checks races = Checks::none().with(Check::Races);
  EXPECT_TRUE(races.wants("S301"));
  EXPECT_FALSE(races.wants("S303"));
  EXPECT_FALSE(races.wants("R104"));
  EXPECT_TRUE(Checks::none().with(Check::Rules).wants("R104"));
  for (const Code &code : codes()) {
    EXPECT_TRUE(Checks::all().wants(code.code));
    EXPECT_FALSE(Checks::none().wants(code.code));
  }
}

TEST(Checks, AReportTakesWhatIsWantedAndWhatStopsTheLaunch) {
  sim::Report report(Checks::none().with(Check::Races));
  const auto add = [&](const char *code, bool fatal) { report.add({code, "", {{1, Pipe::S}}, "", fatal}); };
  EXPECT_FALSE(report.wanted("M301", 0, 1));
  EXPECT_TRUE(report.wanted("S301", 0, 1));
  add("M301", false), add("S301", false), add("M101", true);
  const std::vector<sim::Finding> findings = report.take();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].code, "S301");
  EXPECT_EQ(findings[1].code, "M101");
}

} // namespace
} // namespace asc
