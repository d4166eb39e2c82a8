# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One finding for the rounds of a loop that is unrolled.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 2048)
    for i in asc.static_range(24):
        tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 256 * i, 64)
        asc.data_copy(tile, x_gm[i * 64], 64)
        asc.adds(tile, tile, 1.0, 64)


kernel[1](np.zeros(2048, np.float32))
