# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float16)


# %% wrong: 20 elements are 40 bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.data_copy(x_gm, tile, 20)


kernel[1](x)


# %% right: data_copy_pad copies any number of bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float16, 64)
    asc.duplicate(tile, 2.0, 64)
    asc.data_copy_pad(x_gm, tile, asc.DataCopyExtParams(1, 40))


kernel[1](x)
assert (x == [2] * 20 + [0] * 44).all()
