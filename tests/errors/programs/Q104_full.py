# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two tensors in a queue of depth 1.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    for i in range(2):
        tile = queue.alloc_tensor(asc.float32)
        queue.enque(tile)


kernel[1](np.zeros(64, np.float32))
