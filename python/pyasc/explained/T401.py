# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(64, np.float32)


# %% wrong: add has a destination and two sources
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.add(tile, tile, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: all three
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.add(tile, tile, tile, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 2).all()
