# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: the compiler does not know which bytes are taken
@asc.jit
def kernel(x: asc.GlobalAddress, address: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, address, 64)
    b = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(a, 1.0, 64)
    asc.adds(b, a, 1.0, 64)
    asc.data_copy(x_gm, b, 64)


kernel[1](x, 1024)


# %% right: it places both
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.float32, 64)
    b = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(a, 1.0, 64)
    asc.adds(b, a, 1.0, 64)
    asc.data_copy(x_gm, b, 64)


kernel[1](x)
assert (x == 2).all()
