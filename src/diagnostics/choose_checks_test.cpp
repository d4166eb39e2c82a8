// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of the option `check`, and what they are near to.
#include "diagnostics/choose_checks.h"

#include "diagnostics/closest.h"
#include "diagnostics/diagnostic.h"

#include <gtest/gtest.h>

namespace asc {
namespace {

std::string mistake(const std::vector<std::string> &words) {
  try {
    choose_checks(words, true, "--check", "C307");
  } catch (const DiagnosticError &error) {
    return error.diagnostics[0].message + "; " + error.diagnostics[0].help;
  }
  return "";
}

TEST(ChooseChecks, Words) {
  const auto chosen = [](const std::vector<std::string> &words) { return choose_checks(words, true, "", ""); };
  EXPECT_EQ(chosen({"all"}).checks, Checks::all());
  EXPECT_TRUE(chosen({"all"}).outputs);
  EXPECT_EQ(chosen({"none"}).checks, Checks::none());
  EXPECT_FALSE(chosen({"none"}).outputs);
  EXPECT_EQ(chosen({"races", " bounds\t"}).checks, Checks::none().with(Check::Races).with(Check::Bounds));
  EXPECT_FALSE(chosen({"races"}).outputs);
  EXPECT_EQ(chosen({"outputs"}).checks, Checks::none());
  EXPECT_TRUE(chosen({"outputs"}).outputs);
  EXPECT_EQ(chosen({"-races"}).checks, Checks::all().without(Check::Races));
  EXPECT_TRUE(chosen({"-races"}).outputs);
  EXPECT_FALSE(chosen({"-outputs"}).outputs);
  EXPECT_EQ(chosen({"-outputs"}).checks, Checks::all());
  EXPECT_EQ(chosen({"adversarial"}).checks, Checks::all());
  EXPECT_TRUE(chosen({"adversarial"}).adversarial);
  EXPECT_FALSE(choose_checks({"all"}, false, "", "").outputs);
}

TEST(ChooseChecks, Mistakes) {
  EXPECT_EQ(mistake({"rases"}), "--check: there is no check 'rases'; did you mean 'races'?");
  EXPECT_EQ(mistake({"-rases"}), "--check: there is no check 'rases'; did you mean 'races'?");
  EXPECT_NE(mistake({"none", "races"}), "");
  EXPECT_NE(mistake({"-deadlock"}).find("cannot be turned off"), std::string::npos);
  EXPECT_EQ(mistake({}), "");
  for (const char *word : {"", "-", "--races", "race s"}) EXPECT_NE(mistake({word}), "") << word;
  EXPECT_THROW(choose_checks({"outputs"}, false, "check", "K141"), DiagnosticError);
}

TEST(Closest, FewestLettersToChange) {
  const std::string_view words[] = {"--input", "--output", "--cores"};
  EXPECT_EQ(closest("--outptu", words), "--output");
  EXPECT_EQ(closest("--core", words), "--cores");
  EXPECT_EQ(closest("--something", words), "");
  EXPECT_EQ(closest("", words), "");
  EXPECT_EQ(closest(std::string(100, '-'), words), "");
}

} // namespace
} // namespace asc
