# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Three tensors of 80 KiB in use at the same time.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.LocalTensorAuto(asc.float32, 20480)
    b = asc.LocalTensorAuto(asc.float32, (2, 10240))
    c = asc.LocalTensorAuto(asc.float32, 20480)
    asc.data_copy(a, x_gm, 64)
    asc.data_copy(b, x_gm, 64)
    asc.add(c, a, b, 64)
    asc.data_copy(x_gm, c, 64)


kernel[1](np.zeros(64, np.float32))
