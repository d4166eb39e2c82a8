# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.float32)


# %% wrong: which tensor it is would be known at run time only
@asc.jit
def first_positive(tile):
    for i in range(8):
        if tile.get_value(8 * i) > 0:
            return tile[8 * i]
    return tile


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 1.0, 64)
    x_gm.set_value(0, first_positive(tile).get_value(0))


kernel[1](x)


# %% right: the function returns the index
@asc.jit
def first_positive(tile):
    for i in range(8):
        if tile.get_value(8 * i) > 0:
            return 8 * i
    return 0


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 8)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(tile, 1.0, 64)
    x_gm.set_value(0, tile.get_value(first_positive(tile)))


kernel[1](x)
assert x[0] == 1
