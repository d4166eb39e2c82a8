# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(512, dtype=np.float16)
z = np.zeros(512, np.float16)


# %% wrong: the library would add the matrix stride to the only matrix
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 512)
    z_gm.set_global_buffer(z, 512)
    tile = asc.LocalTensorAuto(asc.float16, 512)
    asc.data_copy(tile, x_gm, asc.Nd2NzParams(1, 16, 32, 512, 32, 16, 1, 512))
    asc.data_copy(z_gm, tile, 512)


kernel[1](x, z)


# %% right: it has none
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 512)
    z_gm.set_global_buffer(z, 512)
    tile = asc.LocalTensorAuto(asc.float16, 512)
    asc.data_copy(tile, x_gm, asc.Nd2NzParams(1, 16, 32, 0, 32, 16, 1, 0))
    asc.data_copy(z_gm, tile, 512)


kernel[1](x, z)
assert (z.reshape(2, 16, 16) == x.reshape(16, 2, 16).transpose(1, 0, 2)).all()
