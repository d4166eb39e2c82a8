# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The number of buffers was given as the depth.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    q = asc.TQue(asc.TPosition.VECIN, 16)


kernel[1](np.zeros(64, np.float32), 3)
