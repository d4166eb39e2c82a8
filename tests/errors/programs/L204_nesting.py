# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A list that contains itself.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    values = []
    values.append(values)
    if n > 0:
        values = [1]


kernel[1](np.zeros(64, np.float32), 3)
