# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The unified buffer ends at byte 196608.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 196608 - 32, n)
    asc.duplicate(tile, 1.0, 8)


kernel[1](np.zeros(64, np.float32), 64)
