# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The length of a block is in bytes: 21 is not a whole number of float16.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 64)
    asc.data_copy_pad(tile, x_gm, asc.DataCopyExtParams(1, 21), asc.DataCopyPadExtParams(asc.float16))


kernel[1](np.zeros(64, np.float16))
