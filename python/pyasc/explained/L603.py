# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: the brackets make a tuple, which is true
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    assert (n > 0, "n is positive")
    x_gm.set_value(0, n)


kernel[1](x, 5)


# %% right: a condition and a message
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    assert n > 0, "n is positive"
    x_gm.set_value(0, n)


kernel[1](x, 5)
assert x[0] == 5
