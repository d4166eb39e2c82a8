# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: 5 - 7 is a large number here, not -2
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.uint32):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    rest = n - 7
    if rest < 0:
        x_gm.set_value(0, 1)


kernel[1](x, 5)


# %% right: compared before it is subtracted
@asc.jit
def kernel(x: asc.GlobalAddress, n: asc.uint32):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    if n < 7:
        x_gm.set_value(0, 1)


kernel[1](x, 5)
assert x[0] == 1
