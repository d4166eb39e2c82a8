# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: only some launches make it another name of src
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    dst = asc.LocalTensorAuto(asc.float32, 32)
    src = asc.LocalTensorAuto(asc.float32, 32)
    tmp = asc.LocalTensorAuto(asc.float32, 32)
    asc.duplicate(src, 1.0, 32)
    if n > 4:
        asc.adv.concat(dst, src, tmp, 1)


kernel[1](x, 8)


# %% right: where the name is used
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    dst = asc.LocalTensorAuto(asc.float32, 32)
    src = asc.LocalTensorAuto(asc.float32, 32)
    tmp = asc.LocalTensorAuto(asc.float32, 32)
    asc.duplicate(src, 1.0, 32)
    asc.adv.concat(dst, src, tmp, 1)
    if n > 4:
        asc.data_copy(x_gm, dst, 32)


kernel[1](x, 8)
assert (x[:32] == 1).all()
