# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of Ascend C that kernels call, one per definition in the extension, and `printf`, whose arguments depend on its format."""

from pyasc import _core
from pyasc._core import printf

from asc.language.adv import sort as _sort

_functions = {name: api for name, api in _core.apis().items() if name not in _sort.__all__}
globals().update(_functions)
__all__ = ["printf", *_functions]
