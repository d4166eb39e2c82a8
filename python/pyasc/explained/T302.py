# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(8, dtype=np.float32)


# %% wrong: there is no element before the first
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, x_gm.get_value(-1))


kernel[1](x)


# %% right: counted from the start
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, x_gm.get_value(x_gm.get_size() - 1))


kernel[1](x)
assert x[0] == 7
