# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tensor comes before the number.
import asc
import numpy as np

COUNT = 64


@asc.jit
def kernel(x: asc.GlobalAddress, scale: float):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, COUNT)
    asc.duplicate(tile, 1.0, COUNT)
    asc.muls(
        tile,
        scale,
        tile,
        COUNT // 2,
    )


kernel[1](np.zeros(64, np.float32), 2.0)
