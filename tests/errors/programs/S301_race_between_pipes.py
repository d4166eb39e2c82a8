# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nothing makes V wait for MTE2.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(tile, tile, 1.0, 64)


kernel[1](np.zeros(64, np.float32))
