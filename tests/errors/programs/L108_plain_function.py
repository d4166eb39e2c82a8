# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A Python function without @asc.jit is not compiled.
import asc
import numpy as np


def half(value):
    return value / 2


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.duplicate(tile, half(3.0), 64)


kernel[1](np.zeros(64, np.float32))
