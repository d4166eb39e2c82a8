# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)
LAST = 1000


# %% wrong: the number that the kernel gets is no object of the source
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    if n is LAST:
        x_gm.set_value(0, n)


kernel[1](x, 1000)


# %% right: == compares numbers
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    if n == LAST:
        x_gm.set_value(0, n)


kernel[1](x, 1000)
assert x[0] == 1000
