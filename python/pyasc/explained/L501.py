# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import linecache

import asc  # noqa: F401
import numpy as np

TEXT = "@asc.jit\ndef kernel(x: asc.GlobalAddress, n: int):\n    asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n"
x = np.zeros(64, np.float32)

# %% wrong: nobody can read the lines of this text again
exec(compile(TEXT, "<made>", "exec"))
kernel[1](x, 3)

# %% right: the text is registered under the name of its file
linecache.cache["<made>"] = (len(TEXT), None, TEXT.splitlines(keepends=True), "<made>")
exec(compile(TEXT, "<made>", "exec"))
kernel[1](x, 3)
