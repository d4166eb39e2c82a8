# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(64, np.float32)


# %% wrong: the queue does not know which tensor
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 0)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    queue.enque(tile)
    tile = queue.deque(asc.float32)
    queue.free_tensor(tile)


kernel[1](x)


# %% right: it is told
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 0)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    queue.enque(tile)
    queue.deque(tile)
    queue.free_tensor(tile)


kernel[1](x)
