// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of a `.kernel` file follow the parameters of its kernel: which there are, how they are read, the page that `--help` shows.
#pragma once

#include "kernel_file/run.h"

namespace asc::kernel_file {

struct Options {
  bool help = false, info = false, json = false;
  std::map<std::string, std::string, std::less<>> inputs, outputs; // path by parameter
  Request request;                                                 // without the arrays
};

/// Throws DiagnosticError (C307).
Options parse_options(const Loaded &loaded, std::span<const std::string> arguments);

/// `command` is what the user typed.
std::string help_page(const Loaded &loaded, const std::string &command);

/// The value of a scalar, as it is written on the command line.
std::string number_text(uint64_t bits, DType dtype);

/// The option for an array that is read or written.
std::string input_option(const Parameter &parameter);
std::string output_option(const KernelFile &file, const Parameter &parameter);

} // namespace asc::kernel_file
