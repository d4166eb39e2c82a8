# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(64, np.float32)


# %% wrong: three tensors of 80 KiB at the same time
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.float32, 20480)
    b = asc.LocalTensorAuto(asc.float32, 20480)
    c = asc.LocalTensorAuto(asc.float32, 20480)
    asc.data_copy(a, x_gm, 64)
    asc.data_copy(b, x_gm, 64)
    asc.add(c, a, b, 64)
    asc.data_copy(x_gm, c, 64)


kernel[1](x)


# %% right: the sum takes the place of the first
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.float32, 20480)
    b = asc.LocalTensorAuto(asc.float32, 20480)
    asc.data_copy(a, x_gm, 64)
    asc.data_copy(b, x_gm, 64)
    asc.add(a, a, b, 64)
    asc.data_copy(x_gm, a, 64)


kernel[1](x)
assert (x == 2).all()
