# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: the elements are 0 to 7
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    counts = asc.array(asc.int32, 8, 0)
    counts[n] += 1
    x_gm.set_value(0, counts[0])


kernel[1](x, 8)


# %% right: one for each number up to n
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    counts = asc.array(asc.int32, 9, 0)
    counts[n] += 1
    x_gm.set_value(0, counts[n])


kernel[1](x, 8)
assert x[0] == 1
