# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(128, np.float32)


# %% wrong: set a second time before anybody has waited
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 128)
    asc.data_copy(tile, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.data_copy(tile[64], x_gm[64], 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(tile, tile, 1.0, 128)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 128)


kernel[1](x)


# %% right: one flag for both copies: MTE2 sets it after the second
@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 128)
    asc.data_copy(tile, x_gm, 64)
    asc.data_copy(tile[64], x_gm[64], 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(tile, tile, 1.0, 128)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 128)


kernel[1](x)
assert (x == 2).all()
