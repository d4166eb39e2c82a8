# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: only some launches set it
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    info = asc.ShapeInfo(asc.array(asc.uint32, [8, n]))
    if n > 4:
        x_gm.set_shape_info(info)


kernel[1](x, 8)


# %% right: where the tensor is made
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    rows = 8 if n > 4 else 4
    x_gm.set_shape_info(asc.ShapeInfo(asc.array(asc.uint32, [rows, n])))
    x_gm.set_value(0, x_gm.get_shape_info().shape(0))


kernel[1](x, 8)
assert x[0] == 8
