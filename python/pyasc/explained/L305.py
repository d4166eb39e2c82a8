# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: the list exists while compiling, the loop runs later
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    offsets = []
    for i in range(4):
        offsets.append(2 * i)
    x_gm.set_value(0, sum(offsets))


kernel[1](x)


# %% right: the loop is unrolled while compiling
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    offsets = []
    for i in asc.static_range(4):
        offsets.append(2 * i)
    x_gm.set_value(0, sum(offsets))


kernel[1](x)
assert x[0] == 12
