# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The same with a run-time index: found when the instruction runs.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile[n], 1.0, 8)


kernel[1](np.zeros(64, np.float32), 3)
