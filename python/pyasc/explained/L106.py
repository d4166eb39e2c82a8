# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: None on one path, a number on the other
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    bias = None
    if n > 0:
        bias = n
    x_gm.set_value(0, bias)


kernel[1](x, 5)


# %% right: a number on both
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    bias = 0
    if n > 0:
        bias = n
    x_gm.set_value(0, bias)


kernel[1](x, 5)
assert x[0] == 5
