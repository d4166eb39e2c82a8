# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of a launch."""

from asc.runtime.options import make_options

LaunchOptions = make_options("LaunchOptions", "launch", __name__, frozen=True)
__all__ = ["LaunchOptions"]
