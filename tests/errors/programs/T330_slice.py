# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An array has no slices.
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 64)
    a = asc.array(asc.int32, 8, 0)
    b = a[:4]


kernel[1](np.zeros(64, np.int32), 8)
