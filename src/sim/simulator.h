// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an AI Core program on the caller's arrays.
#pragma once

#include "sim/observer.h"

#include <atomic>

namespace asc::sim {

/// Global memory of one array argument: the caller's bytes, seen through a bounds-checked window. Windows are numbered in parameter order
/// over the Address parameters; an array passed twice is one window (the caller gives both parameters the same window).
struct Window {
  std::byte *data = nullptr;
  uint64_t bytes = 0;
  bool read_only = false; // a store is a fatal finding
  std::string name;       // parameter name, for reports
};

struct LaunchOptions {
  uint32_t blocks = 1;                          // 1..65535; more than the chip has cores run in waves
  bool check = true;                            // rules at run time, integer overflow, poison; the observers decide the rest
  unsigned threads = 0;                         // 0: as many as the host has
  uint64_t cycle_limit = uint64_t(1) << 40;     // simulated cycles per block; reaching it is a fatal finding
  const std::atomic<bool> *interrupt = nullptr; // Ctrl-C: checked every few thousand instructions
  std::span<Observer *const> observers = {};
};

struct PipeTime {
  uint64_t busy = 0, instructions = 0;
};
struct LaunchResult {
  uint64_t cycles = 0;       // of the slowest core, launch overheads included
  double microseconds = 0;   // cycles / clock
  uint64_t instructions = 0; // executed, all blocks, scalar ones included
  std::array<PipeTime, kPipes> pipes = {};
  uint64_t gm_read_bytes = 0, gm_written_bytes = 0, gm_transfers = 0; // of MTE2/MTE3
  bool interrupted = false;
  std::string printed;           // by the kernel, block by block
  std::vector<Finding> findings; // empty: clean
};

/// A program made ready to run: validated, decoded, tied to the tables of its chip. Immutable, so many threads may launch it at once.
class Executable;

/// Throws DiagnosticError when the program is damaged or for an unknown chip. Owns the program: `program_of` is valid as long as the
/// executable.
std::shared_ptr<const Executable> prepare(Program program);
const Program &program_of(const Executable &executable);

/// `args`: one word per parameter: an Address word (window, offset 0) or the scalar's bits. Throws InternalError only; what the user did
/// wrong is a finding.
LaunchResult launch(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows,
                    const LaunchOptions &options);

} // namespace asc::sim
