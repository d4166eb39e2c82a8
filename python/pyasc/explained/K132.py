# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np


@asc.jit
def fill(x: asc.GlobalAddress, value: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, value, 64)
    asc.data_copy(x_gm, tile, 64)


x = np.zeros((64, 2), np.float32)

# %% wrong: a column is not contiguous
fill[1](x[:, 0], 2.0)

# %% right: an array of its own, copied back once when all launches are done
column = np.ascontiguousarray(x[:, 0])
fill[1](column, 2.0)
x[:, 0] = column
assert (x == [2, 0]).all()
