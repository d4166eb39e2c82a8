# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: VECCALC is for scratch memory
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECCALC, 1)
    pipe.init_buffer(queue, 1, 256)
    tile = queue.alloc_tensor(asc.float32)
    asc.duplicate(tile, 2.0, 64)
    queue.free_tensor(tile)


kernel[1](x)


# %% right: which is a TBuf
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    tile = buffer.get(asc.float32)
    asc.duplicate(tile, 2.0, 64)


kernel[1](x)
