# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A pool for two buffers gets a third.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    pool = asc.TBufPool(asc.TPosition.VECCALC, 2)
    pipe.init_buf_pool(pool, 1024)
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pool.init_buffer(queue, 2, 256)
    buf = asc.TBuf(asc.TPosition.VECCALC)
    pool.init_buffer(buf, 256)


kernel[1](np.zeros(64, np.float32))
