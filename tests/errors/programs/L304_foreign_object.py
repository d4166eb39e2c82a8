# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A list that was made before the kernel.
import asc
import numpy as np

SEEN = []


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    SEEN.append(1)


kernel[1](np.zeros(64, np.float32))
