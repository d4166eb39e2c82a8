# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

launches = []
x = np.zeros(8, np.int32)


# %% wrong: this would happen once, when the kernel is compiled
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n)
    launches.append("kernel")


kernel[1](x, 3)


# %% right: the host notes each launch
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, n)


kernel[1](x, 3)
launches.append("kernel")
assert x[0] == 3
