# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# NumPy computes on the host.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, np.sqrt(4.0), 64)


kernel[1](np.zeros(64, np.float32))
