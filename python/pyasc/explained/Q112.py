# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: enque sets MTE2_V, deque waits for MTE2_MTE3
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    queue.enque(tile, asc.TPosition.GM, asc.TPosition.VECIN)
    tile = queue.deque(asc.float32)
    queue.free_tensor(tile)


kernel[1](x)


# %% right: both for the positions of the queue
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    queue.enque(tile)
    tile = queue.deque(asc.float32)
    queue.free_tensor(tile)


kernel[1](x)
