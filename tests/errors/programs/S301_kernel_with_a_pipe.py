# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Ids of flags belong to the TPipe.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    tile = buffer.get(asc.float32)
    asc.data_copy(tile, x_gm, 64)
    asc.adds(tile, tile, 1.0, 64)


kernel[1](np.zeros(64, np.float32))
