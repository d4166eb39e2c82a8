# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int16)


# %% wrong: an int16 has 16 bits
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.int16, 64)
    asc.duplicate(tile, 1, 64)
    asc.shift_left(tile, tile, 17, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: a distance within them
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.int16, 64)
    asc.duplicate(tile, 1, 64)
    asc.shift_left(tile, tile, 7, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 128).all()
