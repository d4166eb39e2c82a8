# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host side: tensors, streams, kernels by name; errors and reports, the compile cache, the command `pyasc`. Kernels are written with
`import asc`.

What needs NumPy is loaded when it is first used, because the command and every kernel import this package."""

import os as _os
from sys import modules as _modules

__version__ = "0.1.0"

from pyasc import errors, report

TYPE_CHECKING = False  # for type checkers it is true; typing itself would take as long to load as all the rest

_LAZY = {  # name -> module, or module and attribute
    **dict.fromkeys(("Kernel", "kernel"), "registry"),
    **dict.fromkeys(("Event", "Stream"), "stream"),
    "Tensor": "tensor",
    **dict.fromkeys(("from_dlpack", "from_numpy", "from_torch", "to_numpy", "to_torch"), "tensor.Tensor"),
    "set_log_level": "log",
    "torch_op": "torch_op",
}
_DTYPES = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64".split()
_MODULES = "checks", "shapes", "tiling"
# fmt: off
__all__ = [
    "Event", "Kernel", "Stream", "Tensor", "bfloat16", "bool_", "checks", "errors", "float16", "float32", "float64", "from_dlpack",
    "from_numpy", "from_torch", "int8", "int16", "int32", "int64", "kernel", "report", "set_log_level", "shapes", "tiling",
    "to_numpy", "to_torch", "torch_op", "uint8", "uint16", "uint32", "uint64",
]
# fmt: on

if TYPE_CHECKING:
    from asc import bfloat16, bool_, float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

    from pyasc import checks, shapes, tiling
    from pyasc.log import set_log_level
    from pyasc.registry import Kernel, kernel
    from pyasc.stream import Event, Stream
    from pyasc.tensor import Tensor
    from pyasc.torch_op import torch_op

    from_dlpack, from_numpy, from_torch = Tensor.from_dlpack, Tensor.from_numpy, Tensor.from_torch
    to_numpy, to_torch = Tensor.to_numpy, Tensor.to_torch


def __getattr__(name):
    """What is loaded late."""
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"pyasc.{name}")
    if name in _DTYPES:
        value = import_module("pyasc.tensor").dtypes[name.rstrip("_")]
    elif name in _LAZY:
        module, _, owner = _LAZY[name].partition(".")
        found = import_module(f"pyasc.{module}")
        value = getattr(getattr(found, owner) if owner else found, name)
    else:
        raise AttributeError(f"module 'pyasc' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})


def _check_packages():
    """Refuses to work beside a package `asc` that is not ours: both would be half of what the user asked for."""
    asc = _modules.get("asc")
    if asc is None:
        from importlib.machinery import PathFinder

        asc = PathFinder.find_spec("asc")
        file = getattr(asc, "origin", None)
    else:
        file = getattr(asc, "__file__", None)
    ours = _os.path.join(_os.path.dirname(_os.path.dirname(__file__)), "asc")
    if file is None or not _os.path.samefile(_os.path.dirname(file), ours):
        raise errors.error(
            "P104",
            f"the package asc that Python finds, {file or 'none'}, is not the one of this pyasc, {ours}",
            "uninstall the other one (upstream's distribution is called pyasc) or change the order of sys.path",
        )


report.install()
_check_packages()
if _os.environ.get("LOG_LEVEL"):
    from pyasc import log as _log

    _log.follow_environment()
