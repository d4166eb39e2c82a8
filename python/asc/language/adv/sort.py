# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Before and after asc.sort."""

from pyasc import _core

concat, extract = (_core.apis()[name] for name in ("concat", "extract"))
__all__ = ["concat", "extract"]
