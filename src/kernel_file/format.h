// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a `.kernel` file holds, and its bytes. A file is a runner (an executable), a payload, and a trailer that vouches for both: length of
// the payload, SHA-256 of everything but itself, magic.
#pragma once

#include "sim/simulator.h"

namespace asc::kernel_file {

/// A number of a run has a name: a dimension, an option, a result of the tiling rule, or one of these.
inline constexpr std::string_view kTotal = "total"; // elements of the first input
inline constexpr std::string_view kRows = "rows";   // total // row, where a dimension is called row
inline constexpr std::string_view kCores = "cores"; // that the kernel may use
inline constexpr std::string_view kShare = "share"; // total // cores, where that is exact

inline constexpr int64_t kMostElements = int64_t(1) << 39; // of an array: what an address reaches

/// A dimension of an array: so many elements, or as many as the number of that name says.
struct Dimension {
  std::string name; // "": `size`
  int64_t size = 0;
  bool operator==(const Dimension &) const = default;
};

enum class Role : uint8_t { Input, Output, InOut, Workspace, Scalar };
constexpr unsigned kRoles = unsigned(Role::Scalar) + 1;
constexpr bool is_read_from_file(Role role) { return role == Role::Input || role == Role::InOut; }
constexpr bool is_written_to_file(Role role) { return role == Role::Output || role == Role::InOut; }

/// What a run is given or makes.
struct Parameter {
  std::string name;
  Role role = Role::Scalar;
  DType dtype = DType::Float32;
  // ---- arrays
  bool common = false;          // has, before its dimensions, those that all such arrays share
  std::vector<Dimension> shape; // last
  // ---- scalars
  std::string number;                    // what it is when its option is not given: that number, ...
  std::optional<uint64_t> default_value; // ... or these bits; else the option must be given
};

/// The sizes of an array, as numbers and names; "..." first where it has those that arrays share.
std::vector<std::string> sizes_of(const Parameter &parameter);
/// "(..., row)".
std::string shape_text(const Parameter &parameter);

/// A program of one block that makes numbers of numbers, or refuses: parameters are two arrays of int64, the facts and the results.
struct Rule {
  std::string program;
  std::vector<std::string> facts, results;
};

/// A launch.
struct Step {
  std::string program;
  std::string blocks;                 // the number that says how many
  std::vector<std::string> arguments; // by parameter of the program: arrays, scalars, or numbers
  bool data_cache = false;            // the scalar unit's cache is as on the device
};

struct KernelFile {
  std::string name, summary, producer;
  uint32_t cores = 0; // that the kernel may use unless a run says otherwise; 0: all of the chip
  std::vector<Parameter> parameters;
  std::optional<Rule> rule;
  std::vector<Step> steps;

  const Parameter *find(std::string_view name) const;
  /// The names of dimensions, in order of the parameters.
  std::vector<std::string> dimensions() const;
};

/// Blocks of a program that its chip can run at once.
uint32_t cores_of_chip(const Program &program);

/// A payload, ready to run.
struct Loaded {
  KernelFile file;
  std::shared_ptr<const sim::Executable> rule; // null: none
  std::vector<std::shared_ptr<const sim::Executable>> steps;

  const Program &program() const { return sim::program_of(*steps.front()); }
  uint32_t all_cores() const { return cores_of_chip(program()); }
};

std::string encode(const KernelFile &file);
/// Trusts nothing. Throws DiagnosticError: C301, C103, and C102 for what another version made.
Loaded load(std::string_view payload);

std::string attach(std::string_view runner, std::string_view payload);
/// The payload of a file whose digest is right. Throws DiagnosticError (C301).
std::string_view detach(std::string_view file);

} // namespace asc::kernel_file
