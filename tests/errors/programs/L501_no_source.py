# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Text run by exec has no lines to read.
import asc  # noqa: F401

text = "@asc.jit\ndef kernel(n: int):\n    asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n"
exec(compile(text, "<made>", "exec"))
kernel[1](3)
