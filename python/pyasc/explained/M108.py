# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

tensors = [np.arange(16, dtype=np.float32), np.ones(16, np.float32)]
z = np.zeros(16, np.float32)


# %% wrong: tensors are counted from 0
@asc.jit
def kernel(tensors: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    listed = asc.ListTensorDesc(tensors)
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(listed.get_data_ptr(n, asc.float32), 16)
    z_gm.set_global_buffer(z, 16)
    tile = asc.LocalTensorAuto(asc.float32, 16)
    asc.data_copy(tile, x_gm, 16)
    asc.data_copy(z_gm, tile, 16)


kernel[1](tensors, z, 2)


# %% right: the last of two is number 1
@asc.jit
def kernel(tensors: asc.GlobalAddress, z: asc.GlobalAddress):
    listed = asc.ListTensorDesc(tensors)
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(listed.get_data_ptr(listed.get_size() - 1, asc.float32), 16)
    z_gm.set_global_buffer(z, 16)
    tile = asc.LocalTensorAuto(asc.float32, 16)
    asc.data_copy(tile, x_gm, 16)
    asc.data_copy(z_gm, tile, 16)


kernel[1](tensors, z)
assert (z == 1).all()
