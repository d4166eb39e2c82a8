# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(512, dtype=np.float16)
z = np.zeros(512, np.float16)


# %% wrong: a fractal has 16 columns
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 512)
    z_gm.set_global_buffer(z, 512)
    tile = asc.LocalTensorAuto(asc.float16, 512)
    asc.data_copy(tile, x_gm, 512)
    asc.data_copy(z_gm, tile, asc.Nz2NdParamsFull(1, 16, 30, 1, 16, 32, 1))


kernel[1](x, z)


# %% right: 32 columns are two of them
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 512)
    z_gm.set_global_buffer(z, 512)
    tile = asc.LocalTensorAuto(asc.float16, 512)
    asc.data_copy(tile, x_gm, 512)
    asc.data_copy(z_gm, tile, asc.Nz2NdParamsFull(1, 16, 32, 1, 16, 32, 1))


kernel[1](x, z)
assert (z.reshape(16, 2, 16) == x.reshape(2, 16, 16).transpose(1, 0, 2)).all()
