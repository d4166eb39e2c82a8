# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A vector API does not reach global memory.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    asc.relu(x_gm, x_gm, 64)


kernel[1](np.zeros(64, np.float16))
