# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making run-time values, and text of C++, which is refused."""

from pyasc._core import inline, number

__all__ = ["inline", "number"]
