# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float16)


# %% wrong: sums of float32 do not become int8
@asc.jit
def kernel(x: asc.GlobalAddress):
    a = asc.LocalTensorAuto(asc.float32, 64)
    sums = asc.LocalTensorAuto(asc.int8, 64)
    asc.duplicate(a, 1.0, 64)
    asc.add_relu_cast(sums, a, a, 64)


kernel[1](x)


# %% right: they become float16
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.float32, 64)
    sums = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(a, 1.0, 64)
    asc.add_relu_cast(sums, a, a, 64)
    asc.data_copy(x_gm, sums, 64)


kernel[1](x)
assert (x == 2).all()
