// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A `.kernel` file as a command: options, run, outputs, messages, exit status. The same in the file itself and in Python.
#pragma once

#include "kernel_file/run.h"

namespace asc::kernel_file {

enum Status { kGood = 0, kFindings = 1, kUnusable = 2, kInternal = 3, kInterrupted = 130 };

/// Where a command talks to. Its functions throw nothing, and are called by several threads.
struct Console {
  std::string name; // of the command, as the user typed it
  std::function<void(const std::string &)> out, err;
  std::function<std::string(const Diagnostic &)> render;
  bool progress = false; // somebody looks at err
  const std::atomic<bool> *interrupt = nullptr;
};

/// Runs the bytes of a `.kernel` file. Throws nothing.
int command(std::string_view file, std::span<const std::string> arguments, const Console &console);

/// Runs a payload.
int command_of_payload(std::string_view payload, std::span<const std::string> arguments, const Console &console);

} // namespace asc::kernel_file
