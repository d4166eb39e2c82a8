# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of Ascend C that kernels call, one per definition in the extension."""

from pyasc import _core

_functions = _core.apis()
globals().update(_functions)
__all__ = list(_functions)
