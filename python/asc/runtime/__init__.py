# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host side of kernels: `jit`, options, platform, cache."""

from asc.runtime import cache, compiler, config, jit, launcher, options

__all__ = ["cache", "compiler", "config", "jit", "launcher", "options"]
