# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(16384, np.float32)


# %% wrong: repeats are counted in 8 bits
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 16384)
    tile = asc.LocalTensorAuto(asc.float32, 16384)
    asc.duplicate(tile, 2.0, 64, 256, 1, 8)
    asc.data_copy(x_gm, tile, 16384)


kernel[1](x)


# %% right: a count of elements has no such limit
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 16384)
    tile = asc.LocalTensorAuto(asc.float32, 16384)
    asc.duplicate(tile, 2.0, 16384)
    asc.data_copy(x_gm, tile, 16384)


kernel[1](x)
assert (x == 2).all()
