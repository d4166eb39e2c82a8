# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# No pipe copies from global memory to global memory.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    asc.data_copy(x_gm[32], x_gm, 32)


kernel[1](np.zeros(64, np.float32))
