# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: the device has no exceptions
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    try:
        share = 100 // n
    except ZeroDivisionError:
        share = 0
    x_gm.set_value(0, share)


kernel[1](x, 5)


# %% right: the condition is tested before
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    share = 0
    if n != 0:
        share = 100 // n
    x_gm.set_value(0, share)


kernel[1](x, 5)
assert x[0] == 20
