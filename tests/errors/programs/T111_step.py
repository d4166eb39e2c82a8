# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A loop that would not move.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    for i in range(0, n, 0):
        asc.duplicate(tile, 1.0, 64)


kernel[1](np.zeros(64, np.float32), 3)
