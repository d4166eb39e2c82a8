# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: an offset in elements
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 1024)
    tile = buffer.get_with_offset(64, 8, asc.float32)
    asc.duplicate(tile, 2.0, 64)


kernel[1](x)


# %% right: in bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 1024)
    tile = buffer.get_with_offset(64, 8 * 4, asc.float32)
    asc.duplicate(tile, 2.0, 64)


kernel[1](x)
