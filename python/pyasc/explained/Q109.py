# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: the queue has no buffers
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    tile = queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 2.0, 64)
    queue.free_tensor(tile)


kernel[1](x)


# %% right: two of 256 bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 2.0, 64)
    queue.free_tensor(tile)


kernel[1](x)
