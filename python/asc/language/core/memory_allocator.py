# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On-chip memory handed out from its start, for kernels without a TPipe."""

from pyasc._core import LocalMemAllocator

__all__ = ["LocalMemAllocator"]
