# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: freed before it goes into the queue
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    queue.free_tensor(tile)
    queue.enque(tile)


kernel[1](x)


# %% right: freed when it has come out
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    queue.enque(tile)
    tile = queue.deque(asc.float32)
    queue.free_tensor(tile)


kernel[1](x)
