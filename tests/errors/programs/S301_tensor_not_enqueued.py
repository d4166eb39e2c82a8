# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tensor does not go through its queue.
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
    tile = q_in.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(sums, tile, 1.0, 64)
    q_in.free_tensor(tile)


kernel[1](np.zeros(128, np.float32))
