# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two arrays that share memory, and one of them is written.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tile, 1.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 64)


array = np.zeros(96, np.float32)
kernel[1](array[:64], array[32:])
