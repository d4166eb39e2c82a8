# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# After the branch it would be a tensor or a number.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    value = tile
    if n > 0:
        value = 1.0
    asc.duplicate(tile, value, 64)


kernel[1](np.zeros(64, np.float32), 3)
