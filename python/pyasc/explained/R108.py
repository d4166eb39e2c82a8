# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: eight blocks, all at the same place
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, 64, 1, 0, 8)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: one behind the other
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, 64, 1, 1, 8)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 2).all()
