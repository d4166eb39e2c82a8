# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The text at the place of the function is not the function.
import linecache

import asc  # noqa: F401

TEXT = "@asc.jit\ndef kernel(n: int):\n    asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n"
exec(compile(TEXT, "<made>", "exec"))
lines = TEXT.replace("PIPE_ALL", "PIPE_V").splitlines(keepends=True)
linecache.cache["<made>"] = (1, None, lines, "<made>")
kernel[1](3)
