# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: / with a float makes a float
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    total = 0
    for i in range(n / 2.0):
        total += i
    x_gm.set_value(0, total)


kernel[1](x, 8)


# %% right: // makes an int
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    total = 0
    for i in range(n // 2):
        total += i
    x_gm.set_value(0, total)


kernel[1](x, 8)
assert x[0] == 6
