# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.float32)


# %% wrong: a mask of 3 elements, read as a count of 7
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    tile = asc.LocalTensorAuto(asc.float32, 8)
    asc.duplicate(tile, 1.0, 8)
    asc.set_mask_count()
    asc.duplicate(tile, 2.0, 3, 1, 1, 8)
    asc.set_mask_norm()
    asc.data_copy(x_gm, tile, 8)


kernel[1](x)


# %% right: masks belong to normal mode
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    tile = asc.LocalTensorAuto(asc.float32, 8)
    asc.duplicate(tile, 1.0, 8)
    asc.set_mask_norm()
    asc.duplicate(tile, 2.0, 3, 1, 1, 8)
    asc.data_copy(x_gm, tile, 8)


kernel[1](x)
assert (x == [2] * 3 + [1] * 5).all()
