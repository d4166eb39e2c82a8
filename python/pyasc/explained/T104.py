# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(8, np.float32)


# %% wrong: a tensor is neither true nor false
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    if x_gm:
        x_gm.set_value(0, 2.0)


kernel[1](x)


# %% right: an element is
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    if x_gm.get_value(0) > 0:
        x_gm.set_value(0, 2.0)


kernel[1](x)
assert x[0] == 2
