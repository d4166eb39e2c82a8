# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An expression known while compiling that Python itself refuses.
import asc
import numpy as np

VALUES = [1.0, 2.0]


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.duplicate(tile, VALUES[5], 64)


kernel[1](np.zeros(64, np.float32))
