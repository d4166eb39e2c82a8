# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(64, dtype=np.float32)


# %% wrong: more than any memory has
@asc.jit
def kernel(x: asc.GlobalAddress, start: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, 8)
    x_gm.set_value(0, 1.0)


kernel[1](x, 1 << 40)


# %% right: a place in the array
@asc.jit
def kernel(x: asc.GlobalAddress, start: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, 8)
    x_gm.set_value(0, 1.0)


kernel[1](x, 16)
assert x[16] == 1
