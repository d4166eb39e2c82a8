# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How often a loop is unrolled is decided when the kernel is compiled.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int, m: int):
    half = n // 2
    for _ in asc.static_range(half + m):
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


kernel[1](np.zeros(64, np.float32), 2, 3)
