# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: nobody takes the result
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, 64)
    return tile


kernel[1](x)


# %% right: results go into arrays
@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, 64)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 2).all()
