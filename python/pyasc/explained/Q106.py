# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(192, np.float32)


# %% wrong: three tensors of two buffers, none of them freed
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 192)
    for i in range(3):
        tile = queue.alloc_tensor(asc.float32)
        asc.data_copy(tile, x_gm[64 * i], 64)
        queue.enque(tile)
        tile = queue.deque(asc.float32)


kernel[1](x)


# %% right: freed after its last use
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 192)
    for i in range(3):
        tile = queue.alloc_tensor(asc.float32)
        asc.data_copy(tile, x_gm[64 * i], 64)
        queue.enque(tile)
        tile = queue.deque(asc.float32)
        queue.free_tensor(tile)


kernel[1](x)
