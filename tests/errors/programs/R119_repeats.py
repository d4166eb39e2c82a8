# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 16 rows of 16 repeats are more than the 8 bits of the instruction can count.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    dst = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 2048)
    blocks = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 4096, 2048)
    offsets = asc.LocalTensor(asc.uint32, asc.TPosition.VECCALC, 8192, 2048)
    weights = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 16384, 256)
    tmp = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 32768, 131072)
    asc.bilinear_interpolation(dst, blocks, offsets, weights, 128, 16, False, 1, 128, 16, tmp)


kernel[1](np.zeros(64, np.float32))
