# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An address moved by more than any memory has.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + n, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 64)


kernel[1](np.zeros(64, np.float32), 1 << 40)
