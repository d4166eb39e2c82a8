# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels are written with: `basic` has the functions, `core` the types, `fwk` pipes and queues."""

from asc.language import basic, core, fwk

__all__ = ["basic", "core", "fwk"]
