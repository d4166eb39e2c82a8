# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: a tensor has one dimension
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.duplicate(tile[2, 0], 2.0, 8)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: row 2 of 8 columns
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.duplicate(tile[2 * 8 + 0], 2.0, 8)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x.reshape(8, 8)[2] == 2).all() and x.sum() == 64 + 8
