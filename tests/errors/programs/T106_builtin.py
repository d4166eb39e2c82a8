# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Python's abs is for numbers.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, -1.0, 64)
    tile = abs(tile)


kernel[1](np.zeros(64, np.float32))
