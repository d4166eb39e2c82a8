# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(256, dtype=np.float16)
z = np.zeros(256, np.float16)


# %% wrong: even one repeat is moved by the strides
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    z_gm.set_global_buffer(z, 256)
    src = asc.LocalTensorAuto(asc.float16, 256)
    dst = asc.LocalTensorAuto(asc.float16, 512)
    asc.data_copy(src, x_gm, 256)
    asc.duplicate(dst, 0.0, 512)
    rows = [src[16 * i] for i in range(16)]
    columns = [dst[16 * i] for i in range(16)]
    asc.trans_data_to_5hd(columns, rows, asc.TransDataTo5HDParams(dst_rep_stride=16))
    asc.data_copy(z_gm, dst, 256)


kernel[1](x, z)


# %% right: no strides
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    z_gm.set_global_buffer(z, 256)
    src = asc.LocalTensorAuto(asc.float16, 256)
    dst = asc.LocalTensorAuto(asc.float16, 256)
    asc.data_copy(src, x_gm, 256)
    rows = [src[16 * i] for i in range(16)]
    columns = [dst[16 * i] for i in range(16)]
    asc.trans_data_to_5hd(columns, rows, asc.TransDataTo5HDParams())
    asc.data_copy(z_gm, dst, 256)


kernel[1](x, z)
assert (z.reshape(16, 16) == x.reshape(16, 16).T).all()
