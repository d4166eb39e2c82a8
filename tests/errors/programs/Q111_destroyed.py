# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A queue is used after destroy().
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    pipe.destroy()
    tile = queue.alloc_tensor(asc.float32)


kernel[1](np.zeros(64, np.float32))
