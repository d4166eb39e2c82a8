# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: only the first half is set
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    squares = asc.array(asc.int32, 16)
    for i in range(n):
        squares[i] = i * i
    x_gm.set_value(0, squares[n])


kernel[1](x, 8)


# %% right: all elements are 0 at first
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    squares = asc.array(asc.int32, 16, 0)
    for i in range(n):
        squares[i] = i * i
    x_gm.set_value(0, squares[n - 1])


kernel[1](x, 8)
assert x[0] == 49
