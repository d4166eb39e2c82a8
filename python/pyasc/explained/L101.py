# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: `total` has no value in the first round
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    for i in range(n):
        total += i
    x_gm.set_value(0, total)


kernel[1](x, 5)


# %% right: it begins with 0
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    total = 0
    for i in range(n):
        total += i
    x_gm.set_value(0, total)


kernel[1](x, 5)
assert x[0] == 10
