# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(256, dtype=np.float16)
z = np.zeros(256, np.float16)


# %% wrong: a row of 16 elements has 32 bytes
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    rows = [16 * i for i in range(16)]
    columns = [512 + 32 * i for i in range(16)]
    asc.trans_data_to_5hd(columns, rows, asc.TransDataTo5HDParams())


kernel[1](x, z)


# %% right: addresses count bytes; get_phy_addr gives them
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    z_gm.set_global_buffer(z, 256)
    src = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 256)
    dst = asc.LocalTensor(asc.float16, asc.TPosition.VECOUT, 512, 256)
    asc.data_copy(src, x_gm, 256)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    rows = [src.get_phy_addr(16 * i) for i in range(16)]
    columns = [dst.get_phy_addr(16 * i) for i in range(16)]
    asc.trans_data_to_5hd(columns, rows, asc.TransDataTo5HDParams())
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, dst, 256)


kernel[1](x, z)
assert (z.reshape(16, 16) == x.reshape(16, 16).T).all()
