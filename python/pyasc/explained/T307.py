# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.float32)


# %% wrong: 3 * 80 KiB of 192
@asc.jit
def kernel(x: asc.GlobalAddress):
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 20480)
    b = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 81920, 20480)
    c = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 163840, 20480)
    asc.duplicate(a, 1.0, 20480)
    asc.duplicate(b, 2.0, 20480)
    asc.add(c, a, b, 20480)


kernel[1](x)


# %% right: the sum takes the place of the first
@asc.jit
def kernel(x: asc.GlobalAddress):
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 20480)
    b = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 81920, 20480)
    asc.duplicate(a, 1.0, 20480)
    asc.duplicate(b, 2.0, 20480)
    asc.add(a, a, b, 20480)


kernel[1](x)
