# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A shift by more bits than the element has.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.int16, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1, 64)
    asc.shift_left(tile, tile, 17, 64)


kernel[1](np.zeros(64, np.int16))
