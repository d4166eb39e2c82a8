# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: an array of nothing
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.array(asc.int32, [])


kernel[1](x, 8)


# %% right: its length, or the values
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.array(asc.int32, [n, 2])
    x_gm.set_value(0, a[0] * a[1])


kernel[1](x, 8)
assert x[0] == 16
