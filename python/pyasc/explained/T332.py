# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: the shape has the dimensions 0 and 1
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    info = asc.ShapeInfo(asc.array(asc.uint32, [16, n]))
    x_gm.set_value(0, info.shape(2))


kernel[1](x, 8)


# %% right: the last one is 1
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    info = asc.ShapeInfo(asc.array(asc.uint32, [16, n]))
    x_gm.set_value(0, info.shape(1))


kernel[1](x, 8)
assert x[0] == 8
