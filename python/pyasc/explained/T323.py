# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: after the `if`, the size would not be known
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    if n > 32:
        tile = asc.LocalTensorAuto(asc.float32, n)
    else:
        tile = asc.LocalTensorAuto(asc.float32, 32)
    asc.duplicate(tile, 2.0, n)
    asc.data_copy(x_gm, tile, n)


kernel[1](x, 64)


# %% right: one tensor, whose size is chosen before
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    size = max(n, 32)
    tile = asc.LocalTensorAuto(asc.float32, size)
    asc.duplicate(tile, 2.0, n)
    asc.data_copy(x_gm, tile, n)


kernel[1](x, 64)
assert (x == 2).all()
