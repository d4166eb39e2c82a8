# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Three queues of two buffers of 40,000 bytes.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, size: int):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, size)
    pipe.init_buffer(y_queue, 2, size)
    pipe.init_buffer(z_queue, 2, size)


kernel[1](np.zeros(64, np.float32), 40_000)
