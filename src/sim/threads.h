// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that are kept between launches.
#pragma once

#include <functional>

namespace asc::sim {

/// Asks `count` kept threads to run `task` as well. Returns at once; a task may start after the work is done, so it must own what it looks
/// at first.
void share_work(unsigned count, const std::function<void()> &task);

/// As many as this process may use at once.
unsigned host_threads();

} // namespace asc::sim
