# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A generator is computed on demand, and a list at once.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    factors = (2.0 * i for i in range(3))
    for factor in factors:
        asc.duplicate(tile, factor, 64)


kernel[1](np.zeros(64, np.float32))
