# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(2048, np.float16)


# %% wrong: 16 rows of 16 repeats are 256
@asc.jit
def kernel(x: asc.GlobalAddress):
    dst = asc.LocalTensorAuto(asc.float16, 2048)
    blocks = asc.LocalTensorAuto(asc.float16, 4096)
    offsets = asc.LocalTensorAuto(asc.uint32, 2048)
    weights = asc.LocalTensorAuto(asc.float16, 256)
    tmp = asc.LocalTensorAuto(asc.uint8, 81920)
    asc.bilinear_interpolation(dst, blocks, offsets, weights, 128, 16, False, 1, 128, 16, tmp)


kernel[1](x)


# %% right: 15 rows of 16 are 240
@asc.jit
def kernel(x: asc.GlobalAddress):
    dst = asc.LocalTensorAuto(asc.float16, 2048)
    blocks = asc.LocalTensorAuto(asc.float16, 4096)
    offsets = asc.LocalTensorAuto(asc.uint32, 2048)
    weights = asc.LocalTensorAuto(asc.float16, 256)
    tmp = asc.LocalTensorAuto(asc.uint8, 81920)
    asc.duplicate(blocks, 1.0, 4096)
    asc.duplicate(offsets, 0, 2048)
    asc.duplicate(weights, 1.0, 256)
    asc.bilinear_interpolation(dst, blocks, offsets, weights, 128, 16, False, 1, 128, 15, tmp)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 2048)
    asc.data_copy(x_gm, dst, 1920)


kernel[1](x)
assert (x[:1920] == 16).all()
