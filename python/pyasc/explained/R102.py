# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: a float32 and a float16
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.float32, 64)
    b = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(a, 1.0, 64)
    asc.duplicate(b, 2.0, 64)
    asc.add(a, a, b, 64)
    asc.data_copy(x_gm, a, 64)


kernel[1](x)


# %% right: one type for all
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.float32, 64)
    b = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(a, 1.0, 64)
    asc.duplicate(b, 2.0, 64)
    asc.add(a, a, b, 64)
    asc.data_copy(x_gm, a, 64)


kernel[1](x)
assert (x == 3).all()
