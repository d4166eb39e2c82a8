# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalars and addresses of a kernel."""

from pyasc._core import GlobalAddress, PlainValue

__all__ = ["GlobalAddress", "PlainValue"]
