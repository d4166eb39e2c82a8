# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The repeats reach beyond the end of the unified buffer; without checks too.
import asc
import numpy as np


@asc.jit(check=False)
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 196352, 64)
    asc.duplicate(tile, 1.0, 64, n, 1, 8)


kernel[1](np.zeros(64, np.float32), 2)
