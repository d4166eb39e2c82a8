# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One flag is inserted; it has number 0.
import asc
import numpy as np


@asc.jit(without_sync=1)
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    t = asc.LocalTensorAuto(asc.float32, 64)
    asc.duplicate(t, 0.0, 64)
    asc.data_copy(x_gm, t, 64)


kernel[1](np.zeros(64, np.float32))
