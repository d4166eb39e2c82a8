# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A queue of depth 0 works on its tensor in place.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    q = asc.TQue(asc.TPosition.VECIN, 0)
    pipe.init_buffer(q, 1, 1024)
    t = q.alloc_tensor(asc.float32)
    q.enque(t)
    u = q.deque(asc.float32)


kernel[1](np.zeros(64, np.float32), 3)
