# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: the elements are 0 to 7
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.array(asc.int32, 8, 0)
    a[8] = n


kernel[1](x, 8)


# %% right: the last one is 7
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.array(asc.int32, 8, 0)
    a[7] = n
    x_gm.set_value(0, a[7])


kernel[1](x, 8)
assert x[0] == 8
