# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(128, dtype=np.float32)


# %% wrong: a value and its index are two elements, and element 1 is in the middle of such a pair
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensorAuto(asc.float32, 128)
    pairs = asc.LocalTensorAuto(asc.float32, 8)
    asc.data_copy(tile, x_gm, 128)
    asc.whole_reduce_max(pairs[1], tile, 64, 2, 1, 1, 8)


kernel[1](x)


# %% right: element 2 is not
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensorAuto(asc.float32, 128)
    pairs = asc.LocalTensorAuto(asc.float32, 8)
    asc.data_copy(tile, x_gm, 128)
    asc.duplicate(pairs, 0.0, 8)
    asc.whole_reduce_max(pairs[2], tile, 64, 2, 1, 1, 8)
    asc.data_copy(x_gm, pairs, 8)


kernel[1](x)
assert x[2] == 63 and x[4] == 127
