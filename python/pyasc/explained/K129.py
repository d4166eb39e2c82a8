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


x = np.ma.masked_array(np.zeros(64, np.float32), mask=np.arange(64) < 8)

# %% wrong: the kernel would not see the mask
fill[1](x, 2.0)

# %% right: a value for the masked elements
y = x.filled(0)
fill[1](y, 2.0)
assert (y == 2).all()
