# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A GlobalTensor gets its dtype from its buffer.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    tile = asc.LocalTensor(x_gm.dtype, asc.TPosition.VECCALC, 0, 64)


kernel[1](np.zeros(64, np.float32))
