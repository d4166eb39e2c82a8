# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The help line shows how the function is called.
import asc
import numpy as np


@asc.jit
def fill(tile, /, value, *, count=64, **others):
    asc.duplicate(tile, value, count)


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    fill(tile, count=32)


kernel[1](np.zeros(64, np.float32))
