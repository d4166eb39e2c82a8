# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: count is an int32
@asc.jit
def kernel(x: asc.GlobalAddress, count: asc.int64):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, count)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x, (1 << 32) + 64)


# %% right: a count of elements that there are
@asc.jit
def kernel(x: asc.GlobalAddress, count: asc.int64):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, count)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x, 64)
assert (x == 2).all()
