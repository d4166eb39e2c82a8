# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: two buffers of the queue and one more
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    pool = asc.TBufPool(asc.TPosition.VECCALC, 2)
    pipe.init_buf_pool(pool, 1024)
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pool.init_buffer(queue, 2, 256)
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pool.init_buffer(buffer, 256)


kernel[1](x)


# %% right: a pool for three
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    pool = asc.TBufPool(asc.TPosition.VECCALC, 3)
    pipe.init_buf_pool(pool, 1024)
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pool.init_buffer(queue, 2, 256)
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pool.init_buffer(buffer, 256)


kernel[1](x)
