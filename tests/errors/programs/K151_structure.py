# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A field that the structure does not have.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, asc.DataCopyParams(block_size=1))


kernel[1](np.zeros(64, np.float32))
