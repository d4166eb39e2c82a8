# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(24, np.float32)


# %% wrong: three parts of the array, four cores
@asc.jit
def kernel(x: asc.GlobalAddress, parts: int):
    i = asc.get_block_idx()
    assert i < parts, f"block {i} has no part of the array"
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + 8 * i, 8)
    tile = asc.LocalTensorAuto(asc.float32, 8)
    asc.duplicate(tile, 2.0, 8)
    asc.data_copy(x_gm, tile, 8)


kernel[4](x, 3)


# %% right: a core for each part
@asc.jit
def kernel(x: asc.GlobalAddress, parts: int):
    i = asc.get_block_idx()
    assert i < parts, f"block {i} has no part of the array"
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + 8 * i, 8)
    tile = asc.LocalTensorAuto(asc.float32, 8)
    asc.duplicate(tile, 2.0, 8)
    asc.data_copy(x_gm, tile, 8)


kernel[3](x, 3)
assert (x == 2).all()
