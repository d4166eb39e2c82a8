# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(64, np.int8)


# %% wrong: the vector unit cannot add int8
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.int8, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.add(tile, tile, tile, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)

# %% right: it can add int16
x = x.astype(np.int16)


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.int16, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.add(tile, tile, tile, 64)
    asc.data_copy(x_gm, tile, 64)


kernel[1](x)
assert (x == 2).all()
