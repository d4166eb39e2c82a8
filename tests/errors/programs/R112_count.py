# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 40 bytes are no whole number of blocks of 32 bytes.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, 20)


kernel[1](np.zeros(64, np.float16))
