# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies of one pipe complete in any order.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 64)
    asc.data_copy(tile[32], x_gm, 32)


kernel[1](np.zeros(64, np.float32))
