# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A device function that calls itself.
import asc
import numpy as np


@asc.jit
def again(tile, n):
    asc.adds(tile, tile, 1.0, 64)
    again(tile, n - 1)


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    again(tile, 3)


kernel[1](np.zeros(64, np.float32))
