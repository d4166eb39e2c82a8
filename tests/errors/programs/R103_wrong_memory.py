# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The vector unit cannot reach L1.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.A1, 0, 64)
    asc.adds(tile, tile, 1.0, 64)


kernel[1](np.zeros(64, np.float32))
