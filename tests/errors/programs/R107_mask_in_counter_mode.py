# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A mask argument in counter mode is read as a count.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.set_mask_count()
    asc.duplicate(tile, 1.0, 3, 1, 1, 8)
    asc.set_mask_norm()


kernel[1](np.zeros(64, np.float32))
