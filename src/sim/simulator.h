// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an AI Core program on the caller's arrays.
#pragma once

#include "diagnostics/checks.h"
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
  /// Of the descriptor of a list of tensors (01-memory section 9), which nobody writes: the windows that its addresses point into.
  std::vector<uint32_t> list = {};
};

struct LaunchResult;
struct LaunchOptions {
  uint32_t blocks = 1;                          // 1..65535; more than the chip has cores run in waves
  Checks checks = Checks::all();                // what is reported; observers come on top
  unsigned threads = 0;                         // 0: as many as the host has
  uint64_t cycle_limit = uint64_t(1) << 33;     // simulated cycles per block; reaching it is a fatal finding
  const std::atomic<bool> *interrupt = nullptr; // Ctrl-C: checked every few thousand instructions
  std::span<Observer *const> observers = {};
  bool adversarial = false; // every effect that nothing orders is delayed, by the chance of the seed
  uint64_t seed = 0;
  bool data_cache = false;                    // that of the scalar unit is as on the device: nothing keeps it up to date
  std::vector<LaunchResult> *cores = nullptr; // gets what each core did, by number: cycles, pipes, transfers
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

/// Where a stepped launch stops.
enum class Stops : uint8_t {
  Never,
  Breakpoints,
  Statements, // at the end of functions, too
};

/// Bytes of a block for someone who looks at them from outside.
struct Bytes {
  std::byte *data = nullptr;
  uint64_t size = 0;
  std::shared_ptr<std::byte> owner = {}; // of on-chip memory; of an array: null, its bytes are the caller's
  uint32_t window = 0;                   // of an array
};

/// A launch for a debugger: it comes back when a block has come to a moment of the debug form. One block at a time, always in the same
/// order. Arguments as for launch().
class SteppedLaunch {
public:
  SteppedLaunch(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows,
                const LaunchOptions &options);
  ~SteppedLaunch();

  enum class Pause : uint8_t {
    Moment,   // a block has stopped; while one goes on to the next Statements, it holds all others
    BlockEnd, // the block that held the others has ended
    Interrupt,
    End,
  };
  Pause run(Stops stops, const std::atomic<bool> *interrupt);

  // ---- the block that has stopped
  uint32_t statement() const; // pc of the moment
  std::string name() const;   // "block 2"
  std::span<const uint32_t>
  functions() const; // that run, outermost first, without one that is being left: pc of the last statement of each
  uint64_t reg(uint32_t i) const;
  /// `length` bytes of a tensor, as many of them as there are; 0: all up to the end of its memory.
  Bytes bytes(uint64_t address, uint64_t length);
  /// What the block has printed since the last time.
  std::string take_printed();

  /// Ends the launch, wherever it is.
  LaunchResult result();

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// `args`: one word per parameter: an Address word (window, offset 0) or the scalar's bits. Throws InternalError only; what the user did
/// wrong is a finding.
LaunchResult launch(const Executable &executable, std::span<const uint64_t> args, std::span<const Window> windows,
                    const LaunchOptions &options);

} // namespace asc::sim
