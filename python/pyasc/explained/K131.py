# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np


@asc.jit
def copy(x: asc.GlobalAddress, y: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.data_copy(y_gm, tile, 64)


data = np.arange(96, dtype=np.float32)

# %% wrong: the arrays share 32 elements, and y is written
copy[1](data[:64], data[32:])

# %% right: two arrays
copy[1](data[:64].copy(), data[32:])
assert (data[32:] == np.arange(64)).all()
