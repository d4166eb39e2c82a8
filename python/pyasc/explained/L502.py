# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import linecache

import asc  # noqa: F401
import numpy as np

MADE = "@asc.jit\ndef kernel(x: asc.GlobalAddress, n: int):\n    asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n"
EDITED = MADE.replace("PIPE_ALL", "PIPE_V")
linecache.cache["<edited>"] = (len(EDITED), None, EDITED.splitlines(keepends=True), "<edited>")
x = np.zeros(64, np.float32)

# %% wrong: the function was made before the text was edited
exec(compile(MADE, "<edited>", "exec"))
kernel[1](x, 3)

# %% right: the edited text is run again
exec(compile(EDITED, "<edited>", "exec"))
kernel[1](x, 3)
