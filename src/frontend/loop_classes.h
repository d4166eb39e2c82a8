// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes asc.range and asc.static_range. There are no objects of theirs: what their calls make in a kernel is a LoopRange.
#pragma once

namespace asc {

struct Range {};
struct StaticRange {};

} // namespace asc
