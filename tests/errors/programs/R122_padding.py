# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# At most 32 bytes are filled on each side.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 64)
    asc.data_copy_pad(tile, x_gm, asc.DataCopyExtParams(1, 40), asc.DataCopyPadExtParams(asc.float16, True, 0, 20, 1.0))


kernel[1](np.zeros(64, np.float16))
