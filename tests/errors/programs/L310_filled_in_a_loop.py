# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tensor made before a loop cannot be filled in the loop.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    q = asc.TQue(asc.TPosition.VECIN, 2)
    pipe.init_buffer(q, 2, 1024)
    t = asc.LocalTensor(asc.float32)
    for i in range(n):
        q.alloc_tensor(t)
        q.free_tensor(t)


kernel[1](np.zeros(64, np.float32), 3)
