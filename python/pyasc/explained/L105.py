# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: `sign` has no value if n is 0 or more
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    if n < 0:
        sign = -1
    x_gm.set_value(0, sign)


kernel[1](x, 5)


# %% right: a value on every path
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    sign = 1
    if n < 0:
        sign = -1
    x_gm.set_value(0, sign)


kernel[1](x, 5)
assert x[0] == 1
