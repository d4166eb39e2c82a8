# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int64)


# %% wrong: no type holds all int64 and all uint64
@asc.jit
def kernel(x: asc.GlobalAddress, a, b):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, a + b)


kernel[1](x, np.int64(-1), np.uint64(2))


# %% right: b is small enough for int64
@asc.jit
def kernel(x: asc.GlobalAddress, a, b):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, a + b.cast(asc.int64))


kernel[1](x, np.int64(-1), np.uint64(2))
assert x[0] == 1
