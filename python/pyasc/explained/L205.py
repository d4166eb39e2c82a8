# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(128, np.float32)


# %% wrong: 100 is not a multiple of 64
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
    assert n % 64 == 0, f"n is {n}, expected a multiple of 64"
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    tile = asc.LocalTensorAuto(asc.float32, n)
    asc.duplicate(tile, 2.0, n)
    asc.data_copy(x_gm, tile, n)


kernel[1](x, 100)


# %% right: 128 is
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
    assert n % 64 == 0, f"n is {n}, expected a multiple of 64"
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    tile = asc.LocalTensorAuto(asc.float32, n)
    asc.duplicate(tile, 2.0, n)
    asc.data_copy(x_gm, tile, n)


kernel[1](x, 128)
assert (x == 2).all()
