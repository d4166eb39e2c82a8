# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: `part` may be x_gm or the part of it
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    part = x_gm
    if n > 0:
        part = x_gm[32]
    part.set_value(0, 1.0)
    part.set_global_buffer(x, 8)
    part.set_value(1, 2.0)


kernel[1](x, 1)


# %% right: another GlobalTensor for another buffer
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    part = x_gm
    if n > 0:
        part = x_gm[32]
    part.set_value(0, 1.0)
    start = asc.GlobalTensor()
    start.set_global_buffer(x, 8)
    start.set_value(1, 2.0)


kernel[1](x, 1)
assert (x[1], x[32]) == (2, 1)
