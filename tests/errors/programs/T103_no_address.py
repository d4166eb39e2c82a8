# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A buffer is a place in global memory.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(64, 64)


kernel[1](np.zeros(64, np.float32))
