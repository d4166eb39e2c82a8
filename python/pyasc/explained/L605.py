# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: nothing leaves the loop
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    while True:
        n = n // 2
        x_gm.set_value(0, n)


kernel.compile(x, 100)


# %% right: a condition says when it ends
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    while True:
        n = n // 2
        x_gm.set_value(0, n)
        if n < 10:
            break


kernel[1](x, 100)
assert x[0] == 6
