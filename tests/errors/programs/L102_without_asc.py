# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An API without the module that it is in.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    duplicate(tile, 1.0, 64)


kernel[1](np.zeros(64, np.float32))
