// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runner: what a `.kernel` file begins with. It finds itself, and runs what is attached to it.
#include "kernel_file/command.h"
#include "kernel_file/report.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

static std::atomic<bool> interrupted;

/// The bytes of this program; empty: they cannot be read. /proc is not everywhere, and what the system was asked to run is found without.
static std::string own_bytes() {
  const char *started = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  for (const char *path : {"/proc/self/exe", started}) {
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) continue;
    std::string bytes(size_t(status.st_size), '\0');
    size_t done = 0;
    for (ssize_t n = 1; n > 0 && done < bytes.size(); done += size_t(n > 0 ? n : 0))
      n = read(file, bytes.data() + done, bytes.size() - done);
    close(file);
    if (done == bytes.size()) return bytes;
  }
  return {};
}

static std::string output_error; // of the first write that failed

static void print(const std::string &text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && output_error.empty()) output_error = std::strerror(errno);
}

int main(int count, char **words) {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted.store(true, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART | int(SA_RESETHAND); // a second time it ends at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);

  const std::string file = own_bytes();
  if (file.empty()) {
    std::fprintf(stderr, "error[C301]: this file cannot read itself: %s\nhelp: let it be read, as with chmod +r\n", std::strerror(errno));
    return asc::kernel_file::kUnusable;
  }
  const asc::kernel_file::Console console{
      count ? words[0] : "kernel", print,          [](const std::string &text) { std::fwrite(text.data(), 1, text.size(), stderr); },
      asc::kernel_file::to_text,   isatty(2) == 1, &interrupted};
  const int status = asc::kernel_file::command(file, std::vector<std::string>(words + std::min(count, 1), words + count), console);
  if (output_error.empty()) return status;
  std::fprintf(stderr, "error[C303]: cannot write standard output: %s\nhelp: send it where there is room\n", output_error.c_str());
  return asc::kernel_file::kUnusable;
}
