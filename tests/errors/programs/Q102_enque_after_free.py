# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tensor goes into the queue after it was freed.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    queue.free_tensor(tile)
    queue.enque(tile)


kernel[1](np.zeros(64, np.float32))
