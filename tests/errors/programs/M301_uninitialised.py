# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The upper half of the tile was never written.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 32)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(tile, tile, 1.0, 64)


kernel[1](np.zeros(64, np.float32))
