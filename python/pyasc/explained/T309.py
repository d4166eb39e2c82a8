# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: 16 is to be the number of buffers
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 16)
    pipe.init_buffer(queue, 1, 256)
    tile = queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 2.0, 64)
    queue.free_tensor(tile)


kernel[1](x)


# %% right: init_buffer takes the number of buffers
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 16, 256)
    tile = queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 2.0, 64)
    queue.free_tensor(tile)


kernel[1](x)
