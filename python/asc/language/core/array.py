# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of the scalar unit."""

from pyasc._core import Array as Array
from pyasc._core import array

__all__ = ["array"]
