# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches in the traces of torch.profiler, under the kernel's name."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any


def profiled(name: str) -> AbstractContextManager[Any]:
    """The range of a launch in the trace that torch records in this thread, if it does."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.autograd._profiler_enabled():
        return nullcontext()
    return torch.profiler.record_function(name)
