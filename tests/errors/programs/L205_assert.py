# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A static condition that does not hold.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    assert n % 64 == 0, f"n is {n}, expected a multiple of 64"


kernel[1](np.zeros(64, np.float32), 100)
