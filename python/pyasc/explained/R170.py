# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asc
import numpy as np

x = np.arange(96, dtype=np.float16)
z = np.zeros(96, np.float16)


# %% wrong: planes of 2 x 15 elements are 60 bytes
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    src = asc.LocalTensorAuto(asc.float16, 96)
    dst = asc.LocalTensorAuto(asc.float16, 96)
    tmp = asc.LocalTensorAuto(asc.uint8, 4096)
    asc.transpose(dst, src, tmp, asc.TransposeParamsExt(1, 3, 2, 15, asc.TransposeType.TRANSPOSE_NCHW2NHWC))


kernel[1](x, z)


# %% right: 2 x 16 are two blocks
@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, 96)
    z_gm.set_global_buffer(z, 96)
    src = asc.LocalTensorAuto(asc.float16, 96)
    dst = asc.LocalTensorAuto(asc.float16, 96)
    tmp = asc.LocalTensorAuto(asc.uint8, 4096)
    asc.data_copy(src, x_gm, 96)
    asc.transpose(dst, src, tmp, asc.TransposeParamsExt(1, 3, 2, 16, asc.TransposeType.TRANSPOSE_NCHW2NHWC))
    asc.data_copy(z_gm, dst, 96)


kernel[1](x, z)
assert (z.reshape(32, 3) == x.reshape(3, 32).T).all()
