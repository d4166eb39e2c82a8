# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(64, dtype=np.float32)


# %% wrong: the bits for elements of 32 bits come in words of 32 bits
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    kept = asc.LocalTensorAuto(asc.float32, 64)
    bits = asc.LocalTensorAuto(asc.uint16, 16)
    asc.data_copy(tile, x_gm, 64)
    asc.duplicate(bits, 0x8001, 16)
    asc.gather_mask(kept, tile, bits, False, 0, asc.GatherMaskParams(1, 1, 8, 0))


kernel[1](x)


# %% right: uint32
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensorAuto(asc.float32, 64)
    kept = asc.LocalTensorAuto(asc.float32, 64)
    bits = asc.LocalTensorAuto(asc.uint32, 8)
    asc.data_copy(tile, x_gm, 64)
    asc.duplicate(bits, 0x80000001, 8)
    n = asc.gather_mask(kept, tile, bits, False, 0, asc.GatherMaskParams(1, 1, 8, 0))
    for i in range(n):
        x_gm.set_value(i, kept.get_value(i))


kernel[1](x)
assert x[:4].tolist() == [0, 31, 32, 63]
