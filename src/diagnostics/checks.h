// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of a launch by name, which is how the option `check` chooses them: each stands for the codes of what it finds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace asc {

enum class Check : uint8_t {
  Bounds,
  Rules,
  Uninitialised,
  Races,
  CoreRaces,
  Flags,
  Queues,
  Overflow,
  DataCache,
  Watch,
  Deadlock,
  Capacity
};
constexpr unsigned kChecks = unsigned(Check::Capacity) + 1;

struct CheckInfo {
  std::string_view name;
  std::string_view codes;  // found when the check is on: codes, or first letters of codes, with blanks between
  std::string_view always; // found in every launch: nothing sensible can follow, so it stops there
  std::string_view finds;  // in words
};
/// One row per check, in order of the enumeration.
std::span<const CheckInfo, kChecks> check_infos();

/// The check that looks for what has this code; nothing for what is found in every launch.
std::optional<Check> check_of(std::string_view code);

/// Which checks are on.
class Checks {
public:
  static constexpr Checks all() { return Checks((1u << kChecks) - 1); }
  static constexpr Checks none() { return Checks(0); }
  constexpr explicit Checks(unsigned bits) : bits_(bits) {}

  constexpr bool has(Check check) const { return bits_ >> unsigned(check) & 1; }
  constexpr Checks with(Check check) const { return Checks(bits_ | 1u << unsigned(check)); }
  constexpr Checks without(Check check) const { return Checks(bits_ & ~(1u << unsigned(check))); }
  constexpr Checks operator&(Checks other) const { return Checks(bits_ & other.bits_); }
  constexpr unsigned bits() const { return bits_; }
  /// Whether a finding that does not stop the launch is looked for.
  bool wants(std::string_view code) const;
  bool operator==(const Checks &) const = default;

private:
  unsigned bits_;
};

} // namespace asc
