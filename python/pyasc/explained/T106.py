# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(64, np.float32)


# %% wrong: tensors have no operators
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    tile = tile + 1.0
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)


# %% right: a call of the vector unit
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(tile, tile, 1.0, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 2).all()
