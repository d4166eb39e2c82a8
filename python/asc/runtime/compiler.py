# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the compiler."""

from asc.runtime.options import make_options

CompileOptions = make_options("CompileOptions", "compile", __name__)
__all__ = ["CompileOptions"]
