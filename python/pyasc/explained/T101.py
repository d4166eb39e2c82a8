# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int16)


# %% wrong: int16 ends at 32767
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.int16, 64)
    asc.duplicate(tile, 70000, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: a number that fits
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.int16, 64)
    asc.duplicate(tile, 7000, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 7000).all()
