# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of a kernel: `range` runs on the device, `static_range` is unrolled while compiling."""

from pyasc._core import range, static_range

__all__ = ["range", "static_range"]
