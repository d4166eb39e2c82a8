# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A function that NumPy has in a module of its own use.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    np.zeros(4)


kernel[1](np.zeros(64, np.float16))
