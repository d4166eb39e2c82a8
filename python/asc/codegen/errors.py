# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of compiling, under upstream's names."""

from pyasc.errors import CodegenError, UnsupportedSyntaxError

__all__ = ["CodegenError", "UnsupportedSyntaxError"]
