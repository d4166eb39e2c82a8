// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch in the trace of torch.profiler.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace asc {

/// While it lives, the trace that torch records in this thread has a range of this name. Nothing where torch is not used or does not
/// record.
class ProfilerRange {
public:
  explicit ProfilerRange(const std::string &name);
  ~ProfilerRange();
  ProfilerRange(const ProfilerRange &) = delete;
  ProfilerRange &operator=(const ProfilerRange &) = delete;

private:
  nanobind::object range_;
};

} // namespace asc
