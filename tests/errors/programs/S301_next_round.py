# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nothing makes MTE2 wait for what V does in the round before.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    for i in range(0, 128, 64):
        asc.data_copy(tile, x_gm[i], 64)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.adds(tile, tile, 1.0, 64)


kernel[1](np.zeros(128, np.float32))
