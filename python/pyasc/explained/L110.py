# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.int32)


# %% wrong: a kernel cannot ask the user
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, int(input("scale: ")))


kernel[1](x)


# %% right: the host asks, and passes the answer
@asc.jit
def kernel(x: asc.GlobalAddress, scale: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    x_gm.set_value(0, scale)


kernel[1](x, 3)
assert x[0] == 3
