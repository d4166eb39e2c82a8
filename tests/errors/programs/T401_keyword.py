# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A keyword that no form has, but for one letter.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 128)
    asc.duplicate(tile, 1.0, 128)
    params = asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8)
    asc.add(tile, tile, tile, mask=64, repeat_time=2, repeat_params=params)


kernel[1](np.zeros(64, np.float32))
