# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: a LocalTensor is no array of NumPy
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, tile.size)
    asc.data_copy(x_gm, tile, tile.size)


kernel[1](x)


# %% right: it has methods of its own
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 2.0, tile.get_size())
    asc.data_copy(x_gm, tile, tile.get_size())


kernel[1](x)
assert (x == 2).all()
