# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: `tile` was made before the loop that fills it
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    tile = asc.LocalTensor(asc.float32)
    for i in range(n):
        queue.alloc_tensor(tile)
        asc.duplicate(tile, 2.0, 64)
        queue.free_tensor(tile)


kernel[1](x, 3)


# %% right: a new tensor in every round
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    for i in range(n):
        tile = queue.alloc_tensor(asc.float32)
        asc.duplicate(tile, 2.0, 64)
        queue.free_tensor(tile)


kernel[1](x, 3)
