# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(4 * 20, dtype=np.float32)
z = np.zeros(4 * 8, np.float32)


# %% wrong: end_index is the last index that is taken, and 8 to 16 are 9 elements
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 4 * 20)
    z_gm.set_global_buffer(z, 4 * 8)
    tile = asc.LocalTensorAuto(asc.float32, 4 * 8)
    to = [asc.SliceInfo(0, 7, 0, 1, 8), asc.SliceInfo(0, 3, 0, 1, 4)]
    columns = asc.SliceInfo(start_index=8, end_index=16, stride=0, burst_len=1, shape_value=20)
    asc.data_copy(tile, x_gm, to, [columns, asc.SliceInfo(0, 3, 0, 1, 4)], 2)
    asc.data_copy(z_gm, tile, 4 * 8)


kernel[1](x, z)


# %% right: columns 8 to 15 of all four rows
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 4 * 20)
    z_gm.set_global_buffer(z, 4 * 8)
    tile = asc.LocalTensorAuto(asc.float32, 4 * 8)
    to = [asc.SliceInfo(0, 7, 0, 1, 8), asc.SliceInfo(0, 3, 0, 1, 4)]
    columns = asc.SliceInfo(start_index=8, end_index=15, stride=0, burst_len=1, shape_value=20)
    asc.data_copy(tile, x_gm, to, [columns, asc.SliceInfo(0, 3, 0, 1, 4)], 2)
    asc.data_copy(z_gm, tile, 4 * 8)


kernel[1](x, z)
assert (z.reshape(4, 8) == x.reshape(4, 20)[:, 8:16]).all()
