# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: the elements are 0 to 63
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 1.0, 64)
    tile.set_value(n, 2.0)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x, 64)


# %% right: the last one is n - 1
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 1.0, 64)
    tile.set_value(n - 1, 2.0)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x, 64)
assert (x == [1] * 63 + [2]).all()
