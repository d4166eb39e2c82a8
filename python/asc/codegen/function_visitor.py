# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the front end."""

from asc.runtime.options import make_options

CodegenOptions = make_options("CodegenOptions", "codegen", __name__)
__all__ = ["CodegenOptions"]
