# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int64)


# %% wrong: an int32 has bits 0 to 31
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, 1 << n)


kernel[1](x, 32)


# %% right: an int64 has bit 32
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, asc.number(1, asc.int64) << n)


kernel[1](x, 32)
assert x[0] == 1 << 32
