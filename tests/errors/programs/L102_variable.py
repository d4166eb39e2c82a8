# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A variable with a name like it is there.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, count: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, cuont)


kernel[1](np.zeros(64, np.float32), 64)
