# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# enque names positions and deque does not.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    queue.enque(tile, asc.TPosition.GM, asc.TPosition.VECIN)
    tile = queue.deque(asc.float32)


kernel[1](np.zeros(64, np.float32))
