# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: counting down in steps of 1
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    for i in range(8, 0):
        x_gm.set_value(i - 1, i)


kernel[1](x)


# %% right: in steps of -1
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    for i in range(8, 0, -1):
        x_gm.set_value(i - 1, i)


kernel[1](x)
assert x.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
