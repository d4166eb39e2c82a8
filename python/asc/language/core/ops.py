# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making run-time values."""

from pyasc._core import number

__all__ = ["number"]
