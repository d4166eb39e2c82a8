# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of Ascend C that kernels call, one per definition in the extension; those with arguments or results of other kinds; and
those of the cube core, whose calls are refused."""

from pyasc import _core
from pyasc._core import printf

from asc.language.adv import sort as _sort
from asc.language.basic import common, list_tensor

_functions = {name: api for name, api in _core.apis().items() if name not in _sort.__all__}
_functions |= {function["name"]: getattr(_core, function["name"]) for function in _core.cube_functions()}
globals().update(_functions)
for _module in (common, list_tensor):
    globals().update({name: getattr(_module, name) for name in _module.__all__})
__all__ = ["printf", *common.__all__, *list_tensor.__all__, *_functions]
