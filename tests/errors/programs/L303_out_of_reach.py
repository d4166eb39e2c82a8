# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A value of a loop that has ended.
import asc
import numpy as np

KEPT = []


class Keep:
    def __init__(self, value):
        KEPT.append(value)


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    for i in range(n):
        Keep(i)
    asc.duplicate(tile, KEPT[0], 64)


kernel[1](np.zeros(64, np.float32), 3)
