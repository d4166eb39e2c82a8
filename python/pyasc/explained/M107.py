# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(64, dtype=np.float32)
order = np.arange(63, -1, -1, dtype=np.uint32)
z = np.zeros(64, np.float32)


# %% wrong: the offsets count elements
@asc.jit
def kernel(x: asc.GlobalAddress, order: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, order_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    order_gm.set_global_buffer(order, 64)
    z_gm.set_global_buffer(z, 64)
    values = asc.LocalTensorAuto(asc.float32, 64)
    offsets = asc.LocalTensorAuto(asc.uint32, 64)
    result = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(values, x_gm, 64)
    asc.data_copy(offsets, order_gm, 64)
    asc.gather(result, values, offsets, 0, 64)
    asc.data_copy(z_gm, result, 64)


kernel[1](x, order, z)


# %% right: they count bytes
@asc.jit
def kernel(x: asc.GlobalAddress, order: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, order_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    order_gm.set_global_buffer(order, 64)
    z_gm.set_global_buffer(z, 64)
    values = asc.LocalTensorAuto(asc.float32, 64)
    offsets = asc.LocalTensorAuto(asc.uint32, 64)
    result = asc.LocalTensorAuto(asc.float32, 64)
    asc.data_copy(values, x_gm, 64)
    asc.data_copy(offsets, order_gm, 64)
    asc.shift_left(offsets, offsets, 2, 64)
    asc.gather(result, values, offsets, 0, 64)
    asc.data_copy(z_gm, result, 64)


kernel[1](x, order, z)
assert (z == x[::-1]).all()
