# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels are written with: `basic` has the functions, `core` the types, `fwk` pipes and queues, `adv` what the library adds."""

from asc.language import adv, basic, core, fwk

__all__ = ["adv", "basic", "core", "fwk"]
