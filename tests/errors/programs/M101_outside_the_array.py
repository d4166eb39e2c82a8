# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The array has 64 elements; a GlobalTensor without a size does not know.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm[16], 64)


kernel[1](np.zeros(64, np.float32))
