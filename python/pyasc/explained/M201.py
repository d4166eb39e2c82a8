# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int64)


# %% wrong: the sum is no int32
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n + n)


kernel[1](x, 2_000_000_000)


# %% right: computed in int64
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.int64):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n + n)


kernel[1](x, 2_000_000_000)
assert x[0] == 4_000_000_000
