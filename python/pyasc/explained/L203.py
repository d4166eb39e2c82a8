# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: an int of 100,001 bits
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, 2**100_000 % 1_000_003)


kernel[1](x)


# %% right: pow() keeps to small ints
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, pow(2, 100_000, 1_000_003))


kernel[1](x)
assert x[0] == pow(2, 100_000, 1_000_003)
