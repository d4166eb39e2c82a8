# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: the second value is never written
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n)
    return
    x_gm.set_value(1, n)


kernel[1](x, 5)


# %% right: return under a condition
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n)
    if n < 0:
        return
    x_gm.set_value(1, n)


kernel[1](x, 5)
assert x[:2].tolist() == [5, 5]
