# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.ones(576, np.float32)


# %% wrong: the ninth round has no id left
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 576)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 576)
    for i in range(n):
        asc.data_copy(tile[64 * i], x_gm[64 * i], 64)
        asc.set_flag(asc.HardEvent.MTE2_V, i)
        asc.wait_flag(asc.HardEvent.MTE2_V, i)
        asc.adds(tile[64 * i], tile[64 * i], 1.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 576)


kernel[1](x, 9)


# %% right: ids are used in turn
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 576)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 576)
    for i in range(n):
        asc.data_copy(tile[64 * i], x_gm[64 * i], 64)
        asc.set_flag(asc.HardEvent.MTE2_V, i % 8)
        asc.wait_flag(asc.HardEvent.MTE2_V, i % 8)
        asc.adds(tile[64 * i], tile[64 * i], 1.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(x_gm, tile, 576)


kernel[1](x, 9)
assert (x == 2).all()
