# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.zeros(64, np.int32)


# %% wrong: the line with element 0 is written back at the end, over elements 8 to 15
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    x_gm.set_value(0, 5)
    asc.duplicate(tile, 1, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm[8:], tile, 8)


kernel[1](x)


# %% right: the copy goes to other lines
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    x_gm.set_value(0, 5)
    asc.duplicate(tile, 1, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm[16:], tile, 8)


kernel[1](x)
