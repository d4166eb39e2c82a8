# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(64, dtype=np.float32)


# %% wrong: no pipe copies within global memory
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    asc.data_copy(x_gm[32], x_gm, 32)


kernel[1](x)


# %% right: through the unified buffer
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 32)
    asc.data_copy(tile, x_gm, 32)
    asc.data_copy(x_gm[32], tile, 32)


kernel[1](x)
assert (x[32:] == np.arange(32)).all()
