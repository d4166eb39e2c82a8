# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 70000 is no int16.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.int16, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 70000, 64)


kernel[1](np.zeros(64, np.float32))
