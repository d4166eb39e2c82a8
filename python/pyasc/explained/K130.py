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


x = np.broadcast_to(np.float32(0), 64)

# %% wrong: broadcast_to makes a read-only view
fill[1](x, 2.0)

# %% right: an array of its own
y = x.copy()
fill[1](y, 2.0)
assert (y == 2).all()
