# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float16)


# %% wrong: the length is in bytes, not in elements
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.data_copy_pad(x_gm, tile, asc.DataCopyExtParams(1, 21))


kernel[1](x)


# %% right: 21 elements of 2 bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.data_copy_pad(x_gm, tile, asc.DataCopyExtParams(1, 42))


kernel[1](x)
assert (x == [2] * 21 + [0] * 43).all()
