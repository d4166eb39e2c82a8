# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The framework: pipes, queues, buffers."""

from asc.language.fwk import tpipe

__all__ = tpipe.__all__
globals().update({name: getattr(tpipe, name) for name in tpipe.__all__})
