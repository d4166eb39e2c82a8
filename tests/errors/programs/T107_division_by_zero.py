# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A divisor that is zero while compiling.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.duplicate(tile, n // 0, 64)


kernel[1](np.zeros(64, np.float32), 3)
