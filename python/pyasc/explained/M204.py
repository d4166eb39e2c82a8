# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: n does not change
@asc.jit(max_cycles=100_000)
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    steps = 0
    while n != 1:
        steps += 1
    x_gm.set_value(0, steps)


kernel[1](x, 64)


# %% right: it comes to 1
@asc.jit(max_cycles=100_000)
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    steps = 0
    while n != 1:
        n = n // 2
        steps += 1
    x_gm.set_value(0, steps)


kernel[1](x, 64)
assert x[0] == 6
