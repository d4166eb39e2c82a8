# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: freed in the function and by its caller
@asc.jit
def clear(queue, tile):
    asc.duplicate(tile, 0.0, 64)
    queue.free_tensor(tile)


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    clear(queue, tile)
    queue.free_tensor(tile)


kernel[1](x)


# %% right: freed by the function that allocates it
@asc.jit
def clear(tile):
    asc.duplicate(tile, 0.0, 64)


@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = queue.alloc_tensor(asc.float32)
    clear(tile)
    queue.free_tensor(tile)


kernel[1](x)
