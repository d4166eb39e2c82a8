# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The vector unit has no int8 addition.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.int8, asc.TPosition.VECCALC, 0, 256)
    asc.add(tile, tile, tile, 256)


kernel[1](np.zeros(64, np.float32))
