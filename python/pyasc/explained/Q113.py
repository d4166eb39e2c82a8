# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: 72 elements are 288 bytes
@asc.jit
def kernel(x: asc.GlobalAddress, count: int):
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    tile = buffer.get(asc.float32, count)
    asc.duplicate(tile, 2.0, count)


kernel[1](x, 72)


# %% right: 64 elements are 256
@asc.jit
def kernel(x: asc.GlobalAddress, count: int):
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    tile = buffer.get(asc.float32, count)
    asc.duplicate(tile, 2.0, count)


kernel[1](x, 64)
