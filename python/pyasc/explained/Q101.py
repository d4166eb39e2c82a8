# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: `tile` may be of another queue
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(x_queue, 2, 256)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(y_queue, 2, 256)
    tile = x_queue.alloc_tensor(asc.float32)
    if n > 0:
        tile = y_queue.alloc_tensor(asc.float32)
    x_queue.free_tensor(tile)


kernel[1](x, 1)


# %% right: each goes back where it came from
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(x_queue, 2, 256)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(y_queue, 2, 256)
    tile = x_queue.alloc_tensor(asc.float32)
    if n > 0:
        other = y_queue.alloc_tensor(asc.float32)
        y_queue.free_tensor(other)
    x_queue.free_tensor(tile)


kernel[1](x, 1)
