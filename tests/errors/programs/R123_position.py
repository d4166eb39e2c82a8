# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The pad value is for the unified buffer.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    tile = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 64)
    asc.set_pad_value(1, asc.TPosition.A1)


kernel[1](np.zeros(64, np.float16))
