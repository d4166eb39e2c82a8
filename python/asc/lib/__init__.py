# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries for the host: `runtime`."""

from asc.lib import runtime

__all__ = ["runtime"]
