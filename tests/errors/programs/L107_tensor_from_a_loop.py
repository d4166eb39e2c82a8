# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A loop on the device can return numbers, not tensors.
import asc
import numpy as np


@asc.jit
def first_positive(tile):
    for i in range(8):
        if tile.get_value(8 * i) > 0:
            return tile[8 * i]
    return tile


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    first_positive(tile)


kernel[1](np.zeros(64, np.float32))
