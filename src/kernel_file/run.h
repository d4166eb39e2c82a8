// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a `.kernel` file: arrays and options give the numbers, the tiling rule the others; then the launches, under checks.
#pragma once

#include "diagnostics/checks.h"
#include "diagnostics/diagnostic.h"
#include "kernel_file/arrays.h"
#include "kernel_file/format.h"

#include <functional>
#include <map>

namespace asc::kernel_file {

/// Numbers by name.
using Numbers = std::map<std::string, int64_t, std::less<>>;

struct Request {
  std::map<std::string, Array, std::less<>> inputs;     // by parameter
  std::map<std::string, uint64_t, std::less<>> scalars; // bits, of those that were given
  Numbers dimensions;                                   // that were given
  uint32_t cores = 0;                                   // 0: as the file says
  Checks checks = Checks::all();
  bool complete = true; // outputs must be written as a whole
  bool adversarial = false;
  uint64_t seed = 0;
  uint64_t cycle_limit = 0; // 0: that of the simulator
  unsigned threads = 0;
  bool profile = false;
  const std::atomic<bool> *interrupt = nullptr;
  std::function<void(uint32_t done, uint32_t blocks)> progress = {}; // called by the threads of the blocks
};

/// What a launch took.
struct Launched {
  const Program *program;
  uint32_t blocks;
  sim::LaunchResult result;
  std::vector<sim::LaunchResult> cores;       // with Request::profile
  uint64_t least_read = 0, least_written = 0; // bytes of the arrays that it reads and writes
};

struct Response {
  std::map<std::string, Array, std::less<>> outputs;
  std::vector<Launched> launches;
  std::vector<Diagnostic> findings; // errors come first; with one the outputs count for nothing
  std::string printed;
  bool interrupted = false;
  bool good() const { return !interrupted && (findings.empty() || findings.front().severity == Severity::Warning); }
};

/// Throws DiagnosticError (C304, C305) for what the kernel cannot serve; then nothing ran.
Response run(const Loaded &loaded, Request request);

} // namespace asc::kernel_file
