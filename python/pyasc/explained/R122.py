# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(48, np.float16)


# %% wrong: 28 elements behind a block are 56 bytes
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 48)
    tile = asc.LocalTensorAuto(asc.float16, 48)
    asc.data_copy_pad(tile, x_gm, asc.DataCopyExtParams(1, 40), asc.DataCopyPadExtParams(asc.float16, True, 0, 28, 2.0))
    asc.data_copy(x_gm, tile, 48)


kernel[1](x)


# %% right: 12 are 24 bytes, and duplicate fills the rest
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 48)
    tile = asc.LocalTensorAuto(asc.float16, 48)
    asc.duplicate(tile[32], 2.0, 16)
    asc.data_copy_pad(tile, x_gm, asc.DataCopyExtParams(1, 40), asc.DataCopyPadExtParams(asc.float16, True, 0, 12, 2.0))
    asc.data_copy(x_gm, tile, 48)


kernel[1](x)
assert (x == [1] * 20 + [2] * 28).all()
