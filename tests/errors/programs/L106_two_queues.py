# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which queue a variable is must be known while compiling.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    small = asc.TQue(asc.TPosition.VECIN, 1)
    large = asc.TQue(asc.TPosition.VECIN, 1)
    q = small
    if n > 2:
        q = large
    t = q.alloc_tensor(asc.float32)


kernel[1](np.zeros(64, np.float32), 3)
