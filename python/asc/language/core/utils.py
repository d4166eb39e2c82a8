# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions for kernels and host."""

from pyasc._core import ceildiv, static_assert

__all__ = ["ceildiv", "static_assert"]
