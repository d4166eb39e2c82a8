# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The loop does not change its condition.
import asc
import numpy as np


@asc.jit(max_cycles=100_000)
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    while n > 0:
        asc.duplicate(tile, 0.0, 64)


kernel[1](np.zeros(64, np.float32), 1)
