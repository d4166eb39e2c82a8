# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream's names of what concerns compiling."""

from asc.codegen import errors, function_visitor

__all__ = ["errors", "function_visitor"]
