# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(128, dtype=np.float32)


# %% wrong: of no elements there is no largest one
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensorAuto(asc.float32, 128)
    best = asc.LocalTensorAuto(asc.float32, 8)
    work = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 128)
    asc.reduce_max(best, tile, work, n)


kernel[1](x, 0)


# %% right: of some there is
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensorAuto(asc.float32, 128)
    best = asc.LocalTensorAuto(asc.float32, 8)
    work = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 128)
    if n > 0:
        asc.reduce_max(best, tile, work, n)
        x_gm.set_value(0, best.get_value(0))


kernel[1](x, 100)
assert x[0] == 99
