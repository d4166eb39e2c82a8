# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tensor goes back to another queue than it came from.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    other = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(other, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    if n > 0:
        tile = other.alloc_tensor(asc.float32)
    queue.free_tensor(tile)


kernel[1](np.zeros(64, np.float32), 1)
