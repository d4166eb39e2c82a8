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


x = np.zeros(64, np.float32)

# %% wrong: float32 ends at 3.4e38
fill[1](x, 1e40)

# %% right: infinity, if that is what is meant
fill[1](x, float("inf"))
assert np.isinf(x).all()
