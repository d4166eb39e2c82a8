# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of Ascend C that kernels call, one per definition in the extension; those with arguments or results of other kinds; and
those of the cube core, whose calls are refused."""

from pyasc import _core
from pyasc._core import get_hccl_context, get_sys_workspace, printf, set_hccl_context, set_sys_workspace

from asc.language.adv import sort as _sort

_functions = {name: api for name, api in _core.apis().items() if name not in _sort.__all__}
_functions |= {function["name"]: getattr(_core, function["name"]) for function in _core.cube_functions()}
globals().update(_functions)
__all__ = ["get_hccl_context", "get_sys_workspace", "printf", "set_hccl_context", "set_sys_workspace", *_functions]
