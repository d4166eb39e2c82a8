# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Three tensors of 80 KiB in 192 KiB.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 20480)
    b = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 81920, 20480)
    c = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 163840, 20480)
    asc.add(c, a, b, 20480)


kernel[1](np.zeros(64, np.float32))
