# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A static loop without end in sight.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    for i in asc.static_range(1_000_000_000):
        asc.duplicate(tile, i, 64)


kernel[1](np.zeros(64, np.float32))
