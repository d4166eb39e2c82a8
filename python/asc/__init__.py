# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel language: `@asc.jit`, one function per Ascend C API, element types, tensors, structures."""

try:
    import pyasc as _pyasc
    from pyasc import _core as _core
except ImportError as _error:
    raise ImportError(
        f"P105: package asc of pyasc-anywhere cannot load its other half, pyasc ({_error}); when the distribution called pyasc "
        "is installed too, uninstall both and install pyasc-anywhere again"
    ) from _error

from asc import codegen, common, language, lib, runtime
from asc.codegen.function_visitor import CodegenOptions
from asc.language import adv, basic, core, fwk
from asc.runtime.compiler import CompileOptions
from asc.runtime.jit import jit
from asc.runtime.launcher import LaunchOptions

__version__ = _pyasc.__version__
__all__ = ["CodegenOptions", "CompileOptions", "LaunchOptions", "adv", "basic", "codegen", "common", "core", "fwk", "jit", "language"]
__all__ += ["lib", "runtime"]
__all__ += basic.__all__ + core.__all__ + fwk.__all__

# Last, because some names (range, max, min) hide Python's from here on.
globals().update({name: getattr(basic, name) for name in basic.__all__})
globals().update({name: getattr(core, name) for name in core.__all__})
globals().update({name: getattr(fwk, name) for name in fwk.__all__})
