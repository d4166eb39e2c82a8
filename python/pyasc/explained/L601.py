# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.float32)


# %% wrong: cast makes a new number, and nothing uses it
@asc.jit
def kernel(x: asc.GlobalAddress, n: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    n.cast(asc.int32)
    x_gm.set_value(0, n)


kernel[1](x, 2.5)


# %% right: the new number has a name
@asc.jit
def kernel(x: asc.GlobalAddress, n: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    whole = n.cast(asc.int32)
    x_gm.set_value(0, whole)


kernel[1](x, 2.5)
assert x[0] == 2
