# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: a tensor of the queue for inputs
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 1, 256)
    pipe.init_buffer(z_queue, 1, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = x_queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 2.0, 64)
    z_queue.enque(tile)
    tile = z_queue.deque(asc.float32)
    asc.data_copy(x_gm, tile, 64)
    z_queue.free_tensor(tile)


kernel[1](x)


# %% right: a tensor of its own
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 1, 256)
    pipe.init_buffer(z_queue, 1, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = z_queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 2.0, 64)
    z_queue.enque(tile)
    tile = z_queue.deque(asc.float32)
    asc.data_copy(x_gm, tile, 64)
    z_queue.free_tensor(tile)


kernel[1](x)
assert (x == 2).all()
