# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The list exists while compiling, the loop while running.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    seen = []
    for i in range(n):
        seen.append(i)


kernel[1](np.zeros(64, np.float32), 3)
