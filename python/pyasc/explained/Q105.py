# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(128, np.float32)


# %% wrong: one tensor goes in, two are taken out
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    queue.enque(tile)
    for i in range(2):
        tile = queue.deque(asc.float32)
        queue.free_tensor(tile)


kernel[1](x)


# %% right: one goes in for each that is taken out
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    for i in range(2):
        tile = queue.alloc_tensor(asc.float32)
        asc.data_copy(tile, x_gm[64 * i], 64)
        queue.enque(tile)
        tile = queue.deque(asc.float32)
        queue.free_tensor(tile)


kernel[1](x)
