# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(8, np.float32)


# %% wrong: the second tensor would end at byte 240000 of 196608
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    first = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, n)
    second = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4 * n, n)
    asc.duplicate(first, 1.0, n)
    asc.duplicate(second, 2.0, n)


kernel[1](x, 30_000)


# %% right: there is room for two of these
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    first = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, n)
    second = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4 * n, n)
    asc.duplicate(first, 1.0, n)
    asc.duplicate(second, 2.0, n)


kernel[1](x, 24_000)
