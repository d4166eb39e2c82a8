# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np


@asc.jit
def fill(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    tile = asc.LocalTensorAuto(asc.float32, n)
    asc.duplicate(tile, 2.0, n)
    asc.data_copy(x_gm, tile, n)


x = np.zeros(64, np.float32)

# %% wrong: / makes a float
fill[1](x, x.nbytes / 4)

# %% right: an int, as the annotation says
fill[1](x, x.nbytes // 4)
assert (x == 2).all()
