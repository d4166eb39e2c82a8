# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(64, np.float32)


# %% wrong: 64 elements from element 16 on, of an array of 64
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm[16], 64)
    asc.adds(tile, tile, 1.0, 64)
    asc.data_copy(x_gm[16], tile, 64)


kernel[1](x)


# %% right: the 48 that are there
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm[16], 48)
    asc.adds(tile, tile, 1.0, 48)
    asc.data_copy(x_gm[16], tile, 48)


kernel[1](x)
assert (x == [1] * 16 + [2] * 48).all()
