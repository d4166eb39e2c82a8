# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

SHAPE = (2, 4, 8)
x = np.zeros(8, np.int32)


# %% wrong: three values for two variables
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    rows, columns = SHAPE
    x_gm.set_value(0, rows * columns)


kernel[1](x)


# %% right: one variable takes the rest
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    rows, columns, *_ = SHAPE
    x_gm.set_value(0, rows * columns)


kernel[1](x)
assert x[0] == 8
