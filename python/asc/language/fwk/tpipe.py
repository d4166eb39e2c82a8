# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On-chip memory, queues and event ids as objects: the framework of Ascend C."""

from pyasc._core import TBuf, TBufPool, TPipe, TQue, TQueBind, get_tpipe_ptr
from pyasc._core import TBufHandle as TBufHandle

__all__ = ["TBuf", "TBufPool", "TPipe", "TQue", "TQueBind", "get_tpipe_ptr"]
