# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: x_gm has no dtype before it has a buffer
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    tile = asc.LocalTensorAuto(x_gm.dtype, 64)
    x_gm.set_global_buffer(x, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: the buffer comes first
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(x_gm.dtype, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 2).all()
