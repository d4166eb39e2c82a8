# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int64)


# %% wrong: n is an int32
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n << 40)


kernel[1](x, 3)


# %% right: n is an int64
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.int64):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n << 40)


kernel[1](x, 3)
assert x[0] == 3 << 40
