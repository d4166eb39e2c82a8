# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A GlobalTensor that is nowhere.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    x_gm = asc.GlobalTensor()
    asc.data_copy(tile, x_gm, 64)


kernel[1](np.zeros(64, np.float32))
