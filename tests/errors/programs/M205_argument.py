# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A count is an int32.
import asc
import numpy as np


@asc.jit
def kernel(n: int):
    x_local = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(x_local, 1.0, n)


kernel[1](np.int64((1 << 32) + 8))
