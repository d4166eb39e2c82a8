# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: uint8 ends at 255
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.uint8):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n)


kernel[1](x, 256)


# %% right: a type that holds the value
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.uint16):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n)


kernel[1](x, 256)
assert x[0] == 256
