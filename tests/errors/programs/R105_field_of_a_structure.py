# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The field for the number of blocks has twelve bits.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, blocks: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tile, x_gm, asc.DataCopyParams(blocks, 0, 0, 0))


kernel[1](np.zeros(64, np.float32), 5000)
