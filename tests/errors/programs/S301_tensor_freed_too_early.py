# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The buffer is free for the next tensor before the last use of this one.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    pipe = asc.TPipe()
    q_in = asc.TQue(asc.TPosition.VECIN, 1)
    work = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(q_in, 1, 256)
    pipe.init_buffer(work, 256)
    sums = work.get(asc.float32)
    for i in range(0, 128, 64):
        tile = q_in.alloc_tensor(asc.float32)
        asc.data_copy(tile, x_gm[i], 64)
        q_in.enque(tile)
        ready = q_in.deque(asc.float32)
        q_in.free_tensor(ready)
        asc.adds(sums, ready, 1.0, 64)


kernel[1](np.zeros(128, np.float32))
