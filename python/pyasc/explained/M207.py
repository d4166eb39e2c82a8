# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: 60 elements are no whole blocks, and the kernel says so
@asc.jit
def kernel(x: asc.GlobalAddress, count: int):
    if count % 8 != 0:
        asc.trap()
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, count)
    asc.data_copy(x_gm, tile, count)


kernel[1](x, 60)


# %% right: 64 are
@asc.jit
def kernel(x: asc.GlobalAddress, count: int):
    if count % 8 != 0:
        asc.trap()
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, count)
    asc.data_copy(x_gm, tile, count)


kernel[1](x, 64)
assert (x == 2).all()
